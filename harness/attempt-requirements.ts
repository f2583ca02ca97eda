import type { RequirementId } from '../spec/index.js'

const requirements: readonly RequirementId[] = [
  'RTY-001',
  'RTY-002',
  'RTY-003',
  'RTY-004',
  'RTY-005',
  'RTY-006',
  'RTY-007',
]

/** An attempt may begin so long after the end of the one before, in milliseconds of real time: no sender is woken on the millisecond. */
export function latestAfter(delayMs: number): number {
  return 1.25 * delayMs + 3_000
}

/** What says that attempt `number` (from 1) is made, and when; for an eighth, that there is none. */
export function attemptRequirement(number: number): RequirementId {
  return requirements[number - 1] ?? 'RTY-008'
}

/** The delays up to attempt `number`: when it is due is known where those before came in their time. */
export function delaysBefore(number: number): RequirementId[] {
  return Array.from({ length: number - 1 }, (_, index) => attemptRequirement(index + 2))
}
