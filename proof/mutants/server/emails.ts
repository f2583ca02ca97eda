import type { Patch } from '../../patching/patch.js'
import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Refuses a batch, but sends its `items` anyway. */
const sendingOfARefusedBatch = (items: string): Patch => ({
  file: 'server/api/routes-emails.ts',
  find: 'throw invalidBatch(errors, inputs.length + errors.length, policy)',
  replace: `{
  mail.send(${items}, key)
  const refusal = invalidBatch(errors, inputs.length + errors.length, policy)
  return { status: refusal.status, body: policy.errorBody(refusal) }
}`,
})

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
    id: 'server/tells-the-first-bad-item-only',
    title: 'errors of invalid_batch has the first bad item only',
    breaks: ['SND-006'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'throw invalidBatch(errors,',
        replace: 'throw invalidBatch(errors.slice(0, 1),',
      },
    ],
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
    id: 'server/sends-the-good-items-of-a-refused-batch',
    title: 'a refused batch sends its good items',
    breaks: ['SND-006'],
    patch: [sendingOfARefusedBatch('inputs')],
  }),
  defineMutant({
    id: 'server/sends-the-scheduled-items-of-a-refused-batch',
    title: 'keeps the valid scheduled items of a refused batch, and sends them later',
    breaks: ['SND-006'],
    patch: [sendingOfARefusedBatch('inputs.filter((each) => each.scheduledAt !== null)')],
  }),
  defineMutant({
    id: 'server/pages-through-emails-by-the-time-they-were-taken',
    title: 'begins a page of emails after a moment, and skips others of that moment',
    breaks: ['SND-009'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'const found = emails.list({ orgId: key.orgId, inboxId: key.inboxId, before, limit: limit + 1 })',
        replace: `const last = before === undefined ? undefined : emails.get(before)
const found = emails
  .list({ orgId: key.orgId, inboxId: key.inboxId, before, limit: 1000 })
  .filter((each) => each.createdAt !== last?.createdAt)
  .slice(0, limit + 1)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/tells-ten-bad-items-at-most',
    title: 'errors of invalid_batch has ten entries at most',
    breaks: ['SND-006'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'throw invalidBatch(errors,',
        replace: 'throw invalidBatch(errors.slice(0, 10),',
      },
    ],
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
    id: 'server/answers-a-batch-with-one-id',
    title: 'each entry of data has the id of the first email',
    breaks: ['SND-004'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'policy.batchAnswer(mail.send(inputs, key), errors)',
        replace: 'policy.batchAnswer(mail.send(inputs, key).map((_, index, all) => all[0]), errors)',
      },
    ],
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
    id: 'server/repeats-an-email-between-pages',
    title: 'the last email of a page is the first of the next',
    breaks: ['SND-009'],
    patch: [
      {
        file: 'server/store/email-store.ts',
        find: 'const list = store.prepare',
        replace: `const withCursor = (sql) => store.prepare(sql.replace('id < ?3', 'id <= ?3'))
const list = withCursor`,
      },
    ],
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
    id: 'server/cancels-nothing-in-the-last-second',
    title: 'sends an email that was cancelled within its last second',
    breaks: ['SND-014'],
    patch: [
      {
        file: 'server/mail.ts',
        find: "emails.update({ ...email, status: 'canceled', recipients }, null)",
        replace:
          "emails.update({ ...email, status: 'canceled', recipients }, email.scheduledAt - queues.now(email.workspaceId) < 1_000 ? email.scheduledAt : null)",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-cancelled-emails',
    title: 'sends a cancelled email',
    breaks: ['SND-014'],
    patch: [
      {
        file: 'server/mail.ts',
        find: "emails.update({ ...email, status: 'canceled', recipients }, null)",
        replace: "emails.update({ ...email, status: 'canceled', recipients }, email.scheduledAt)",
      },
    ],
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
    id: 'server/sends-half-of-a-large-batch',
    title: 'of a batch the first fifty are sent, though all have ids',
    breaks: ['SND-004'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'inputs.map((input) => accept(input, key, now))',
        replace:
          'inputs.map((input, index) => accept(index < 50 ? input : { ...input, scheduledAt: now + 864_000_000_000 }, key, now))',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-nothing-of-a-permissive-batch',
    title: 'a permissive batch with bad items answers ids and sends nothing',
    breaks: ['SND-015'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'policy.batchAnswer(mail.send(inputs, key), errors)',
        replace: "policy.batchAnswer(errors.length > 0 ? inputs.map(() => 'msg_0') : mail.send(inputs, key), errors)",
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-any-number-permissively',
    title: 'under permissive validation a batch of 101 is accepted',
    breaks: ['SND-005'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'readBatch(body, { policy,',
        replace: "readBatch(body, { policy: mode === 'permissive' ? { ...policy, maxBatchSize: 1000 } : policy,",
      },
    ],
  }),
  defineMutant({
    id: 'server/cancels-no-item-of-a-batch',
    title: 'cancelling a scheduled email of a batch is answered, and the email is sent',
    breaks: ['SND-014'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'policy.batchAnswer(mail.send(inputs, key), errors)',
        replace:
          'policy.batchAnswer(mail.send(inputs, key).map((id) => ((ownState.idsOfBatches ??= new Set()).add(id), id)), errors)',
      },
      {
        file: 'server/api/routes-emails.ts',
        find: 'mail.cancel(email)',
        replace: 'if (!ownState.idsOfBatches?.has(email.id)) mail.cancel(email)',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-alike-items-of-a-batch-once',
    title: 'of equal items of a batch only the first is sent',
    breaks: ['SND-004'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'mail.send(inputs, key)',
        replace: `((all) => inputs.map((each) => all.get(JSON.stringify(each))))(
        new Map([...new Set(inputs.map((each) => JSON.stringify(each)))].map((each) => [each, mail.send([JSON.parse(each)], key)[0]])),
      )`,
      },
    ],
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
    id: 'server/tells-fifty-bad-items-at-most',
    title: 'errors of invalid_batch has fifty entries at most',
    breaks: ['SND-006'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'throw invalidBatch(errors,',
        replace: 'throw invalidBatch(errors.slice(0, 50),',
      },
    ],
  }),
  defineMutant({
    id: 'server/tells-no-last-bad-item-of-a-large-batch',
    title: 'never reports the last item of a batch of more than fifty',
    breaks: ['SND-006'],
    patch: [
      {
        file: 'server/api/batch.ts',
        find: 'return { inputs, errors }',
        replace:
          'return { inputs, errors: errors.filter((each) => body.length <= 50 || each.index < body.length - 1) }',
      },
    ],
  }),
]
