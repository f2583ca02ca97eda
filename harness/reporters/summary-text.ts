import { counted } from '../counted.js'
import type { Report } from '../result.js'

/** The cases as counts that add up, in one line. */
export function casesText({ summary: { cases } }: Pick<Report, 'summary'>): string {
  const { passed, failed, errored, skipped, known_failures: known, not_reached: left = 0 } = cases
  return [
    `${passed} passed`,
    `${failed} failed${known > 0 ? ` (${known} known)` : ''}`,
    `${errored} errored`,
    `${skipped} skipped${left > 0 ? ` (${left} not reached)` : ''}`,
  ].join(', ')
}

/** The requirements as counts, in one line. */
export function requirementsText({ summary: { requirements } }: Pick<Report, 'summary'>): string {
  const { verified, violated, unverified, in_part: part = 0, not_in_depth: shallow = 0 } = requirements
  const withoutStricter = shallow > 0 ? ` (${shallow} without ${shallow === 1 ? 'its' : 'their'} stricter cases)` : ''
  return `${verified} verified${withoutStricter}, ${violated} violated, ${unverified} not verified${part > 0 ? ` (${part} checked in part)` : ''}`
}

/** Returns the addition to the verdict that shows forgiven failures: `with 2 known failures`. */
export function verdictAddition({ summary: { cases } }: Pick<Report, 'summary'>): string {
  const known = cases.known_failures
  return known === 0 ? '' : `, with ${counted(known, 'known failure')}`
}

/** Returns the seed after other facts; empty if no random value was drawn, as with traffic. */
export function seedText({ subject, seed }: SeedOf): string {
  return subject.kind === 'traffic' ? '' : `, seed ${seed}`
}

interface SeedOf {
  readonly subject: { readonly kind: string }
  readonly seed: number
}
