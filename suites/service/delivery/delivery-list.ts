// DLV-012  "`GET /v1/webhooks/{id}/deliveries` lists the deliveries newest first."
// DLV-013  "The deliveries list has a page of 50 by default."
// DLV-014  "`limit` sets the number of deliveries listed."
// DLV-015  "The maximum `limit` of the deliveries list is 100: 100 is accepted, and never more than 100 are listed."
// DLV-019  "`response_body_snippet` is the first 500 characters of the consumer's response body."
//
// Reading: above the maximum the limit may be clamped or refused (open point limit-above-maximum). What a character is
// beyond the basic plane is open (open point snippet-characters): code points or UTF-16 code units, never bytes.

import {
  asText,
  itemsOf,
  memberOf,
  serviceCase,
  status,
  type DeliveryItem,
  type Sandbox,
  type ServiceContext,
} from '../../../harness/authoring.js'
import { ignoreLostAnswer } from '../shared/ignore-lost-answer.js'

/** More than the greatest page, without some whose answers are lost too. */
const replays = 112
const replaysAtOnce = 8

const known: readonly string[] = ['pending', 'succeeded', 'failed']

/** The id of a webhook of the case with one delivery and many replays of it; ends the case as skipped where they are refused. */
async function webhookOfManyDeliveries({ require, skip }: ServiceContext, sandbox: Sandbox): Promise<string> {
  const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
  await webhook.attempt(1, await sandbox.project.raise('message.received'))
  const original = asText((await webhook.deliveryWhen(({ status }) => status === 'succeeded')).id)
  for (let left = replays; left > 0; left -= replaysAtOnce) {
    const requested = Array.from({ length: replaysAtOnce }, () =>
      sandbox.project.api.replayDelivery(webhook.id, original).catch(ignoreLostAnswer),
    )
    const answers = (await Promise.all(requested)).flat()
    const refused = answers.find(({ status: code = 0 }) => code >= 400 && code < 500)
    if (refused !== undefined)
      return skip(`needs a service that replays a delivery ${replays} times: it answered ${refused.status}`)
    for (const answer of answers) require.of('RPL-001').status(answer, [202])
  }
  return webhook.id
}

function hasCode(deliveries: readonly DeliveryItem[], code: number | undefined): boolean {
  return deliveries.some((delivery) => delivery.response_code === code)
}

/** A body, how long its snippet may be, its type where it is not plain text, and where it is sent in two pieces the length of the first. */
type SnippetRow = readonly [
  name: string,
  body: string,
  lengths: readonly number[],
  contentType?: string,
  firstBytes?: number,
]

function titleOf(name: string): string {
  return name === 'exactly-500' ? 'a body of 500 characters' : name.replaceAll('-', ' ')
}

/** A body no part of which looks like another. */
const counted = Array.from({ length: 600 }, (_, index) => `${index} `).join('')

export const deliveryList = [
  serviceCase({
    id: 'service/delivery-list/is-newest-first',
    requirements: ['DLV-012', 'DLV-021'],
    level: 'must',
    title: 'the newest delivery is first, also if it is a replay of the oldest',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const codes = [200, 201, 202, 203, 206]
      const [first, ...rest] = codes.map((code) => status(code))
      const webhook = await sandbox.project.createWebhook({ answers: [first ?? status(200), ...rest] })
      let oldest: unknown
      for (const [index] of codes.entries()) {
        const isReplay = index === codes.length - 1
        if (isReplay) {
          require.of('DLV-021').ok('id of a listed delivery', asText(oldest ?? '') !== '', 'an id', oldest)
          require.of('RPL-001').status(await sandbox.project.api.replayDelivery(webhook.id, asText(oldest)), [202])
        } else await webhook.attempt(1, await sandbox.project.raise('message.received'))
        await sandbox.settle()
        const listed = await webhook.deliveriesWhen(
          (all) =>
            all.length > index && (isReplay ? hasCode(all, codes[index]) : all[0]?.response_code === codes[index]),
        )
        oldest ??= listed[0]?.id
        check.of('DLV-023').equal('deliveries so far', listed.length, index + 1)
      }
      const listed = await webhook.deliveriesListed(codes.length)
      check.equal(
        'response codes in the order of the list',
        listed.map((delivery) => delivery.response_code),
        [...codes].reverse(),
      )
      check.of('DLV-021').equal('different ids', new Set(listed.map((delivery) => delivery.id)).size, codes.length)
      for (const limit of [1, 2, 3])
        check.equal(
          `response codes of the newest ${limit}`,
          (await webhook.deliveriesListed(limit, { limit })).map((delivery) => delivery.response_code),
          [...codes].reverse().slice(0, limit),
        )
    },
  }),

  serviceCase({
    id: 'service/delivery-list/keeps-its-order-over-retries',
    requirements: ['DLV-012'],
    level: 'must',
    title: 'a delivery keeps its position while it waits, is retried, or succeeds',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({
        answers: [status(500), status(200), status(500), status(500), status(500), status(200)],
      })
      const ids: unknown[] = []
      for (let count = 1; count <= 3; count++) {
        await webhook.attempt(1, await sandbox.project.raise('message.received'))
        await sandbox.settle()
        const [newest, ...others] = (await webhook.deliveriesListed(count)).map((delivery) => delivery.id)
        check.equal(`order before delivery ${count}`, others, ids)
        ids.unshift(newest)
      }
      // The oldest and the newest wait for their third attempt then, and succeed at it.
      for (const [when, aheadMs] of [
        ['while two wait for their third attempt', 7_000],
        ['after the retries', 400_000],
      ] as const) {
        await sandbox.advance(aheadMs)
        for (const limit of [100, 1, 2]) {
          const listed = await webhook.deliveriesListed(Math.min(limit, ids.length), { limit })
          check.equal(
            `order ${when}, of ${limit} at most`,
            listed.map((delivery) => delivery.id),
            ids.slice(0, limit),
          )
        }
      }
    },
  }),

  serviceCase({
    id: 'service/delivery-list/lists-replays-before-what-they-repeat',
    requirements: ['DLV-012', 'DLV-021'],
    decides: ['DLV-012', 'DLV-021'],
    level: 'must',
    title: 'a delivery and its two replays are listed newest first, with separate ids',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
      const event = await sandbox.project.raise('message.received')
      await webhook.attempt(1, event)
      const original = asText((await webhook.deliveryWhen(({ status }) => status === 'succeeded')).id)
      const ids = [original]
      for (const number of [2, 3]) {
        const answer = await sandbox.project.api.replayDelivery(webhook.id, original)
        require.of('RPL-001').status(answer, [202])
        await webhook.attempt(number, event, require.of('RPL-002'))
        const isNew = ({ id, replay_of: of }: DeliveryItem) => of === original && !ids.includes(asText(id))
        const listed = await webhook.deliveriesWhen((all) => all.some(isNew))
        const made = listed.find(isNew)
        require
          .of('RPL-004')
          .ok('replay in the list', made !== undefined, `one with replay_of ${original}`, listed.length)
        ids.unshift(asText(made?.id))
      }
      const listed = (await webhook.deliveries()).map((delivery) => asText(delivery.id))
      check.equal(
        'the three in the order of the list',
        listed.filter((id) => ids.includes(id)),
        ids,
      )
    },
  }),

  serviceCase({
    id: 'service/delivery-list/pages-by-50-up-to-100-of-what-there-is',
    requirements: ['DLV-013', 'DLV-014', 'DLV-015', 'DLV-016'],
    decides: ['DLV-013', 'DLV-014', 'DLV-015', 'DLV-016'],
    level: 'must',
    title: 'of a hundred deliveries, 50 are listed by default, and at most 100',
    needs: ['past-deliveries'],
    timeoutMs: 240_000,
    async run(context) {
      const { check, skip } = context
      const sandbox = await context.openSandbox()
      const { api, busyWebhook } = sandbox.project
      const id = busyWebhook ?? (await webhookOfManyDeliveries(context, sandbox))
      // Events raised meanwhile are listed too, and make the list no shorter.
      const page = async (limit?: number) => {
        const answer = await api.listDeliveries(id, limit === undefined ? {} : { limit })
        return { answer, items: itemsOf(answer) ?? [] }
      }
      await sandbox.until(async () => (await page(100)).items.length >= 100)
      const limits = [undefined, 1, 7, 51, 100]
      const pages: Awaited<ReturnType<typeof page>>[] = []
      for (const limit of limits) pages.push(await page(limit))
      const above = await api.listDeliveries(id, { limit: 101 })
      // Its owner may delete it meanwhile.
      if (busyWebhook !== undefined && (await page(100)).items.length < 100)
        return skip('needs a webhook with more than 100 deliveries that stays')
      for (const [index, { answer, items }] of pages.entries()) {
        const limit = limits[index]
        const sentence = limit === undefined ? 'DLV-013' : limit === 100 ? 'DLV-015' : 'DLV-014'
        const what = limit === undefined ? 'deliveries without limit' : `deliveries with limit ${limit}`
        check.of(sentence).equal(what, items.length, limit ?? 50, answer)
      }
      const { status: code = 0 } = above
      const isKept = code === 200 ? (itemsOf(above) ?? []).length <= 100 : code >= 400 && code < 500
      check.of('DLV-015').ok('answer to limit 101', isKept, 'at most 100 deliveries, or a 4xx', code)
      const statuses = new Set((await page(100)).items.map((delivery) => memberOf(delivery, 'status')))
      const others = [...statuses].filter((status) => !known.includes(asText(status)))
      check.of('DLV-016').equal('statuses other than pending, succeeded and failed', others, [])
    },
  }),

  serviceCase({
    id: 'service/delivery-list/survives-odd-limits',
    requirements: ['ERR-003'],
    level: 'should',
    title: 'any value of limit gets a list or a 4xx',
    needs: ['sink'],
    async run({ openSandbox, check }) {
      const { project } = await openSandbox()
      const webhook = await project.createWebhook({ eventTypes: ['sending.resumed'] })
      for (const limit of ['0', '-1', '1.5', 'abc', '', '1e9', '999999999999999999999']) {
        const answer = await project.api.listDeliveries(webhook.id, { limit })
        check.ok(
          `status with limit=${limit}`,
          answer.status !== undefined && answer.status < 500,
          'no 5xx',
          answer.status ?? answer.failure,
        )
      }
    },
  }),

  serviceCase({
    id: 'service/delivery-list/keeps-the-snippet-of-a-failure',
    requirements: ['DLV-019', 'DLV-018'],
    decides: ['DLV-019'],
    level: 'must',
    title: 'the body of a failed answer is kept, with its code',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const body = 'no such consumer, try another'
      const webhook = await sandbox.project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(503, { body })],
      })
      await webhook.attempt(1, await sandbox.project.raise('message.received'))
      await sandbox.settle()
      const delivery = await webhook.deliveryWhen((delivery) => (delivery.response_body_snippet ?? '') !== '')
      check.of('DLV-019').equal('response_body_snippet after a 503', delivery.response_body_snippet, body)
      check.of('DLV-018').equal('response_code after a 503', delivery.response_code, 503)
    },
  }),

  serviceCase({
    id: 'service/delivery-list/shows-the-answer-of-the-latest-attempt',
    requirements: ['DLV-018', 'DLV-019'],
    decides: ['DLV-018', 'DLV-019'],
    level: 'must',
    title: 'after a second attempt the record has its code and body',
    needs: ['sink', 'time:5000', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(503, { body: 'busy' }), status(202, { body: 'taken' })],
      })
      const event = await sandbox.project.raise('message.received')
      await webhook.attempt(1, event)
      await sandbox.settle()
      await sandbox.advance(7_000)
      await webhook.attempt(2, event)
      await sandbox.settle()
      const delivery = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      check.equal('response_code after attempt 2', delivery.response_code, 202)
      check.of('DLV-019').equal('snippet after attempt 2', delivery.response_body_snippet, 'taken')
    },
  }),

  serviceCase({
    id: 'service/delivery-list/outlives-bodies-that-are-no-text',
    requirements: ['DLV-005', 'DLV-018', 'DLV-019'],
    level: 'must',
    title: 'an answer with NUL or invalid UTF-8 succeeds and is listed',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const bodies = [Buffer.from('one\u0000two'), Buffer.from([0x6f, 0xff, 0xfe, 0x80, 0xc3]), Buffer.alloc(700, 0)]
      const webhooks = await sandbox.project.createWebhooks(
        bodies.map((body) => ({ eventTypes: ['message.received'], answers: [status(202, { body })] })),
        { atLeast: 1 },
      )
      const event = await sandbox.project.raise('message.received')
      for (const [index, webhook] of webhooks.entries()) {
        if (webhook === undefined) continue
        await webhook.attempt(1, event)
        const delivery = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
        check.of('DLV-005').equal(`status after body ${index + 1} of ${bodies.length}`, delivery.status, 'succeeded')
        check.of('DLV-018').equal('response_code', delivery.response_code, 202)
        // A store may drop NUL: its replacement is open, the text after it is not.
        const { response_body_snippet: snippet } = delivery
        if (index === 0 && typeof snippet === 'string' && snippet !== '')
          check.of('DLV-019').matches('response_body_snippet with a NUL', snippet, /^one[^]{0,8}two$/)
      }
    },
  }),

  ...(
    [
      ['a-long-body', counted, [500]],
      ['exactly-500', 'y'.repeat(500), [500]],
      ['a-short-body', 'thank you', [9]],
      ['letters-of-two-bytes', 'é'.repeat(600), [500]],
      ['letters-of-three-bytes', '語'.repeat(600), [500]],
      ['emoji', '👋'.repeat(600), [500, 1_000]],
      ['blanks-around-the-text', ' \n thank you\t\n ', [15]],
      ['colours-of-a-terminal', '\u001b[31mnot today\u001b[0m\u0007', [19]],
      ['markup', '<p>no such <b>consumer</b> &amp; none</p>', [41], 'text/html'],
      ['json', '{ "error":\r\n  "none",  "code": 1.0 }\n', [37], 'application/json'],
      ['xml', '<Error><Code>AccessDenied</Code></Error>', [40], 'application/xml'],
      ['a-form', 'error=none&code=17', [18], 'application/x-www-form-urlencoded'],
      ['a-body-in-pieces', 'é'.repeat(40), [40], 'text/plain', 21],
      ['a-large-body', counted.repeat(60), [500]],
    ] as const satisfies readonly SnippetRow[]
  ).map(([name, body, lengths, type = 'text/plain', firstBytes]: SnippetRow) =>
    serviceCase({
      id: `service/delivery-list/keeps-the-snippet-of-${name}`,
      requirements: ['DLV-019'],
      level: 'must',
      title: `the snippet of ${titleOf(name)} is its first 500 characters, not bytes`,
      needs: ['sink', 'event:message.received'],
      async run({ openSandbox, check }) {
        const { project } = await openSandbox()
        const codes = [200, 503]
        const webhooks = await project.createWebhooks(
          codes.map((code) => ({
            eventTypes: ['message.received'],
            answers: [
              status(code, {
                body,
                headers: { 'content-type': `${type}; charset=utf-8` },
                ...(firstBytes === undefined ? {} : { firstBytes }),
              }),
            ] as const,
          })),
          { atLeast: 1 },
        )
        const event = await project.raise('message.received')
        for (const [index, webhook] of webhooks.entries()) {
          if (webhook === undefined) continue
          await webhook.attempt(1, event)
          const what = `response_body_snippet after a ${codes[index]}`
          const { response_body_snippet: snippet } = await webhook.deliveryWhen(
            (delivery) => (delivery.response_body_snippet ?? '') !== '',
          )
          const isStart = typeof snippet === 'string' && body.startsWith(snippet)
          check.ok(what, isStart, 'the start of the body', snippet)
          check.oneOf(
            `characters of ${what}`,
            typeof snippet === 'string' ? snippet.length : undefined,
            name === 'emoji' ? [500, 1_000] : lengths,
          )
        }
      },
    }),
  ),
]
