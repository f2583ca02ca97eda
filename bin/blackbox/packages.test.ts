// Senders that sign with popular packages, judged by the built command. ../packaging/known-packages.test.ts tests verifiers with them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RequirementId } from '../../spec/index.js'
import { judgeHere } from '../testing/command.js'

const command = judgeHere()

/** The longest case waits 20 seconds; a busy machine takes its time. */
const limit = { timeout: 240_000 }
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const program = join(import.meta.dirname, 'testing/senders/sender.mjs')

/** How a package is judged: `svix` has names of its own for the headers, which the interface does not. */
const profiles = {
  standardwebhooks: ['--profile', 'interface'],
  svix: ['--profile', 'standard-webhooks', '--header-names', 'svix'],
} as const
type Package = keyof typeof profiles

/** Judges a sender with a behaviour: returns the violated requirements with exit code and verdict. */
async function judge(name: Package, behaviour: string, cases: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'))
  const outbox = join(folder, 'outbox')
  mkdirSync(outbox)
  const child = spawn(process.execPath, [program, name, behaviour, outbox], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, WEBHOOK_SECRET: secret },
  })
  const trigger = `echo "\${CONFORMANCE_EVENT_TYPE:-message.received} $CONFORMANCE_WEBHOOK_URL" > ${folder}/$$ && mv ${folder}/$$ ${outbox}/$$`
  try {
    const { code, report, out } = await command([
      'sender',
      '--secret',
      secret,
      '--listen',
      '127.0.0.1:0',
      '--schedule',
      '2s',
      '--trigger',
      trigger,
      ...profiles[name],
      ...cases.flatMap((pattern) => ['--case', pattern]),
    ])
    const failed = report?.cases.filter(({ status }) => status === 'failed') ?? []
    const violated = [...new Set(failed.flatMap(({ violates = [] }) => violates))].sort()
    return { code, verdict: report?.verdict, violated, errored: report?.summary.cases['errored'], out }
  } finally {
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
    rmSync(folder, { recursive: true })
  }
}

describe.concurrent('a sender that signs with', limit, () => {
  it.each(Object.keys(profiles) as Package[])('%s conforms', async (name) => {
    const { out, ...end } = await judge(name, 'right')
    expect(end, out).toEqual({ code: 0, verdict: 'conformant', violated: [], errored: 0 })
  })

  const attempts = 'sender/attempts/*'
  const mistakes: readonly (readonly [Package, string, readonly RequirementId[], readonly string[]])[] = [
    ['standardwebhooks', 'signs-another-text', ['SDR-005'], [attempts]],
    ['svix', 'signs-another-text', ['SDR-005'], [attempts]],
    ['standardwebhooks', 'signs-once', ['SDR-030'], [attempts, 'sender/retries/*']],
    ['svix', 'signs-once', ['SDR-030'], [attempts, 'sender/retries/*']],
    ['standardwebhooks', 'names-each-attempt', ['SDR-006', 'SDR-029'], [attempts, 'sender/retries/*']],
    ['standardwebhooks', 'follows-redirects', ['SDR-023', 'SDR-024'], [attempts, 'sender/redirects/*']],
    [
      'standardwebhooks',
      'retries-server-errors-alone',
      ['SDR-024', 'SDR-025', 'SDR-028'],
      [attempts, 'sender/{redirects,failures}/*'],
    ],
  ]

  it.each(mistakes)('%s and %s fails for that alone', async (name, behaviour, breaks, cases) => {
    const { out, violated, ...end } = await judge(name, behaviour, cases)
    expect(end, out).toEqual({ code: 1, verdict: 'nonconformant', errored: 0 })
    expect(violated).toEqual(breaks)
  })
})
