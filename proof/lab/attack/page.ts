import { randomKind } from './random-targets.js'
import type { SuiteEnd } from './suites.js'
import type { TrialEnd } from './targets.js'

/** A trial that was put, or not for lack of time. */
export interface AttackTrial {
  readonly kind: string
  readonly name: string
  readonly end: TrialEnd | undefined
}

/** Resident memory a run may take, in MiB. */
const maxMb = 400

/** Whether the program ended by itself, with an exit code of its own and a report, in the memory it may take. */
export function isWithinLimits({ code, peakMb, report, isRefusal = false, problem }: TrialEnd): boolean {
  return code >= 0 && code <= 3 && (report !== undefined || isRefusal) && peakMb < maxMb && problem === undefined
}

/** Formats the figures of a campaign for the page. */
export function pageOf(trials: readonly AttackTrial[], suites: readonly SuiteEnd[], where: string): string {
  const kinds = [...new Set(trials.map(({ kind }) => kind))]
  return [
    `Taken ${where}.`,
    table(
      ['Tried', 'Tests', 'Failed', 'Seconds'],
      suites.map(({ title, tests, failed, seconds }) => [title, tests, failed, seconds]),
    ),
    table(
      ['Hostile', 'Tried', 'Not held', 'Most MB', 'Longest run, s', 'Bytes they sent'],
      kinds.map((kind) =>
        summary(
          kind,
          trials.filter((trial) => trial.kind === kind),
        ),
      ),
    ),
    'Each target that was tried; of the random ones, those that did not hold:',
    table(
      ['Hostile', 'By', 'Exit', 's', 'MB', 'Bytes sent'],
      trials.flatMap(({ kind, name, end }) =>
        end === undefined || (kind.startsWith(randomKind) && isWithinLimits(end))
          ? []
          : [
              [
                kind,
                name,
                end.code,
                (end.durationMs / 1_000).toFixed(1),
                end.peakMb,
                end.bytes?.toLocaleString('en') ?? '',
              ],
            ],
      ),
    ),
  ].join('\n\n')
}

function summary(kind: string, trials: readonly AttackTrial[]): (string | number)[] {
  const ends = trials.flatMap(({ end }) => end ?? [])
  const most = (of: (end: TrialEnd) => number) => Math.max(0, ...ends.map(of))
  return [
    kind,
    `${ends.length} of ${trials.length}`,
    ends.filter((end) => !isWithinLimits(end)).length,
    most(({ peakMb }) => peakMb),
    (most(({ durationMs }) => durationMs) / 1_000).toFixed(1),
    ends.reduce((sum, { bytes = 0 }) => sum + bytes, 0).toLocaleString('en'),
  ]
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
