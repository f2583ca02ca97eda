// SND-004  "`POST /v1/emails/batch` takes an array of up to 100 email objects and answers `{ data, errors? }`."
// SND-005  "A batch has at most 100 emails: 100 are accepted, 101 are refused."
// SND-006  "A batch that is refused for an invalid item gets code `invalid_batch`, and `errors` has one entry per bad item."
// SND-015  "A batch with `batchValidation` `permissive` sends its valid items and lists the others in `errors`."
//
// Reading: an item without recipients is invalid for any validation. The status of invalid_batch is open (open point batch-error-status),
// and so is the code for a batch that is too long. The interface shows no default validation (open point default-batch-validation): a batch
// with bad items may be refused as a whole, or its valid items may be accepted. Either way `errors` has an entry for each bad item, and
// exactly the accepted items are sent. An empty batch may be accepted or refused (open point empty-batch). Nor does the interface show how
// to request permissive validation: the case tries the usual ways, and judges one that changes the answer.

import {
  asText,
  errorOf,
  serviceCase,
  type Checks,
  type Exchange,
  type Project,
  type RawRequest,
  type Sandbox,
  type ServiceContext,
} from '../../../harness/authoring.js'
import { checkWhenDue, skipUnlessAccepted, scheduleTimeoutMs } from '../shared/scheduled-mail.js'
import { requestBatch, isRefusedForSize, twoThirdsOfAHundred, permissiveRequests } from '../shared/batch-validation.js'
import { email, checkQueued, idOf, isEmailAccepted, queuedSubjects } from '../shared/sent-mail.js'
import { type Batch, checkAccepted, checkErrors, checkMixed } from '../shared/batch-results.js'

/** A batch of `count` emails, of which those at `bad` have no recipient. */
function batchOf(
  project: Project,
  options: { to: string; mark: string; count: number; bad?: readonly number[] },
): Batch {
  const { to, mark, count, bad = [] } = options
  const all = Array.from({ length: count }, (_, index) => email(project, to, `${mark} ${index}`))
  return {
    items: all.map((item, index) => (bad.includes(index) ? { ...item, to: undefined } : item)),
    good: all.filter((_, index) => !bad.includes(index)).map((item) => asText(item['subject'])),
    bad,
  }
}

/** Compares the sent items of a batch with the accepted ones, once an email sent after it is listed. */
async function checkSent(
  { require, recipient, unique }: ServiceContext,
  check: Checks,
  {
    sandbox,
    mark,
    accepted,
    after,
  }: { sandbox: Sandbox; mark: string; accepted: readonly string[]; after: string | undefined },
): Promise<void> {
  const { project } = sandbox
  const witness = unique()
  idOf(require, await project.api.sendEmail(email(project, recipient, witness)))
  const subjects = await queuedSubjects(sandbox, project, { expected: [...accepted, witness], after })
  require.of('EVT-004').ok('subjects of message.queued events', subjects.includes(witness), `with ${witness}`, subjects)
  checkQueued(check, subjects, { mark: `${mark} `, expected: accepted, what: 'emails sent of the batch' })
}

/** Batches under permissive validation: how many items, and which of them are bad. One that is bad throughout may be refused. */
const permissiveCells: readonly (readonly [count: number, bad: readonly number[]])[] = [
  [2, []],
  [2, [0, 1]],
  [100, [0, 99]],
  [100, twoThirdsOfAHundred],
  [101, []],
  [101, [0, 100]],
]

/** Checks that a batch with an item from an unknown domain is refused, or accepted without that item. */
async function checkUnverified(
  { check, recipient, unique }: ServiceContext,
  project: Project,
  send: (items: readonly unknown[]) => Promise<Exchange>,
): Promise<void> {
  const { items } = batchOf(project, { to: recipient, mark: unique(), count: 3 })
  const [first = {}, ...others] = items
  const mixed = [first, ...others.map((other) => ({ ...other, from: 'Mallory <mallory@not-verified.example>' }))]
  const answer = await send(mixed)
  if (isEmailAccepted(answer)) {
    checkAccepted(check.of('SND-012'), answer, { items: mixed, good: [asText(first['subject'])] })
    checkErrors(check.of('SND-006'), answer.field('errors'), [1, 2])
  } else if (check.of('SND-012').refused(answer) && errorOf(answer).code === 'invalid_batch')
    checkErrors(check.of('SND-006'), errorOf(answer).errors, [1, 2])
}

/** A sandbox, where its list of events ends, and a mark for the subjects of a batch. */
async function openForBatches({ openSandbox, unique }: ServiceContext) {
  const sandbox = await openSandbox()
  const { project } = sandbox
  return { sandbox, project, after: await project.listEnd(), mark: unique() }
}

export const batches = [
  serviceCase({
    id: 'service/batches/takes-a-hundred-and-no-more',
    requirements: ['SND-005', 'SND-004', 'IDM-005'],
    level: 'must',
    title: 'a batch of 100 emails is accepted and sent once; one of 101 is refused',
    needs: ['send'],
    async run(context) {
      const { check, require, recipient, unique, skip } = context
      const { sandbox, project, after, mark } = await openForBatches(context)
      const tooMany = unique()
      const { items, good } = batchOf(project, { to: recipient, mark, count: 100 })
      const headers = { 'idempotency-key': unique() }
      const first = await project.api.sendBatch(items, headers)
      if (await isRefusedForSize(project.api, first, items))
        skip('needs a service that accepts requests as long as 100 emails')
      require.of('SND-005').status(first, '2xx')
      const again = await project.api.sendBatch(items, headers)
      check.of('IDM-005').equal('data of a repeat', again.field('data'), first.field('data'))
      const more = batchOf(project, { to: recipient, mark: tooMany, count: 101 })
      check.of('SND-005').refused(await project.api.sendBatch(more.items))
      // The rights of an inbox key are open, and it may not send this many at once.
      for (const { api, address } of project.inboxes.slice(0, 1)) {
        const ofInbox = more.items.map((item) => ({ ...item, from: address ?? item['from'] }))
        check.of('SND-005').refused(await api.sendBatch(ofInbox))
      }
      await checkSent(context, check.of('SND-004'), { sandbox, mark, accepted: good, after })
      await checkSent(context, check.of('SND-005'), { sandbox, mark: tooMany, accepted: [], after })
    },
  }),

  serviceCase({
    id: 'service/batches/answers-an-empty-batch',
    requirements: ['SND-004'],
    level: 'must',
    title: 'an empty batch is refused, or accepted with empty data',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const { project } = await openSandbox()
      const control = batchOf(project, { to: recipient, mark: unique(), count: 1 })
      require.status(await project.api.sendBatch(control.items), '2xx')
      const answer = await project.api.sendBatch([])
      if (isEmailAccepted(answer)) check.equal('data of an empty batch', answer.field('data'), [])
      else check.refused(answer)
    },
  }),

  serviceCase({
    id: 'service/batches/refuses-a-batch-with-bad-items',
    requirements: ['SND-006', 'SND-012'],
    level: 'must',
    title: 'a batch with invalid items is refused with invalid_batch, or errors reports each',
    needs: ['send'],
    async run(context) {
      const { openSandbox, check, require, recipient, unique } = context
      const { project } = await openSandbox()
      const control = batchOf(project, { to: recipient, mark: unique(), count: 4 })
      require.of('SND-004').status(await project.api.sendBatch(control.items), '2xx')
      for (const [count, bad] of [
        [4, [2]],
        [4, [1, 3]],
        [4, [0, 1, 2, 3]],
        [1, [0]],
        [100, twoThirdsOfAHundred],
      ] as const) {
        const batch = batchOf(project, { to: recipient, mark: unique(), count, bad })
        const answer = await project.api.sendBatch(batch.items)
        if (await isRefusedForSize(project.api, answer, batch.items)) continue
        checkMixed(check.of('SND-006'), answer, batch)
      }
      // An item with several faults is one item: it has neither recipients nor subject nor content.
      const batch = batchOf(project, { to: recipient, mark: unique(), count: 3, bad: [1] })
      const items = batch.items.map((item, index) => (index === 1 ? { from: item['from'] } : item))
      checkMixed(check.of('SND-006'), await project.api.sendBatch(items), batch)
      await checkUnverified(context, project, (batch) => project.api.sendBatch(batch))
    },
  }),

  serviceCase({
    id: 'service/batches/sends-what-it-accepted-of-a-batch',
    formerly: ['service/batches/sends-nothing-of-a-refused-batch'],
    requirements: ['SND-006'],
    level: 'must',
    title: 'a refused batch sends nothing; an accepted one sends its valid items',
    needs: ['send'],
    async run(context) {
      const { check, recipient, unique } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      for (const bad of [
        [1, 2],
        [0, 1, 2],
      ]) {
        const mark = unique()
        const batch = batchOf(project, { to: recipient, mark, count: 3, bad })
        const accepted = checkMixed(check, await project.api.sendBatch(batch.items), batch)
        await checkSent(context, check, { sandbox, mark, accepted, after })
      }
    },
  }),

  serviceCase({
    id: 'service/batches/sends-no-scheduled-item-of-a-refused-batch',
    requirements: ['SND-006'],
    level: 'must',
    title: 'scheduled items of a refused batch are not sent later',
    needs: ['send', 'time:15000'],
    timeoutMs: scheduleTimeoutMs,
    run: (context) =>
      checkWhenDue(context, async ({ project }, scheduledAt) => {
        const { check, require, recipient, unique } = context
        const at = (item: Record<string, unknown>) => ({ ...item, scheduled_at: scheduledAt })
        const [mark, kept] = [unique(), `kept ${unique()}`]
        const control = await project.api.sendBatch([at(email(project, recipient, unique()))])
        skipUnlessAccepted(context, control, 'an item of a batch')
        require.of('SND-004').status(control, '2xx')
        const batch = batchOf(project, { to: recipient, mark, count: 3, bad: [1] })
        const accepted = checkMixed(check, await project.api.sendBatch(batch.items.map(at)), batch)
        const single = await project.api.sendEmail(at(email(project, recipient, kept)))
        skipUnlessAccepted(context, single, 'an email')
        idOf(require, single)
        return {
          kept,
          checkSent: (queued) =>
            checkQueued(check, queued, {
              mark: `${mark} `,
              expected: accepted,
              what: 'emails sent of the batch at their time',
            }),
        }
      }),
  }),

  serviceCase({
    id: 'service/batches/takes-the-good-items-of-a-permissive-batch',
    requirements: ['SND-015', 'SND-005', 'SND-012', 'IDM-005'],
    level: 'must',
    title: 'a permissive batch sends its valid items once and reports the others; 101 are refused',
    needs: ['send'],
    timeoutMs: 120_000, // What may last longest begins first: it waits for many answers, one after the other.
    async run(context) {
      const { check, recipient, unique, skip, measure } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const { api } = project
      const after = await project.listEnd()
      const fresh = () => {
        const mark = unique()
        return { mark, batch: batchOf(project, { to: recipient, mark, count: 4, bad: [1, 2] }) }
      }
      const plain = await api.sendBatch(fresh().batch.items)
      for (const { name, request } of isEmailAccepted(plain)
        ? [{ name: 'nothing', request: (json: unknown) => ({ json }) }]
        : permissiveRequests) {
        const { mark, batch } = fresh()
        const headers = { 'idempotency-key': unique() }
        const send = () => {
          const requested: RawRequest = request(batch.items)
          return requestBatch(api, { ...requested, headers: { ...requested.headers, ...headers } })
        }
        const answer = await send()
        if (!isEmailAccepted(answer)) continue
        measure('permissive validation is requested by', name)
        const again = await send()
        for (const field of ['data', 'errors'])
          check.of('IDM-005').equal(`${field} of a repeat`, again.field(field), answer.field(field))
        const accepted = checkMixed(check, answer, batch)
        await checkSent(context, check, { sandbox, mark, accepted, after })
        for (const [count, bad] of permissiveCells) {
          const cell = { mark: unique(), count, bad }
          const mixed = batchOf(project, { to: recipient, ...cell })
          const taken = await requestBatch(api, request(mixed.items))
          if (count <= 100 && (await isRefusedForSize(api, taken, mixed.items))) continue
          if (count > 100) check.of('SND-005').refused(taken)
          if (count <= 100 && bad.length < count) check.status(taken, '2xx')
          const expected = count > 100 ? [] : checkMixed(check, taken, mixed)
          await checkSent(context, count > 100 ? check.of('SND-005') : check, {
            sandbox,
            mark: cell.mark,
            accepted: expected,
            after,
          })
        }
        await checkUnverified(context, project, (items) => requestBatch(api, request(items)))
        return
      }
      skip('needs a service that accepts batchValidation in a form known to this run: query, header or member')
    },
  }),
]
