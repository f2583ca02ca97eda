// A run of the command on a reference, or on one with a planted mistake, as a user sees it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from '../../../harness/index.js'
import { packageFolder } from '../../../bin/cli/package.js'
import type { AnyMutant } from '../../mutants/index.js'
import { runNode } from '../bench/child.js'
import { startProcess } from '../independent-services.js'

/** What a user sees of a run, and what it cost. */
export interface TimedRun {
  readonly seconds: number
  /** CPU time of the command, without its target's. */
  readonly cpuSeconds: number
  /** Seconds until the first failure was printed; NaN without one. */
  readonly firstFailureSeconds: number
  /** Lines after the progress. */
  readonly lines: number
  /** How many cases passed, failed, … */
  readonly cases: string
  readonly firstCause: NonNullable<Report['likely_causes']>[number] | undefined
}

/** Whether the sentence that is printed first is one that the mutant breaks. */
export function isFirst({ breaks }: AnyMutant, { firstCause }: TimedRun): boolean {
  return firstCause?.requirement !== undefined && breaks.includes(firstCause.requirement)
}

/** Delays between the attempts of the sender, in milliseconds; those of the interface take hours. */
const senderSchedule = [2_000, 2_500] as const
const program = join(packageFolder(), 'dist/proof/lab/verdicts/subject.js')

/** Runs every case on the reference with this mutant, `<reference>/<name>`, or on the right one: `<reference>/none`. */
export async function timedRun(mutant: string): Promise<TimedRun> {
  const [kind = ''] = mutant.split('/')
  const id = mutant.endsWith('/none') ? 'none' : mutant
  const target = await startTarget(kind, id)
  const folder = mkdtempSync(join(tmpdir(), 'timed-run-'))
  try {
    const file = join(folder, 'report.json')
    const began = performance.now()
    let firstFailureSeconds = Number.NaN
    const onOutput = (text: string): void => {
      if (Number.isNaN(firstFailureSeconds) && /^(?:failed|unconfirmed) /m.test(text))
        firstFailureSeconds = (performance.now() - began) / 1000
    }
    const [command = '', ...words] = target.words
    const reporters = ['--reporter', 'pretty', '--reporter', `json=${file}`]
    const { wallMs, cpuMs, output } = await runNode(
      ['bin/conformance.js', command, '--no-config', ...reporters, ...words],
      { measuresUse: true, acceptsFailure: true, onOutput, env: { XDG_STATE_HOME: folder, ...target.env } },
    )
    return {
      seconds: wallMs / 1000,
      cpuSeconds: cpuMs / 1000,
      firstFailureSeconds,
      lines: linesAfterProgress(output),
      cases: /^Cases +(.*)$/m.exec(output)?.[1] ?? '',
      firstCause: (JSON.parse(readFileSync(file, 'utf8')) as Report).likely_causes?.[0],
    }
  } finally {
    await target.close?.()
    rmSync(folder, { recursive: true })
  }
}

interface Target {
  readonly words: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly close?: () => Promise<void>
}

async function startTarget(kind: string, id: string): Promise<Target> {
  switch (kind) {
    case 'server':
      return { words: ['run', '--reference', ...(id === 'none' ? [] : ['--mutant', id])] }
    case 'verifier':
    case 'client':
      return { words: [kind, '--', process.execPath, program, kind, id] }
    case 'receiver': {
      const { facts, close } = await startProcess([process.execPath, program, kind, id])
      const { url, secret, handledUrl } = facts as unknown as Readonly<Record<'url' | 'secret' | 'handledUrl', string>>
      const words = ['receiver', '--url', url, '--handled-url', handledUrl]
      return { words, env: { CONFORMANCE_SECRET: secret }, close }
    }
    default: {
      const { facts, close } = await startProcess([process.execPath, program, kind, id, ...senderSchedule.map(String)])
      const { port, secret } = facts as unknown as { readonly port: number; readonly secret: string }
      const schedule = senderSchedule.map((ms) => `${ms / 1000}s`).join()
      const limits = ['--schedule', schedule, '--retry-depth', String(senderSchedule.length + 1)]
      const words = ['sender', '--listen', '127.0.0.1:0', '--trigger', triggerOf(port), ...limits]
      return { words, env: { CONFORMANCE_SECRET: secret }, close }
    }
  }
}

function triggerOf(port: number): string {
  const body = 'JSON.stringify({ type: env.CONFORMANCE_EVENT_TYPE, url: env.CONFORMANCE_WEBHOOK_URL })'
  const send = `require("node:http").request({ port: ${port}, host: "127.0.0.1", method: "POST" }).end(${body})`
  return `"${process.execPath}" -e 'const { env } = process; ${send}'`
}

function linesAfterProgress(output: string): number {
  const lines = output.trimEnd().split('\n')
  return (
    lines.length -
    Math.max(
      0,
      lines.findIndex((line) => /^(?:BROKEN|ADVICE|UNCLEAR|Folded|Cases) /.test(line)),
    )
  )
}
