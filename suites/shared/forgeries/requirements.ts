import type { RequirementId } from '../../../spec/index.js'
import type { ForgeryGroup } from './forgery.js'

/** The sentence that a group breaks, by the kind of subject. */
export const requirementsOfGroups: Readonly<
  Record<ForgeryGroup, { readonly receiver: RequirementId; readonly verifier: RequirementId }>
> = {
  'missing-id': { receiver: 'RCV-004', verifier: 'VFY-008' },
  'missing-timestamp': { receiver: 'RCV-004', verifier: 'VFY-008' },
  'missing-signature': { receiver: 'RCV-004', verifier: 'VFY-008' },
  'wrong-value': { receiver: 'RCV-005', verifier: 'VFY-009' },
  'part-of-value': { receiver: 'RCV-005', verifier: 'VFY-009' },
  'other-key': { receiver: 'RCV-020', verifier: 'VFY-002' },
  'other-hash': { receiver: 'RCV-005', verifier: 'VFY-003' },
  'other-content': { receiver: 'RCV-008', verifier: 'VFY-001' },
  changed: { receiver: 'RCV-008', verifier: 'VFY-001' },
  'hostile-body': { receiver: 'RCV-009', verifier: 'VFY-005' },
  version: { receiver: 'RCV-011', verifier: 'VFY-010' },
  'loose-entry': { receiver: 'RCV-027', verifier: 'VFY-021' },
  'malformed-signature': { receiver: 'RCV-005', verifier: 'VFY-009' },
  'respelled-timestamp': { receiver: 'RCV-031', verifier: 'VFY-023' },
  'malformed-timestamp': { receiver: 'RCV-023', verifier: 'VFY-012' },
  stale: { receiver: 'RCV-006', verifier: 'VFY-006' },
  future: { receiver: 'RCV-007', verifier: 'VFY-007' },
  several: { receiver: 'RCV-010', verifier: 'VFY-004' },
  'beside-malformed': { receiver: 'RCV-010', verifier: 'VFY-004' },
  beside: { receiver: 'RCV-011', verifier: 'VFY-010' },
}
