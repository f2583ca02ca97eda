// RPL-001  "`POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay` answers `202`."
// RPL-002  "Replay sends the same event again now."
// RPL-003  "The replay is a new delivery with its own id, next to the original."
// RPL-005  "A delivery in any state can be replayed: succeeded, failed and pending."
// RPL-006  "Replay leaves the original delivery as it was."
// RPL-008  "A replayed delivery is a delivery like any other: when its attempt fails it is retried on the schedule."
// DLV-018 to DLV-020  the record of a delivery, of a replay too.
// RTY-012  a due attempt is made, whether or not others are replayed or succeed.
//
// Deliveries with a past: one succeeded late, one waits for a late attempt, one got no answer, one is a replay itself. One event goes to
// all of them, and a change to one does not affect the others.

import { maxAttempts, retryDelaysMs, snippetCharacters } from '../../../spec/index.js'
import {
  asText,
  delaysBefore,
  instantOf,
  serviceCase,
  status,
  type Answer,
  type Attempt,
  type DeliveryItem,
  type RaisedEvent,
  type Sandbox,
  type ServiceContext,
  type Webhook,
} from '../../../harness/authoring.js'

const day = 24 * 3_600_000
/** Milliseconds after an attempt is due in which it has been made. */
const overDueMs = 2_000
const reset: Answer = { kind: 'reset' }
const body = "the consumer's answer ".repeat(40)
const snippet = body.slice(0, snippetCharacters)
const taken = status(201, { body })
const refused = status(500, { body: 'of a failure' })

/** More letters than a column of 255 has, and not of ASCII alone. */
const subject = 'Grüße, 件名 👋 '.repeat(30)

/** Deliveries when their third retry is over: how they were answered so far, and are then. */
const pasts: readonly {
  readonly name: string
  readonly answers: readonly [Answer, ...Answer[]]
  readonly status: 'succeeded' | 'pending'
  readonly attempt: number
}[] = [
  { name: 'that succeeded at its second attempt', answers: [refused, taken], status: 'succeeded', attempt: 2 },
  { name: 'that waited for its fifth attempt', answers: [refused], status: 'pending', attempt: 4 },
  { name: 'that got no answer and waits for its fifth attempt', answers: [reset], status: 'pending', attempt: 4 },
]

const reported = ['status', 'attempt', 'response_code', 'response_body_snippet'] as const

interface Replayed {
  readonly sandbox: Sandbox
  readonly webhook: Webhook
  readonly event: RaisedEvent
  /** The delivery that is replayed, as listed before. */
  readonly original: DeliveryItem
  /** For messages: `a delivery that …`. */
  readonly name: string
}

/** Replays a delivery; holds that the event is sent again at once. The ids that were listed before. */
async function replayed({ check, require }: ServiceContext, { sandbox, webhook, event, original, name }: Replayed) {
  const known = (await webhook.deliveries()).map((delivery) => delivery.id)
  const before = webhook.attempts(event).length
  const answer = await sandbox.project.api.replayDelivery(webhook.id, asText(original.id))
  require
    .of('RPL-005')
    .ok(`replay of ${name}`, answer.status !== undefined && answer.status < 300, '202', answer.status)
  check.of('RPL-001').equal(`status of the replay of ${name}`, answer.status, 202)
  const [first] = webhook.attempts(event)
  const again = await webhook.attempt(before + 1, event, require.of('RPL-002'))
  for (const field of ['id', 'type', 'timestamp', 'data'])
    check.of('RPL-002').equal(`${field} of the replay of ${name}`, again.field(field), first?.field(field))
  return known
}

/** Checks that a delivery is as listed before. */
function checkKept(
  check: ServiceContext['check'],
  listed: readonly DeliveryItem[],
  { sandbox, original, name }: Replayed,
): void {
  const kept = listed.find((delivery) => delivery.id === original.id)
  for (const field of reported)
    check.of('RPL-006').equal(`${field} after the replay of ${name}`, kept?.[field], original[field])
  // An ended one may show any past time; one that was under way at the time of the list shows none yet.
  if (original.status !== 'pending' || !(instantOf(original.next_attempt_at) > sandbox.now())) return
  const what = `next_attempt_at after the replay of ${name}`
  check.of('RPL-006').equal(what, kept?.next_attempt_at, original.next_attempt_at)
}

/** Replays a delivery that its consumer accepts now, and checks the records of both. */
async function checkReplay(context: ServiceContext, it: Replayed): Promise<void> {
  const { check } = context
  const { sandbox, webhook, original, name } = it
  webhook.endpoint.script(taken, refused)
  const known = await replayed(context, it)
  const isNew = (delivery: DeliveryItem) => !known.includes(delivery.id)
  const isDone = (delivery: DeliveryItem) => isNew(delivery) && delivery.status === 'succeeded'
  const listed = await webhook.deliveriesWhen((all) => all.some(isDone))
  checkKept(check, listed, it)
  const made = listed.find(isDone) ?? listed.find(isNew)
  check.of('RPL-003').ok(`a new delivery, of ${name}`, made !== undefined, 'listed', 'absent')
  if (made === undefined) return
  if (!check.of('DLV-005').equal(`status of the replay of ${name}`, made.status, 'succeeded')) return
  check.of('DLV-018').equal(`response_code of the replay of ${name}`, made.response_code, 201)
  check.of('DLV-019').equal(`snippet of the replay of ${name}`, made.response_body_snippet, snippet)
  checkNothingAhead(check, sandbox, made)
  check.of('RPL-004').equal(`replay_of of the replay of ${name}`, typeof made.replay_of, typeof original.id)
}

/** Checks that every attempt of a delivery carries the event as the first did. */
function expectEqual(check: ServiceContext['check'], [first, ...others]: readonly Attempt[], name: string): void {
  for (const attempt of others)
    for (const field of ['id', 'type', 'timestamp', 'data'])
      check.of('RTY-014').equal(`${field} of a retry of a delivery ${name}`, attempt.field(field), first?.field(field))
}

/** Checks that no future attempt is recorded. */
function checkNothingAhead(check: ServiceContext['check'], sandbox: Sandbox, item: DeliveryItem | undefined): void {
  const isAhead = instantOf(item?.next_attempt_at) > sandbox.now()
  check.of('DLV-020').ok('next_attempt_at of ended deliveries', !isAhead, 'no next attempt', item?.next_attempt_at)
}

export const replayStates = [
  serviceCase({
    id: 'service/replay/replays-a-delivery-whatever-became-of-it',
    requirements: ['RPL-005', 'RPL-001', 'RPL-002', 'RPL-006', 'RTY-012', 'RTY-014', 'DLV-018', 'DLV-019', 'DLV-020'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'a delivery in any state can be replayed and stays as it was',
    needs: ['sink', 'clock', 'own-data', 'inboxes'],
    async run(context) {
      const { check, require } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const ofInbox = { inboxId: project.inbox().id, answers: [status(200)] as const }
      const [limited, ...webhooks] = await project.createWebhooks(
        [ofInbox, ...pasts.map(({ answers }) => ({ answers }))],
        { atLeast: 2 },
      )
      const event = await project.raise('message.received', { subject })
      for (const webhook of [limited, ...webhooks]) await webhook?.attempt(1, event)
      await sandbox.settle()
      for (let number = 2; number <= 4; number++) await sandbox.advance((retryDelaysMs[number - 1] ?? 0) + overDueMs)
      const rows = pasts.flatMap((past, index) => {
        const webhook = webhooks[index]
        return webhook === undefined ? [] : [{ ...past, webhook }]
      })
      if (limited !== undefined) {
        const original = await limited.deliveryWhen(({ status }) => status === 'succeeded')
        await checkReplay(context, {
          sandbox,
          webhook: limited,
          event,
          original,
          name: 'one of a webhook of one inbox',
        })
      }
      for (const { webhook, name, status: state, attempt } of rows) {
        await webhook.attempt(attempt, event, require.of('RTY-012'))
        const original = await webhook.deliveryWhen(
          (delivery) => delivery.status === state && delivery.attempt === attempt,
        )
        require.of('RTY-012').dependingOn('DLV-005').equal(`status of a delivery ${name}`, original.status, state)
        expectEqual(check, webhook.attempts(event), name)
        if (state === 'succeeded')
          check.of('DLV-019').equal(`snippet of a delivery ${name}`, original.response_body_snippet, snippet)
        await checkReplay(context, { sandbox, webhook, event, original, name: `a delivery ${name}` })
        const [last = refused] = pasts.find((past) => past.name === name)?.answers ?? []
        webhook.endpoint.script(last)
      }
      await sandbox.advance(2 * day)
      for (const { webhook, name, status: state } of rows) {
        if (state !== 'pending') continue
        const isFailed = (delivery: DeliveryItem) => delivery.status === 'failed' && delivery.attempt === maxAttempts
        const original = (await webhook.deliveriesWhen((all) => all.some(isFailed))).find(isFailed)
        const what = `a delivery ${name}, and has failed since`
        check.of('RTY-012').ok(`${maxAttempts} attempts of ${what}`, original !== undefined, 'made', 'fewer')
        if (original === undefined) continue
        const it = { sandbox, webhook, event, original, name: what }
        await checkReplay(context, it)
        webhook.endpoint.script(refused, taken)
        const known = await replayed(context, it)
        await sandbox.settle()
        await sandbox.advance(7_000)
        const isDone = (delivery: DeliveryItem) => !known.includes(delivery.id) && delivery.status === 'succeeded'
        checkKept(check, await webhook.deliveriesWhen((all) => all.some(isDone)), it)
      }
    },
  }),

  serviceCase({
    id: 'service/replay/replays-a-replay-in-any-state',
    requirements: [
      'RPL-005',
      'RPL-001',
      'RPL-002',
      'RPL-003',
      'RPL-006',
      'RPL-008',
      'DLV-006',
      'DLV-001',
      'DLV-020',
      'RTY-001',
    ],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'a replay in any state can be replayed, and goes on as it was',
    needs: ['sink', 'clock', 'own-data'],
    async run(context) {
      const { check, require } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const [waiting, late] = await project.createWebhooks(
        [{ answers: [status(200)] }, { answers: [status(200)], suffix: '/?token=a1' }],
        { atLeast: 1 },
      )
      const event = await project.raise('message.received', { subject })
      for (const webhook of [waiting, late]) await webhook?.attempt(1, event)
      await sandbox.settle()
      const madeBy = async (webhook: Webhook, answers: readonly [Answer, ...Answer[]], name: string) => {
        const original = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
        webhook.endpoint.script(...answers)
        const it = { sandbox, webhook, event, original, name }
        const known = await replayed(context, it)
        return { it, isIt: (delivery: DeliveryItem) => !known.includes(delivery.id) }
      }
      const first = waiting && (await madeBy(waiting, [refused], 'a delivery whose replay failed'))
      const second = late && (await madeBy(late, [refused, taken], 'a delivery whose replay failed at first'))
      await sandbox.settle()
      await sandbox.advance(7_000)
      if (late !== undefined && second !== undefined) {
        await late.attempt(3, event, require.of('RPL-008'))
        const listed = await late.deliveriesWhen((all) =>
          all.some((delivery) => second.isIt(delivery) && delivery.status === 'succeeded'),
        )
        const original = listed.find(second.isIt)
        require
          .of('RPL-008')
          .dependingOn('DLV-005')
          .equal('status of a replay that was retried', original?.status, 'succeeded')
        checkKept(check, listed, second.it)
        if (original !== undefined)
          await checkReplay(context, { sandbox, webhook: late, event, original, name: 'a replay that succeeded late' })
        const paths = new Set(late.attempts(event).map(({ path }) => path))
        check.of('DLV-001').equal('targets of a delivery, a replay and its retry', paths.size, 1)
      }
      if (waiting === undefined || first === undefined) return
      await waiting.attempt(3, event, require.of('RPL-008'))
      const isPending = (delivery: DeliveryItem) =>
        first.isIt(delivery) && delivery.status === 'pending' && delivery.attempt === 2
      const listed = await waiting.deliveriesWhen((all) => all.some(isPending))
      checkKept(check, listed, first.it)
      const pending = listed.find(isPending)
      require.of('RPL-008').ok('a replay that waits for its third attempt', pending !== undefined, 'listed', 'absent')
      if (pending === undefined) return
      await waiting.attempt(1, await project.raise('message.received'), check.of('RTY-001'))
      const it = { sandbox, webhook: waiting, event }
      await checkReplay(context, { ...it, original: pending, name: 'a replay that is pending' })
      await checkReplay(context, { ...it, original: first.it.original, name: 'a delivery whose replay is pending' })
      waiting.endpoint.script(refused)
      const known = await replayed(context, { ...it, original: pending, name: 'a replay that is pending' })
      await sandbox.settle()
      await sandbox.advance(2 * day)
      const isFailed = (delivery: DeliveryItem) => delivery.id === pending.id && delivery.status === 'failed'
      const isOfPending = (delivery: DeliveryItem) => !known.includes(delivery.id)
      const ended = await waiting.deliveriesWhen(
        (all) => all.some(isFailed) && all.some((delivery) => isOfPending(delivery) && delivery.status === 'failed'),
      )
      const failed = ended.find(isFailed)
      check.of('RPL-008').equal('attempts of a replay with another replay', failed?.attempt, maxAttempts)
      const again = ended.find(isOfPending)
      check.of('RPL-008').equal('attempts of the replay of a replay that was pending', again?.attempt, maxAttempts)
      checkNothingAhead(check, sandbox, failed)
      checkKept(check, ended, first.it)
      if (failed !== undefined)
        await checkReplay(context, { ...it, original: failed, name: 'a replay that has failed' })
      if (late !== undefined)
        check.of('DLV-006').equal('attempts where a retried replay succeeded', late.attempts(event).length, 4)
    },
  }),
]
