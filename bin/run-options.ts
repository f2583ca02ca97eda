import type { Selection } from '../harness/select.js'
import { quoted } from './command-line.js'
import type { Settings } from './settings.js'
import { UsageError, wholeNumber } from './usage.js'

/** Largest seed, and largest delay a timer of Node holds, in milliseconds. */
const largest = { seed: 0xffffffff, timeoutMs: 0x7fffffff }

/** The options of contract section 1 that say how a run goes. */
export interface RunLimits {
  readonly seed: number
  readonly runs?: number
  readonly concurrency?: number
  readonly timeoutMs?: number
  readonly bail: boolean
}

/** Reads `--seed`, `--runs`, `--concurrency`, `--timeout` and `--bail`; a seed that is not given is made up. */
export function limitsOf(settings: Settings): RunLimits {
  const read = (name: string, max?: number) => {
    const text = settings.text(name)
    return text === undefined ? undefined : wholeNumber(`--${name}`, text, 1, max)
  }
  const seed = settings.text('seed')
  const runs = read('runs')
  const concurrency = read('concurrency')
  const timeoutMs = read('timeout', largest.timeoutMs)
  return {
    seed: seed === undefined ? Math.floor(Math.random() * 0x7fffffff) : wholeNumber('--seed', seed, 0, largest.seed),
    bail: settings.isOn('bail'),
    ...(runs === undefined ? {} : { runs }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** Reads `--suite`, `--case`, `--level` and `--shard`. */
export function selectionOf(settings: Settings): Selection {
  const level = settings.text('level')
  if (level !== undefined && level !== 'must' && level !== 'should')
    throw new UsageError(`--level ${level}: expected must or should`)
  const shard = settings.text('shard')
  const [, index = '', count = ''] = shard === undefined ? [] : (/^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(shard) ?? [])
  if (shard !== undefined && (index === '' || Number(index) > Number(count)))
    throw new UsageError(`--shard ${shard}: expected i/n with i from 1 to n, such as 2/4`)
  return {
    suites: settings.list('suite'),
    cases: settings.list('case'),
    ...(level === undefined ? {} : { level }),
    ...(shard === undefined ? {} : { shard: { index: Number(index), count: Number(count) } }),
  }
}

/** Options a case must see again to do the same; those in a file are found again by themselves. */
const repeated = ['retry-depth', 'runs', 'timeout', 'config'] as const

/** The line that asks one case again with the same data: `again` reaches the target and `after` ends the line. */
export function reproductionLine(options: {
  readonly settings: Settings
  readonly again: string
  readonly after: string | undefined
  readonly caseId: string
  readonly seed: number
}): string {
  const { settings, again, after, caseId, seed } = options
  const words = [again]
  for (const name of repeated) {
    const value = settings.text(name)
    if (value !== undefined && settings.source(name) !== 'file') words.push(`--${name} ${quoted(value)}`)
  }
  if (!isJudgedOnAll(caseId)) words.push(`--case ${caseId}`)
  words.push(`--seed ${seed}`)
  if (after !== undefined) words.push(after)
  return words.join(' ')
}

/** Cases that judge what every other case has seen: alone they see nothing. */
export function isJudgedOnAll(caseId: string): boolean {
  return caseId.includes('/always/')
}
