import type { RequirementId } from '../../spec/index.js'
import { receiverPolicy } from '../../reference/receiver/index.js'
import { defineMutant, type Mutant } from './define.js'
import { mutantsOf } from './read.js'
import { verifierMutants } from './verifier.js'

/** A receiver around a verifier with one deviation. */
function verifying(verifierId: string, breaks: readonly [RequirementId, ...RequirementId[]]): Mutant<'receiver'> {
  const broken = verifierMutants.find((mutant) => mutant.id === `verifier/${verifierId}`)
  if (broken?.patch === undefined) throw new Error(`no patch verifier/${verifierId}`)
  return defineMutant({ id: `receiver/${verifierId}`, title: broken.title, breaks, patch: broken.patch })
}

type Data = Readonly<Record<string, unknown>>

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
export const receiverMutants: readonly Mutant<'receiver'>[] = [
  ...mutantsOf('receiver'),
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
  defineMutant({
    id: 'receiver/answers-500-to-a-bad-signature',
    title: 'every refusal is a 500',
    breaks: ['RCV-015', 'RCV-021'],
    policy: {
      refusedStatus: () => 500,
    },
  }),
  defineMutant({
    id: 'receiver/answers-500-to-a-missing-header',
    title: 'a missing header gets a 500',
    breaks: ['RCV-021'],
    policy: {
      refusedStatus: (code) => (code === 'missing_header' ? 500 : refusedStatus(code)),
    },
  }),
  defineMutant({
    id: 'receiver/answers-500-to-malformed-headers',
    title: 'a malformed header gets a 500',
    breaks: ['RCV-015'],
    policy: {
      refusedStatus: (code) => (code.startsWith('malformed_') ? 500 : refusedStatus(code)),
    },
  }),
  defineMutant({
    id: 'receiver/answers-200-to-a-bad-signature',
    title: 'a refusal is logged and answered with 200',
    breaks: ['RCV-005', 'RCV-008', 'RCV-020'],
    policy: { refusedStatus: () => 200 },
  }),
  defineMutant({
    id: 'receiver/refuses-with-a-redirect',
    title: 'a refusal is a redirect to another page',
    breaks: ['RCV-015', 'RCV-021'],
    policy: { refusedStatus: () => 302 },
  }),
  defineMutant({
    id: 'receiver/refuses-duplicates-with-409',
    title: 'an event that was accepted before is answered with 409',
    breaks: ['RCV-012'],
    policy: {
      duplicateStatus: 409,
    },
  }),
  defineMutant({
    id: 'receiver/fails-on-duplicates',
    title: 'a repeated event gets a 500',
    breaks: ['RCV-012'],
    policy: {
      duplicateStatus: 500,
    },
  }),
  defineMutant({
    id: 'receiver/fails-on-names-beyond-ascii',
    title: "a sender's name outside ASCII gets a 500",
    breaks: ['RCV-009'],
    policy: {
      refusesEvent: (event) => {
        const from = (event['data'] as { from?: unknown } | undefined)?.from
        return typeof from === 'string' && /[^\0-\x7f]/.test(from) ? 500 : undefined
      },
    },
  }),
  defineMutant({
    id: 'receiver/redirects',
    title: 'deliveries are redirected',
    breaks: ['RCV-003'],
    policy: { acceptedStatus: 307, answer: () => ({ headers: { location: '/elsewhere' }, body: '' }) },
  }),
  defineMutant({
    id: 'receiver/answers-300',
    title: 'answers deliveries with a status outside 2xx',
    breaks: ['RCV-001'],
    policy: { acceptedStatus: 400 },
  }),
  defineMutant({
    id: 'receiver/refuses-unknown-types',
    title: 'an unknown event type is refused',
    breaks: ['RCV-014'],
    policy: {
      refusesEvent: (event) => (knownTypes.has(String(event['type'])) ? undefined : 422),
    },
  }),
  defineMutant({
    id: 'receiver/fails-on-unknown-types',
    title: 'an unknown event type gets a 500',
    breaks: ['RCV-014'],
    policy: {
      refusesEvent: (event) => (knownTypes.has(String(event['type'])) ? undefined : 500),
    },
  }),
  defineMutant({
    id: 'receiver/refuses-unknown-fields',
    title: 'an event with an unknown field is refused',
    breaks: ['RCV-014'],
    policy: {
      refusesEvent: (event) => (Object.keys(event).every((name) => knownFields.has(name)) ? undefined : 400),
    },
  }),
  defineMutant({
    id: 'receiver/takes-received-mail-only',
    title: 'every type but message.received is refused',
    breaks: ['RCV-013', 'RCV-014'],
    policy: {
      refusesEvent: (event) => (event['type'] === 'message.received' ? undefined : 400),
    },
  }),
  defineMutant({
    id: 'receiver/fails-without-a-message',
    title: 'data without a message_id gets a 500',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: (event) =>
        typeof (event['data'] as { message_id?: unknown } | undefined)?.message_id === 'string' ? undefined : 500,
    },
  }),
  defineMutant({
    id: 'receiver/refuses-empty-subjects',
    title: 'mail without a subject is refused',
    breaks: ['RCV-013'],
    policy: { refusesEvent: ({ data }) => ((data as Data | undefined)?.['subject'] === '' ? 422 : undefined) },
  }),
  defineMutant({
    id: 'receiver/fails-on-several-recipients',
    title: 'a message to several recipients gets a 500',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data }) =>
        (((data as Data | undefined)?.['to'] as unknown[] | undefined)?.length ?? 1) > 1 ? 500 : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/refuses-replies-of-several-lines',
    title: "a remote server's reply of several lines is refused",
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data }) => (/\n/.test(String((data as Data | undefined)?.['response'])) ? 400 : undefined),
    },
  }),
  defineMutant({
    id: 'receiver/wants-numbers-of-a-pause',
    title: 'a pause whose `stats` are empty gets a 500',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data, type }) =>
        type === 'sending.paused' && Object.keys(((data as Data)['stats'] ?? {}) as Data).length === 0
          ? 500
          : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/knows-hard-bounces-alone',
    title: 'a bounce that is not permanent is refused',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data, type }) =>
        type === 'message.bounced' && (data as Data)['permanent'] !== true ? 422 : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/reads-no-whole-seconds',
    title: 'an event at a whole second gets a 500',
    breaks: ['RCV-013'],
    policy: { refusesEvent: ({ timestamp }) => (String(timestamp).endsWith('.000Z') ? 500 : undefined) },
  }),
  defineMutant({
    id: 'receiver/knows-its-statuses',
    title: 'a message whose status differs from its event type is refused',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data, type }) =>
        /^message\.(delivered|deferred|bounced|complained)$/.test(String(type)) &&
        `message.${String((data as Data)['status'])}` !== type
          ? 422
          : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/fails-on-unknown-nulls',
    title: 'an unknown field with the value null gets a 500',
    breaks: ['RCV-014'],
    policy: {
      refusesEvent: ({ data }) =>
        Object.entries((data ?? {}) as Data).some(([name, value]) => value === null && name !== 'bounce_classification')
          ? 500
          : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/keeps-255-characters',
    title: 'a sender of more than 255 characters gets a 500',
    breaks: ['RCV-018'],
    policy: {
      refusesEvent: ({ data }) => (String((data as Data | undefined)?.['from'] ?? '').length > 255 ? 500 : undefined),
    },
  }),
  defineMutant({
    id: 'receiver/refuses-large-bodies',
    title: 'a body of more than 32 KB is refused',
    breaks: ['RCV-018'],
    policy: { maxBodyBytes: 32 * 1024 },
  }),
  defineMutant({
    id: 'receiver/insists-on-no-charset',
    title: 'a content type with a charset is refused',
    breaks: ['RCV-028'],
    policy: {
      refusesEvent: (_event, { headers }) => (/charset/.test(headers['content-type'] ?? '') ? 415 : undefined),
    },
  }),
]
