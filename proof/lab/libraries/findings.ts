import type { CaseResult, Report } from '../../../harness/index.js'
import { requirements, type Level, type RequirementId } from '../../../spec/index.js'

/** A difference of a library to one sentence, in one direction. */
export interface Finding {
  readonly requirement: RequirementId
  readonly text: string
  readonly level: Level
  /** It accepts what it must not, or refuses what it must not; `other` where it is neither. */
  readonly side: 'accepts' | 'refuses' | 'other'
  /** The cases, the first of which is the plainest. */
  readonly cases: readonly { readonly id: string; readonly title: string }[]
}

/** Sentences on the contents of a refusal: a missing refusal violates another one. */
const ofRefusals: ReadonlySet<RequirementId> = new Set<RequirementId>(['VFY-022'])

/** What failed in a report, by sentence and direction; what must be before what should be. */
export function findingsOf({ cases }: Pick<Report, 'cases'>): readonly Finding[] {
  const groups = new Map<string, { -readonly [Key in keyof Finding]: Finding[Key] }>()
  for (const result of cases) {
    if (result.status !== 'failed') continue
    for (const requirement of result.violates ?? result.requirements) {
      const side = sideOf(result)
      if (side === 'accepts' && ofRefusals.has(requirement)) continue
      const key = `${requirement} ${side} ${result.level}`
      const { text } = requirements[requirement]
      const group = groups.get(key) ?? { requirement, text, level: result.level, side, cases: [] }
      groups.set(key, { ...group, cases: [...group.cases, { id: result.id, title: result.title }] })
    }
  }
  const sides: readonly Finding['side'][] = ['accepts', 'refuses', 'other']
  return [...groups.values()].toSorted(
    (a, b) =>
      a.level.localeCompare(b.level) ||
      sides.indexOf(a.side) - sides.indexOf(b.side) ||
      a.requirement.localeCompare(b.requirement),
  )
}

/** Derives the side from the first comparison that did not hold. */
function sideOf({ checks: [first] = [] }: CaseResult): Finding['side'] {
  if (first?.decided === undefined) return 'other'
  return first.decided === 'accepted' ? 'accepts' : 'refuses'
}
