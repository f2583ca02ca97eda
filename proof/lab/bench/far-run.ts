// A full service run on the reference server that is so many milliseconds away, in processes of their own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report, Waited } from '../../../harness/index.js'
import { runNode, startHost, type Ended } from './child.js'
import { scaled } from './figure.js'
import type { Exchanges } from './hosts/counting.js'
import type { ReferenceFacts } from './hosts/reference.js'

/** A run and what it waited for. */
export interface FarRun extends Ended {
  readonly passed: number
  /** What went over the line, counted where the reference server is. */
  readonly exchanges: Exchanges
  /** The longest time one case waited for answers, in milliseconds, and its id. */
  readonly chain: { readonly id: string; readonly ms: number }
}

/** Runs the command with `more` words; without the control interface where `hasControl` is false. */
export async function farRun(
  ms: number,
  {
    scale,
    more = [],
    hasControl = true,
  }: { readonly scale: number; readonly more?: readonly string[]; readonly hasControl?: boolean },
): Promise<FarRun> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-far-'))
  const reference = await startHost<ReferenceFacts>('reference', { counts: true })
  const { url, apiKey, controlKey } = reference.facts
  const far = await startHost<{ readonly url: string }>('far', { port: Number(new URL(url).port), ms })
  try {
    const file = join(folder, 'report.json')
    const base = ['run', '--quiet', '--profile-waits', '--base-url', far.facts.url, '--api-key', apiKey]
    const control = hasControl ? ['--control-url', `${far.facts.url}/_control`, '--control-key', controlKey] : []
    const part = scale < 1 ? ['--shard', `1/${scaled(1 / scale, 1)}`] : []
    const words = ['bin/conformance.js', ...base, ...control, ...more, ...part, '--reporter', `json=${file}`]
    const ended = await runNode(words, { measuresUse: true, acceptsFailure: true, env: { XDG_STATE_HOME: folder } })
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as Report
    const bad = cases.filter(({ status }) => status === 'failed' || status === 'errored')
    if (bad.length > 0)
      throw new Error(`the run ${ms} ms away: ${bad.map((result) => `${result.status} ${result.id}`).join(', ')}`)
    const chains = cases.map((result) => ({ id: result.id, ms: waitedForAnswers(result.measurements?.['waits']) }))
    const chain = chains.toSorted((a, b) => b.ms - a.ms)[0] ?? { id: 'none', ms: 0 }
    const exchanges = await reference.call<Exchanges>('exchanges')
    return { ...ended, passed: cases.filter(({ status }) => status === 'passed').length, chain, exchanges }
  } finally {
    await far.close()
    await reference.close()
    rmSync(folder, { recursive: true })
  }
}

function waitedForAnswers(waits: unknown): number {
  const { causes = {} } = (waits ?? {}) as { readonly causes?: Readonly<Record<string, Waited>> }
  return Object.entries(causes)
    .filter(([cause]) => cause === 'answers of the API' || cause.endsWith('(control)'))
    .reduce((sum, [, { ms }]) => sum + ms, 0)
}
