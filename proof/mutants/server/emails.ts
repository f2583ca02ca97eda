import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Deviations in sending emails. */
export const emailsMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/answers-a-send-without-id',
    title: 'a send is answered with a message and no id',
    breaks: ['SND-001'],
    policy: {
      sendAnswer: () => ({ status: 200, body: { message: 'queued' } }),
    },
  }),
  defineMutant({
    id: 'server/refuses-display-names',
    title: 'from must be a bare address',
    breaks: ['SND-002'],
    policy: {
      parseSender: (from) => (from.includes('<') ? undefined : defaultPolicy.parseSender(from)),
    },
  }),
  defineMutant({
    id: 'server/refuses-one-address-as-text',
    title: 'to must be a list',
    breaks: ['SND-003'],
    policy: {
      recipientList: (to) => (Array.isArray(to) ? defaultPolicy.recipientList(to) : undefined),
    },
  }),
  defineMutant({
    id: 'server/answers-a-batch-with-a-list',
    title: 'a batch is answered with a bare list',
    breaks: ['SND-004'],
    policy: {
      batchAnswer: (ids) => ({ status: 200, body: ids.map((id) => ({ id })) }),
    },
  }),
  defineMutant({
    id: 'server/limits-batches-to-fifty',
    title: 'a batch has at most 50 emails',
    breaks: ['SND-005'],
    policy: { maxBatchSize: 50 },
  }),
  defineMutant({
    id: 'server/limits-batches-to-99',
    title: 'the limit of a batch is off by one',
    breaks: ['SND-005'],
    policy: { maxBatchSize: 99 },
  }),
  defineMutant({
    id: 'server/takes-batches-of-101',
    title: 'a batch may have more than 100 emails',
    breaks: ['SND-005'],
    policy: { maxBatchSize: 1_000 },
  }),
  defineMutant({
    id: 'server/drops-bad-items-in-silence',
    title: 'silently drops invalid items of a batch',
    breaks: ['SND-006'],
    policy: {
      batchMode: () => 'permissive',
      batchAnswer: (ids) => ({ status: 200, body: { data: ids.map((id) => ({ id })) } }),
    },
  }),
  defineMutant({
    id: 'server/tells-no-errors-of-a-permissive-batch',
    title: 'the answer to a permissive batch has no errors',
    breaks: ['SND-015'],
    policy: {
      batchAnswer: (ids) => ({ status: 200, body: { data: ids.map((id) => ({ id })) } }),
    },
  }),
  defineMutant({
    id: 'server/answers-an-empty-batch-with-null',
    title: 'an empty batch is accepted, and data of its answer is null',
    breaks: ['SND-004'],
    policy: {
      emptyBatch: 'accept',
      batchAnswer: (ids, errors) =>
        ids.length + errors.length === 0
          ? { status: 200, body: { data: null } }
          : defaultPolicy.batchAnswer(ids, errors),
    },
  }),
  defineMutant({
    id: 'server/shows-no-recipients',
    title: 'an email is shown without recipients',
    breaks: ['SND-007'],
    policy: {
      shownEmail: (email) => ({ ...defaultPolicy.shownEmail(email), recipients: undefined }),
    },
  }),
  defineMutant({
    id: 'server/shows-no-status',
    title: 'an email is shown without a status',
    breaks: ['SND-007'],
    policy: {
      shownEmail: (email) => ({ ...defaultPolicy.shownEmail(email), status: undefined }),
    },
  }),
  defineMutant({
    id: 'server/lists-emails-without-a-cursor',
    title: 'the list of emails has no next_cursor',
    breaks: ['SND-008', 'SND-009'],
    policy: {
      emailListEnvelope: (items) => ({ data: items }),
    },
  }),
  defineMutant({
    id: 'server/ends-the-list-early',
    title: 'next_cursor is null after the first page',
    breaks: ['SND-009'],
    policy: { nextCursor: () => null },
  }),
  defineMutant({
    id: 'server/cancels-without-an-answer',
    title: 'a cancel answers 204 and nothing',
    breaks: ['SND-011'],
    policy: {
      cancelAnswer: () => ({ status: 200, body: {} }),
    },
  }),
  defineMutant({
    id: 'server/lets-anyone-send',
    title: 'any domain may send',
    breaks: ['SND-012'],
    policy: { senderAllowed: () => true },
  }),
  defineMutant({
    id: 'server/checks-the-end-of-the-domain',
    title: 'a domain that ends like a verified one may send',
    breaks: ['SND-012'],
    policy: {
      senderAllowed: (domain, verified) => verified.some((known) => domain.endsWith(known)),
    },
  }),
  defineMutant({
    id: 'server/checks-that-the-domain-is-contained',
    title: 'a domain that begins like a verified one may send',
    breaks: ['SND-012'],
    policy: {
      senderAllowed: (domain, verified) => verified.some((known) => domain.startsWith(known) || domain === known),
    },
  }),
  defineMutant({
    id: 'server/trusts-sister-domains',
    title: 'any domain of the service may be sent from',
    breaks: ['SND-012'],
    policy: {
      senderAllowed: (domain) => domain.endsWith('.mail.example'),
    },
  }),
  defineMutant({
    id: 'server/refuses-senders-with-422',
    title: 'an unverified sender is refused with 422',
    breaks: ['SND-012'],
    policy: {
      senderRefusal: { status: 422, code: 'sender_not_verified' },
    },
  }),
  defineMutant({
    id: 'server/refuses-senders-with-another-code',
    title: 'an unverified sender is refused with another code',
    breaks: ['SND-012'],
    policy: {
      senderRefusal: { status: 403, code: 'forbidden' },
    },
  }),
  defineMutant({
    id: 'server/refuses-long-display-names',
    title: 'a display name has thirty letters at most',
    breaks: ['SND-002'],
    policy: {
      parseSender: (from) => (/^[^<]{32,}</.test(from) ? undefined : defaultPolicy.parseSender(from)),
    },
  }),
  defineMutant({
    id: 'server/shows-scheduled-emails-without-recipients',
    title: 'an email that waits for its time is shown without its recipients',
    breaks: ['SND-007'],
    policy: {
      shownEmail: (email) => {
        const { recipients, ...rest } = defaultPolicy.shownEmail(email)
        return email.scheduledAt === null ? { ...rest, recipients } : rest
      },
    },
  }),
  defineMutant({
    id: 'server/knows-names-of-ascii',
    title: 'a display name with other letters than those of ASCII is refused',
    breaks: ['SND-002'],
    policy: {
      parseSender: (from) => (/^[\x20-\x7e]*$/.test(from) ? defaultPolicy.parseSender(from) : undefined),
    },
  }),
  defineMutant({
    id: 'server/sends-what-is-due-within-half-a-minute',
    title: 'scheduled emails are sent up to half a minute early',
    breaks: ['SND-013', 'SND-010'],
    policy: { sendTime: (at, now) => (at === null ? now : at - 30_000) },
  }),
  defineMutant({
    id: 'server/reschedules-without-object',
    title: 'a reschedule answers only the id',
    breaks: ['SND-010'],
    policy: {
      rescheduleAnswer: (id) => ({ status: 200, body: { id } }),
    },
  }),
  defineMutant({
    id: 'server/never-sends-scheduled-emails',
    title: 'a scheduled email is never sent',
    breaks: ['SND-016'],
    policy: { sendTime: (scheduled, now) => (scheduled === null ? now : now + 315_360_000_000) },
  }),
  defineMutant({
    id: 'server/hides-the-time-of-scheduled-emails',
    title: 'an email is shown without its scheduled_at',
    breaks: ['SND-018'],
    policy: {
      shownEmail: (email) => ({ ...defaultPolicy.shownEmail(email), scheduled_at: undefined }),
    },
  }),
  defineMutant({
    id: 'server/shows-another-time-of-scheduled-emails',
    title: 'scheduled_at is shown in another zone, as UTC',
    breaks: ['SND-018'],
    policy: {
      shownEmail: (email) => ({
        ...defaultPolicy.shownEmail(email),
        scheduled_at: email.scheduledAt === null ? null : new Date(email.scheduledAt + 7_200_000).toISOString(),
      }),
    },
  }),
]
