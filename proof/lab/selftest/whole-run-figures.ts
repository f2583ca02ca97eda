// Figures that need a run of every case on every mutant.
import type { MutantResult } from './judge.js'

/** How many requirements mutants violate in addition to those they break: one bug should be one failure. */
export interface FurtherViolations {
  readonly median: number
  readonly p95: number
  readonly worst: number
  /** The mutant that is the worst. */
  readonly mutant: string
}

/** Mutants that one case kills and no other, each with that case. */
export function killedAlone(
  results: readonly MutantResult[],
): readonly { readonly mutant: string; readonly case: string }[] {
  return results.flatMap(({ id, verdict, killedBy: [only, other] }) =>
    verdict === 'killed' && only !== undefined && other === undefined ? [{ mutant: id, case: only }] : [],
  )
}

/** Undefined where there are no mutants. */
export function furtherViolations(results: readonly MutantResult[]): FurtherViolations | undefined {
  const sorted = results.toSorted((one, other) => one.alsoViolates.length - other.alsoViolates.length)
  const worst = sorted.at(-1)
  if (worst === undefined) return undefined
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  const count = (of: MutantResult | undefined) => of?.alsoViolates.length ?? 0
  return { median: count(at(0.5)), p95: count(at(0.95)), worst: count(worst), mutant: worst.id }
}

/** The same as lines of text. */
export function linesOfWhole(results: readonly MutantResult[]): readonly string[] {
  const alone = killedAlone(results)
  const further = furtherViolations(results)
  return [
    ...alone.map((kill) => `ALONE  ${kill.mutant}  by ${kill.case}`),
    `${alone.length} mutants killed by one case alone`,
    ...(further === undefined
      ? []
      : [
          `other requirements violated: ${further.median} at the median, ${further.p95} at the 95th percentile, ${further.worst} at worst (${further.mutant})`,
        ]),
  ]
}
