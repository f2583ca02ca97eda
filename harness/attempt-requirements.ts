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

/** Longest delay between two attempts, in milliseconds of real time: no timer is exact to the millisecond. */
export function latestAfter(delayMs: number): number {
  return 1.25 * delayMs + 3_000
}

/** Returns the requirement for attempt `number` (from 1) and its time; for an eighth attempt, the one that forbids it. */
export function attemptRequirement(number: number): RequirementId {
  return requirements[number - 1] ?? 'RTY-008'
}

/** Returns the requirements of the delays up to attempt `number`, which is due on time only if the attempts before it were. */
export function delaysBefore(number: number): RequirementId[] {
  return Array.from({ length: number - 1 }, (_, index) => attemptRequirement(index + 2))
}
