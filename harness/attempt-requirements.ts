import type { RequirementId } from '../spec/index.js'

/** What says that attempt 1, 2, … is made, and when. */
export const attemptRequirements: readonly RequirementId[] = [
  'RTY-001',
  'RTY-002',
  'RTY-003',
  'RTY-004',
  'RTY-005',
  'RTY-006',
  'RTY-007',
]
