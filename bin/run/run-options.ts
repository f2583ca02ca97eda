import { randomSeed, type Case, type Selection } from '../../harness/index.js'
import { quoted } from '../cli/command-line.js'
import { commandName } from '../cli/package.js'
import { isGiven, type Settings } from '../cli/settings.js'
import type { OptionName } from '../cli/options.js'
import { levels } from '../cli/option-values.js'
import { oneOf, UsageError, wholeNumber } from '../cli/usage.js'
import { shardOf } from './shard.js'

/** Largest seed, and largest delay a timer of Node holds, in milliseconds. */
const largest = { seed: 0xffffffff, timeoutMs: 0x7fffffff }

/** The options of docs/contract.md, section 1 that control a run. */
export interface RunLimits {
  readonly seed: number
  readonly runs?: number
  /** The path of the counterexample that alone is tried. */
  readonly replayPath?: string
  /** How often each case runs. */
  readonly repeat?: number
  readonly concurrency?: number
  readonly timeoutMs?: number
  /** Failures of must cases after which the run stops. */
  readonly maxFailures?: number
}

/** Reads `--seed`, `--runs`, `--replay`, `--concurrency`, `--timeout`, `--bail` and `--max-failures`; a seed that is not given is made up. */
export function limitsOf(settings: Settings): RunLimits {
  const read = (name: OptionName, max?: number) => {
    const text = settings.text(name)
    return text === undefined ? undefined : wholeNumber(`--${name}`, text, 1, max)
  }
  const seed = settings.text('seed')
  const runs = read('runs')
  const repeat = repeatOf(settings)
  const concurrency = read('concurrency')
  const timeoutMs = read('timeout', largest.timeoutMs)
  const replayPath = replayPathOf(settings)
  const given = read('max-failures')
  const maxFailures = settings.isOn('bail') ? 1 : given
  return {
    seed: seed === undefined ? randomSeed() : wholeNumber('--seed', seed, 0, largest.seed),
    ...(runs === undefined ? {} : { runs }),
    ...(replayPath === undefined ? {} : { replayPath }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxFailures === undefined ? {} : { maxFailures }),
  }
}

/** Reads `--repeat`: saved progress and manual reruns run once. */
function repeatOf(settings: Settings): number | undefined {
  const text = settings.text('repeat')
  if (text === undefined) return undefined
  const other = (['state', 'watch', 'replay', 'bail', 'max-failures'] as const).find(
    (name) => settings.source(name) !== undefined,
  )
  if (other !== undefined) throw new UsageError(`--repeat and --${other} do not go together: leave one of them out`)
  return wholeNumber('--repeat', text, 1, maxRepeats)
}

/** Longest `--repeat`. */
const maxRepeats = 1_000

/** A path leads to the same value only in one case with the same seed. */
function replayPathOf(settings: Settings): string | undefined {
  const path = settings.text('replay')
  if (path === undefined) return undefined
  if (!/^\d+(:\d+)*(\/\S+)?$/.test(path))
    throw new UsageError(`--replay ${path}: expected the path of a counterexample, such as 3:0:1`)
  const [one, another] = settings.list('case')
  if (settings.text('seed') === undefined || one === undefined || another !== undefined)
    throw new UsageError('--replay: give the --case and the --seed of the failure too')
  return path
}

/** Reads the options that choose cases. */
export function selectionOf(settings: Settings): Selection {
  const given = settings.text('level')
  const level = given === undefined ? undefined : oneOf('--level', given, levels)
  const shard = shardOf(settings)
  const grep = settings.text('grep')
  return {
    suites: settings.list('suite'),
    cases: settings.list('case'),
    requirements: settings.list('requirement'),
    exclude: settings.list('exclude'),
    ...(grep === undefined ? {} : { grep }),
    ...(level === undefined ? {} : { level }),
    ...(shard === undefined ? {} : { shard }),
  }
}

/** Options that select cases. */
const selecting = ['suite', 'case', 'requirement', 'exclude', 'grep', 'level', 'last-failed', 'shard'] as const

/** Returns the line for a selection that leaves no case: the options that made it, and the remedy. */
export function emptySelectionLine(settings: Settings): string {
  const given = selecting.flatMap((name) => {
    if (settings.source(name) === undefined) return []
    if (name === 'last-failed') return [`--${name}`]
    const values =
      name === 'grep' || name === 'level' || name === 'shard' ? [settings.text(name) ?? ''] : settings.list(name)
    return values.map((value) => `--${name} ${quoted(value)}`)
  })
  return `Nothing to run: ${given.join(' ')} ${given.length === 1 ? 'leaves' : 'leave'} no case; remove or widen ${given.length === 1 ? 'it' : 'one of them'} (conformance list shows every id)`
}

/** Options a case must see again to do the same; those in a file are found again by themselves. */
const repeated = ['retry-depth', 'runs', 'timeout', 'concurrency', 'max-rps', 'cases', 'config'] as const

/** Returns the line that reruns one case with the same data: `again` reaches the target and `after` ends the line. */
export function reproductionLine(options: {
  readonly settings: Settings
  readonly catalogue: readonly Pick<Case, 'id' | 'phase'>[]
  readonly again: string
  readonly after: string | undefined
  readonly caseId: string
  readonly seed: number
  /** Path of the counterexample, where a property failed. */
  readonly replayPath?: string | undefined
}): string {
  const { settings, catalogue, again, after, caseId, seed, replayPath } = options
  const words = [again.replace(/^conformance\b/, commandName())]
  for (const name of repeated) {
    const value = settings.text(name)
    if (value !== undefined && isGiven(settings, name)) words.push(`--${name} ${quoted(value)}`)
  }
  if (settings.isOn('no-config')) words.push('--no-config')
  if (!needsEveryCase(catalogue, [caseId])) words.push(`--case ${caseId}`)
  words.push(`--seed ${seed}`)
  if (replayPath !== undefined) words.push(`--replay ${quoted(replayPath)}`)
  if (after !== undefined) words.push(after)
  return words.join(' ')
}

/** Returns whether one of the cases judges what every other case has seen: alone it would see nothing. */
export function needsEveryCase(catalogue: readonly Pick<Case, 'id' | 'phase'>[], ids: readonly string[]): boolean {
  return catalogue.some(({ id, phase }) => phase === 'last' && ids.includes(id))
}
