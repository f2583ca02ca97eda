import type { RequirementId } from '../../spec/index.js'
import { receiverPolicy, type ReceiverPolicy } from '../receiver/index.js'
import { verifierPolicy } from '../verifier/index.js'
import type { Mutant } from './mutant.js'
import { verifierMutants } from './verifier.js'

export type ReceiverMutant = Mutant<ReceiverPolicy>

function mutant(
  id: string,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  policy: Partial<ReceiverPolicy>,
): ReceiverMutant {
  return { id: `receiver/${id}`, title, breaks, policy }
}

/** A receiver around a verifier with one deviation. */
function verifying(verifierId: string, breaks: readonly [RequirementId, ...RequirementId[]]): ReceiverMutant {
  const broken = verifierMutants.find((each) => each.id === `verifier/${verifierId}`)
  if (broken === undefined) throw new Error(`no mutant verifier/${verifierId}`)
  return mutant(verifierId, broken.title, breaks, { verifier: { ...verifierPolicy, ...broken.policy } })
}

const knownTypes = new Set([
  'message.received',
  'message.queued',
  'message.delivered',
  'message.deferred',
  'message.bounced',
  'message.complained',
  'message.failed',
  'sending.paused',
  'sending.resumed',
])
const knownFields = new Set(['id', 'type', 'timestamp', 'data'])
const { refusedStatus } = receiverPolicy

/** Deviations of webhook endpoints that real teams have shipped. */
export const receiverMutants: readonly ReceiverMutant[] = [
  mutant(
    'verifies-nothing',
    'no signature is checked',
    ['RCV-004', 'RCV-005', 'RCV-006', 'RCV-007', 'RCV-008', 'RCV-011', 'RCV-015', 'RCV-020'],
    { verifies: () => false },
  ),
  mutant('refuses-everything', 'every delivery is refused', ['RCV-001'], {
    verifier: { ...verifierPolicy, isMac: () => false },
  }),
  mutant('opens-without-a-signature', 'a delivery without a signature header is not checked', ['RCV-004'], {
    verifies: ({ headers }) => headers['webhook-signature'] !== undefined,
  }),
  mutant('opens-without-an-id', 'a delivery without an id is not checked', ['RCV-004'], {
    verifies: ({ headers }) => headers['webhook-id'] !== undefined,
  }),
  mutant('opens-without-a-timestamp', 'a delivery without a timestamp is not checked', ['RCV-004'], {
    verifies: ({ headers }) => headers['webhook-timestamp'] !== undefined,
  }),
  mutant('reserializes-the-body', 'the framework parses the body, and what is verified is written anew', ['RCV-009'], {
    verifiedBody: ({ body }) => {
      try {
        return Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'))))
      } catch {
        return body
      }
    },
  }),
  mutant('trims-the-body', 'blanks around the body are cut off', ['RCV-009'], {
    verifiedBody: ({ body }) => Buffer.from(body.toString('utf8').trim()),
  }),
  mutant('reads-the-body-as-latin-1', 'the body is read as Latin-1', ['RCV-009'], {
    verifiedBody: ({ body }) => Buffer.from(body.toString('latin1')),
  }),
  verifying('accepts-stale', ['RCV-006']),
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
  verifying('compares-the-length', ['RCV-005', 'RCV-008', 'RCV-020']),
  verifying('takes-an-empty-signature', ['RCV-005', 'RCV-015']),
  verifying('takes-hexadecimal', ['RCV-005']),
  verifying('compares-without-case', ['RCV-005']),
  verifying('crashes-on-an-entry-without-a-comma', ['RCV-015']),
  mutant('answers-500-to-a-bad-signature', 'a refusal is a server error', ['RCV-005', 'RCV-015'], {
    refusedStatus: () => 500,
  }),
  mutant('answers-500-to-a-missing-header', 'a missing header is a server error', ['RCV-004'], {
    refusedStatus: (code) => (code === 'missing_header' ? 500 : refusedStatus(code)),
  }),
  mutant('answers-500-to-malformed-headers', 'a malformed header is a server error', ['RCV-015'], {
    refusedStatus: (code) => (code.startsWith('malformed_') ? 500 : refusedStatus(code)),
  }),
  mutant(
    'answers-200-to-a-bad-signature',
    'a refusal is logged and answered with 200',
    ['RCV-005', 'RCV-008', 'RCV-020'],
    { refusedStatus: () => 200 },
  ),
  mutant('refuses-with-418', 'a refusal has a status that says nothing', ['RCV-021'], { refusedStatus: () => 418 }),
  mutant('refuses-duplicates-with-409', 'an event that was taken before is answered with 409', ['RCV-012'], {
    duplicateStatus: 409,
  }),
  mutant('fails-on-duplicates', 'an event that was taken before is a server error', ['RCV-012'], {
    duplicateStatus: 500,
  }),
  mutant(
    'remembers-forged-ids',
    'the id of a forged delivery makes the real one a refused duplicate',
    ['RCV-012', 'RCV-016'],
    { remembersId: 'when-received', duplicateStatus: 409 },
  ),
  mutant('redirects', 'deliveries are redirected', ['RCV-003'], { acceptedStatus: 307 }),
  mutant('answers-300', 'deliveries are answered with a status beside 2xx', ['RCV-001'], { acceptedStatus: 400 }),
  mutant('refuses-unknown-types', 'an unknown event type is refused', ['RCV-014'], {
    refusesEvent: (event) => (knownTypes.has(String(event['type'])) ? undefined : 422),
  }),
  mutant('fails-on-unknown-types', 'an unknown event type is a server error', ['RCV-014'], {
    refusesEvent: (event) => (knownTypes.has(String(event['type'])) ? undefined : 500),
  }),
  mutant('refuses-unknown-fields', 'a field beyond the four is refused', ['RCV-014'], {
    refusesEvent: (event) => (Object.keys(event).every((name) => knownFields.has(name)) ? undefined : 400),
  }),
  mutant('takes-received-mail-only', 'every type but message.received is refused', ['RCV-013', 'RCV-014'], {
    refusesEvent: (event) => (event['type'] === 'message.received' ? undefined : 400),
  }),
  mutant('fails-without-a-message', 'data without a message_id is a server error', ['RCV-013'], {
    refusesEvent: (event) =>
      typeof (event['data'] as { message_id?: unknown } | undefined)?.message_id === 'string' ? undefined : 500,
  }),
  mutant('refuses-large-bodies', 'a body beyond 32 KB is refused', ['RCV-018'], { maxBodyBytes: 32 * 1024 }),
  mutant('reads-no-chunks', 'a body without a length is read as empty', ['RCV-022'], { readsChunked: false }),
  mutant('locks-up-after-an-attack', 'after ten refusals in a row everything is refused', ['RCV-016'], {
    locksAfter: 10,
  }),
  mutant('takes-one-at-a-time', 'a second delivery at once is answered with 503', ['RCV-017'], {
    maxAtOnce: 1,
    answerAfterMs: 20,
  }),
  mutant('answers-too-late', 'the answer takes more than 10 seconds', ['RCV-002'], { answerAfterMs: 10_500 }),
]
