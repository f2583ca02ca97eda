// DLV-012  "`GET /v1/webhooks/{id}/deliveries` lists the deliveries newest first."
// DLV-013  "The deliveries list has a page of 50 by default."
// DLV-014  "`limit` sets the number of deliveries listed."
// DLV-015  "The maximum `limit` of the deliveries list is 100: 100 is accepted, and never more than 100 are listed."
// RPL-005  "A delivery in any state can be replayed: succeeded, failed and pending."
//
// A long list, as keys of the org and of an inbox read it, before and after the webhook is deleted.
//
// Reading: above the maximum the limit may be clamped or refused (open point limit-above-maximum). What the key of an inbox
// is shown is open (scoped-key-rights), and where the history of a deleted webhook is read (deleted-history): a list that is
// refused or empty there is not judged.

import {
  asText,
  itemsOf,
  memberOf,
  serviceCase,
  status,
  type Api,
  type Checks,
  type Sandbox,
} from '../../../harness/authoring.js'

const many = 105
const limits = [undefined, 1, 2, 51, 99, 100] as const

async function raiseMany(sandbox: Sandbox, count: number): Promise<void> {
  for (let start = 0; start < count; start += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, count - start) }, () => sandbox.project.raise('message.received')),
    )
  await sandbox.settle()
}

/** Checks the sizes of the pages of a list of more than a hundred, where it is shown at all. */
async function checkSizes(check: Checks, api: Api, { id, whose }: { readonly id: string; readonly whose: string }) {
  if ((itemsOf(await api.listDeliveries(id)) ?? []).length === 0) return
  for (const limit of limits) {
    const answer = await api.listDeliveries(id, limit === undefined ? {} : { limit })
    const requirement = limit === undefined ? 'DLV-013' : limit === 100 ? 'DLV-015' : 'DLV-014'
    const what = `deliveries ${limit === undefined ? 'without limit' : `with limit ${limit}`} ${whose}`
    check.of(requirement).equal(what, itemsOf(answer)?.length, limit ?? 50)
  }
  const above = await api.listDeliveries(id, { limit: 101 })
  const most = `at most 100 deliveries, or a 4xx, ${whose}`
  check.of('DLV-015').ok('answer to limit 101', (itemsOf(above) ?? []).length <= 100, most, itemsOf(above)?.length)
}

/** Longest time until a webhook that was made is found by its id, in milliseconds. */
const lagMs = 5_000

/** More than the delay before a second attempt, and less than that before a third, in milliseconds. */
const retriedWithinMs = 7_000
const reported = [
  ['status', 'DLV-016'],
  ['attempt', 'DLV-017'],
  ['response_code', 'DLV-018'],
  ['response_body_snippet', 'DLV-019'],
  ['next_attempt_at', 'DLV-020'],
  ['replay_of', 'RPL-004'],
] as const

/** Returns the fields of an item, with null for an absent one. */
function fieldsOf(item: unknown): Readonly<Record<(typeof reported)[number][0], unknown>> {
  const read = (field: string) => memberOf(item, field) ?? null
  return {
    status: read('status'),
    attempt: read('attempt'),
    response_code: read('response_code'),
    response_body_snippet: read('response_body_snippet'),
    next_attempt_at: read('next_attempt_at'),
    replay_of: read('replay_of'),
  }
}

export const deliveryPages = [
  serviceCase({
    id: 'service/delivery-list/lists-none-where-there-are-none',
    requirements: ['DLV-012'],
    level: 'must',
    title: 'a webhook without deliveries has an empty delivery list',
    async run({ openSandbox, check, require, publicUrl }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const created = await api.createWebhook({ url: publicUrl('idle/'), event_types: ['sending.resumed'] })
      require.of('WHK-001').status(created, '2xx')
      const id = asText(created.field('id'))
      let answer = await api.listDeliveries(id)
      await sandbox.until(async () => {
        answer = await api.listDeliveries(id)
        return answer.status !== 404
      }, lagMs)
      check.status(answer, '2xx')
      check.equal('deliveries of a webhook without deliveries', (itemsOf(answer) ?? []).length, 0)
      await api.deleteWebhook(id)
    },
  }),

  serviceCase({
    id: 'service/delivery-list/pages-by-50-up-to-100',
    requirements: ['DLV-013', 'DLV-014', 'DLV-015', 'DLV-012', 'RPL-005'],
    level: 'must',
    title: 'of 105 deliveries the newest 50 are listed by default, and at most 100',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const early = await sandbox.project.createWebhook({ eventTypes: ['message.bounced'] })
      await early.attempt(1, await sandbox.project.raise('message.bounced'))
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
      const oldest = await sandbox.project.raise('message.received')
      await webhook.attempt(1, oldest)
      const { id: oldestId } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      await raiseMany(sandbox, many - 2)
      // The newest is known by its answer.
      webhook.endpoint.script(status(202))
      await webhook.attempt(1, await sandbox.project.raise('message.received'))
      await webhook.deliveriesWhen(([newest]) => newest?.response_code === 202)
      check
        .of('DLV-013')
        .equal('deliveries of a webhook before 105 of another', (await early.deliveriesListed(1)).length, 1)
      for (const limit of limits) {
        const count = limit ?? 50
        const listed = await webhook.deliveriesListed(count, limit === undefined ? {} : { limit })
        const what = limit === undefined ? 'without limit' : `with limit ${limit}`
        const requirement = limit === undefined ? 'DLV-013' : limit === 100 ? 'DLV-015' : 'DLV-014'
        check.of(requirement).equal(`deliveries ${what}`, listed.length, count)
        check.of('DLV-012').equal(`response_code of the first ${what}`, listed[0]?.response_code, 202)
      }
      const above = await sandbox.project.api.listDeliveries(webhook.id, { limit: 101 })
      const count = itemsOf(above)?.length ?? 0
      check
        .of('DLV-015')
        .ok(
          'answer to limit 101',
          above.status !== undefined &&
            (above.status === 200 ? count <= 100 : above.status >= 400 && above.status < 500),
          'at most 100 deliveries, or a 4xx',
          above.status === 200 ? count : above.status,
        )
      for (const limit of ['0', '-1', '']) {
        const odd = await sandbox.project.api.listDeliveries(webhook.id, { limit })
        check
          .of('DLV-015')
          .ok(`deliveries with limit=${limit}`, (itemsOf(odd)?.length ?? 0) <= 100, 'at most 100', 'more')
      }
      const answer = await sandbox.project.api.replayDelivery(webhook.id, asText(oldestId))
      require.of('RPL-005').status(answer, [202])
      await webhook.attempt(2, oldest, require.of('RPL-002'))
    },
  }),

  serviceCase({
    id: 'service/delivery-list/tells-an-inbox-what-it-tells-the-org',
    requirements: ['DLV-016', 'DLV-017', 'DLV-018', 'DLV-019', 'DLV-020', 'RPL-004'],
    level: 'must',
    title: "an inbox key sees the same records of its webhook's deliveries as an org key",
    needs: ['sink', 'clock', 'event:message.received', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const own = project.inbox(0)
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        api: own.api,
        answers: [status(200, { body: 'taken' }), status(202, { body: 'taken again' }), status(503, { body: 'busy' })],
      })
      const taken = await project.raise('message.received', { inbox: own })
      await webhook.attempt(1, taken)
      const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
      await webhook.attempt(2, taken, require.of('RPL-002'))
      const refused = await project.raise('message.received', { inbox: own })
      await webhook.attempt(1, refused)
      await sandbox.settle()
      // Its third attempt is minutes away, so that nothing happens while both are read.
      await sandbox.advance(retriedWithinMs)
      await webhook.attempt(2, refused, require.of('RTY-012'))
      const shownTo = async (api: Api) => (itemsOf(await api.listDeliveries(webhook.id)) ?? []).map(fieldsOf)
      let [ofOrg, ofInbox] = [await shownTo(project.api), await shownTo(own.api)]
      await sandbox.until(async () => {
        ;[ofOrg, ofInbox] = [await shownTo(project.api), await shownTo(own.api)]
        const isComplete =
          ofOrg.length > 2 && ofOrg.some((delivery) => delivery.attempt === 2 && delivery.response_code === 503)
        return isComplete && (ofInbox.length === 0 || JSON.stringify(ofInbox) === JSON.stringify(ofOrg))
      }, lagMs)
      if (ofInbox.length === 0) return
      for (const [field, requirement] of reported)
        check.of(requirement).equal(
          `${field} of the deliveries, for the key of the inbox`,
          ofInbox.map((delivery) => delivery[field]),
          ofOrg.map((delivery) => delivery[field]),
        )
    },
  }),

  serviceCase({
    id: 'service/delivery-list/pages-alike-for-an-inbox-and-after-the-delete',
    requirements: ['DLV-013', 'DLV-014', 'DLV-015'],
    level: 'must',
    title: 'delivery pages of an inbox webhook have the same sizes as others',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const own = project.inbox(0)
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], api: own.api })
      await raiseMany(sandbox, many)
      await webhook.endpoint.until(() => webhook.attempts().length >= many, sandbox.budgetMs)
      await webhook.deliveriesListed(100, { limit: 100 })
      await checkSizes(check, project.api, { id: webhook.id, whose: 'of a webhook of one inbox' })
      await checkSizes(check, own.api, { id: webhook.id, whose: 'for the key of an inbox' })
      await webhook.delete()
      await checkSizes(check, project.api, { id: webhook.id, whose: 'of a deleted webhook' })
    },
  }),
]
