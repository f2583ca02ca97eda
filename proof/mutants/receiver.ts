import type { RequirementId } from '../../spec/index.js'
import { receiverPolicy } from '../../reference/receiver/index.js'
import { defineMutant, type Mutant } from './define.js'
import { mutantsOf } from './read.js'
import * as helpers from './receiver/helpers.js'
import { verifierMutants } from './verifier.js'

/** A receiver around a verifier with one deviation. */
function verifying(verifierId: string, breaks: readonly [RequirementId, ...RequirementId[]]): Mutant<'receiver'> {
  const broken = verifierMutants.find((mutant) => mutant.id === `verifier/${verifierId}`)
  if (broken?.patch === undefined) throw new Error(`no patch verifier/${verifierId}`)
  return defineMutant({ id: `receiver/${verifierId}`, title: broken.title, breaks, patch: broken.patch })
}

/** Deviations of webhook endpoints that real teams have shipped. */
export const receiverMutants: readonly Mutant<'receiver'>[] = [
  ...mutantsOf('receiver', { policy: receiverPolicy, ...helpers }),
  verifying('accepts-stale', ['RCV-006']),
  verifying('parses-timestamps-leniently', ['RCV-031']),
  verifying('takes-any-timestamp', ['RCV-023']),
  verifying('looks-at-the-decoded-bytes', ['RCV-027']),
  verifying('gives-up-at-a-malformed-entry', ['RCV-010']),
  verifying('accepts-future', ['RCV-007']),
  verifying('tolerates-ten-minutes', ['RCV-006']),
  verifying('tolerates-one-minute', ['RCV-006']),
  verifying('does-not-sign-the-id', ['RCV-001', 'RCV-008']),
  verifying('uses-the-undecoded-secret', ['RCV-020', 'RCV-001']),
  verifying('looks-at-the-first-entry-only', ['RCV-010', 'RCV-011']),
  verifying('looks-at-the-last-entry-only', ['RCV-010', 'RCV-011']),
  verifying('ignores-the-version', ['RCV-011']),
  verifying('stops-at-unknown-versions', ['RCV-011']),
  verifying('compares-a-prefix', ['RCV-005']),
  verifying('leaves-letters-out-of-the-comparison', ['RCV-005']),
  verifying('compares-the-length', ['RCV-005', 'RCV-008', 'RCV-020']),
  verifying('takes-an-empty-signature', ['RCV-005']),
  verifying('takes-hexadecimal', ['RCV-005']),
  verifying('compares-without-case', ['RCV-005']),
  verifying('compares-hash-codes', ['RCV-005']),
  verifying('crashes-on-an-entry-without-a-comma', ['RCV-015']),
]
