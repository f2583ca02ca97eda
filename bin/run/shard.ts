import type { Shard } from '../../harness/index.js'
import type { Settings } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import { readReport } from '../report/read-report.js'
import { invocation } from '../cli/invocation.js'

/** The variables in which a CI system gives a job its part, and the index of its first job. */
const systems = [
  { index: 'CI_NODE_INDEX', total: 'CI_NODE_TOTAL', first: 1 },
  { index: 'CIRCLE_NODE_INDEX', total: 'CIRCLE_NODE_TOTAL', first: 0 },
  { index: 'BUILDKITE_PARALLEL_JOB', total: 'BUILDKITE_PARALLEL_JOB_COUNT', first: 0 },
  { index: 'JOB_COMPLETION_INDEX', total: 'CONFORMANCE_SHARDS', first: 0 },
] as const

/** Reads `--shard` and `--shard-by`; undefined for a whole run. Throws `UsageError`. */
export function shardOf(settings: Settings): Shard | undefined {
  const text = settings.text('shard')
  const by = settings.path('shard-by')
  if (text === undefined) {
    if (by !== undefined) throw new UsageError('--shard-by balances shards: give --shard too')
    return undefined
  }
  const part = text === 'auto' ? partOfCi() : partOf(text)
  if (by === undefined) return part
  const { cases } = readReport(by, '--shard-by').report
  return { ...part, durations: new Map(cases.map(({ id, duration_ms }) => [id, duration_ms])) }
}

function partOf(text: string): Shard {
  const [, index, count] = (/^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? []).map(Number)
  if (index === undefined || count === undefined || index > count)
    throw new UsageError(`--shard ${text}: expected i/n with i from 1 to n, such as 2/4, or auto`)
  return { index, count }
}

function partOfCi(): Shard {
  const [found, second] = systems.filter(({ index, total }) => isSet(index) && isSet(total))
  if (found !== undefined && second !== undefined)
    throw new UsageError(
      `--shard auto: the variables of two CI systems are set (${found.index} and ${found.total}, ${second.index} and ${second.total}); unset one pair, or give --shard i/n`,
    )
  if (found === undefined)
    throw new UsageError(
      `--shard auto: no CI system tells this job its part (${systems.map(({ index, total }) => `${index} and ${total}`).join(', ')}); set one pair, or give --shard i/n`,
    )
  const { index, total, first } = found
  const part = { index: wholeNumber(index) - first + 1, count: wholeNumber(total) }
  if (part.index < 1 || part.index > part.count)
    throw new UsageError(
      `--shard auto: ${index}=${invocation().env[index]} of ${total}=${invocation().env[total]}: expected ${first} to ${part.count - 1 + first}`,
    )
  return part
}

function isSet(name: string): boolean {
  return (invocation().env[name] ?? '') !== ''
}

function wholeNumber(name: string): number {
  const text = invocation().env[name] ?? ''
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--shard auto: ${name}=${text}: expected a whole number`)
  return Number(text)
}
