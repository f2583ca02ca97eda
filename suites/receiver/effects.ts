// RCV-019  "Consumers use `webhook-id` to drop duplicates: however often an event is sent, its work is done once."
// RCV-025  "A 2xx means that the event was accepted: its work is done."
//
// Reading: the endpoint reports how often it handled an event. Most of the nine types may need no work there (a count of 0), but
// `message.received` and the user's own events must be handled.

import { loadEventSamples } from '../../fixtures/index.js'
import { receiverCase, type Delivery, type ReceiverContext } from '../../harness/authoring.js'
import { forged } from './forged.js'
import { validVariations, received, withinTolerance } from './valid-variations.js'

const slowMs = 300_000
/** Deliveries of one event at once, and how often that is tried: a race fails only sometimes. */
const burst = { size: 8, times: 4 }
/** Other events between two deliveries of the same one; fewer if they would take longer than this, in milliseconds. */
const between = { most: 100, withinMs: 60_000, sideBySide: 5 }

/** Pieces of a slow body, which takes about two seconds. */
const slowPieces = 130
/** Wait before the valid copy is sent meanwhile, in milliseconds. */
const underWayMs = 400

const daySeconds = 86_400
/** A moment after the first retry, which is due 5 seconds after the first attempt, in milliseconds. */
const afterFirstRetryMs = 6_000

export const effects = [
  receiverCase({
    id: 'receiver/effects/handles-every-event-it-takes',
    requirements: ['RCV-025'],
    level: 'must',
    title: 'a delivery answered with a 2xx is handled once, within 5 seconds',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run({ delivery, accepts, handled, check, unique, ownEvents, profile }) {
      const samples = profile === 'interface' ? loadEventSamples() : []
      const others = samples.map((sample) => () => delivery({ event: { ...sample, id: `evt_${unique()}` } }))
      const needed = ownEvents.map((own) => own.delivery)
      for (const make of ownEvents.length > 0 ? [] : others) {
        const { id } = (await taken({ accepts, check }, make())).fields
        const count = await handled.of(id)
        check.ok(`how often ${id} was handled`, count <= 1, '0 or 1', count)
      }
      for (const make of needed.length > 0 ? needed : Array.from({ length: 6 }, () => () => delivery())) {
        const { id } = (await taken({ accepts, check }, make())).fields
        check.equal(`how often ${id} was handled, within 5 s of its answer`, await handled.awaited(id), 1)
      }
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-events-that-come-side-by-side',
    requirements: ['RCV-025'],
    level: 'must',
    title: 'each of several concurrent events that is answered with a 2xx is handled exactly once',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run({ delivery, send, accepts, handled, check, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      const all = Array.from({ length: 10 }, () => delivery())
      const answers = await Promise.all(all.map(async (sent) => ({ sent, answer: await send(sent) })))
      for (const { sent } of answers.filter(({ answer: { status = 0 } }) => status >= 200 && status < 300))
        check.equal(
          `handled count of ${sent.fields.id}, among others, within 5 s`,
          await handled.awaited(sent.fields.id),
          1,
        )
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-events-whose-ids-are-alike',
    requirements: ['RCV-025'],
    level: 'must',
    title: 'events whose ids differ in letter case, beginning or end are separate events',
    // The id of the user's own events may be in the body, so that it cannot be chosen.
    needs: ['handled', 'sample-events'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, accepts, unique, require, check } = context
      await accepts(delivery(), require.of('RCV-001'))
      const mark = unique()
      const ends = ['aA', 'aa', 'a', 'aA0', 'a-A'].map((end) => `evt_${mark}${end}`)
      const long = ['1', '2'].map((end) => `evt_${mark}`.padEnd(63, '0') + end)
      for (const id of [...ends, ...long, `evt_a${mark}`, `evt_b${mark}`, `evt_a-${mark}`, `evt_b-${mark}`]) {
        const sent = delivery({ event: { ...received(id, unique()), id } })
        await accepts(sent, check.of('RCV-001'))
        await isHandledOnce(context, sent)
      }
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-every-event-of-a-message',
    requirements: ['RCV-025'],
    level: 'must',
    title: 'events differ by id: another type with the same message and time is not a duplicate',
    needs: ['handled', 'interface-events'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, accepts, unique, require, check, handled } = context
      const message = unique()
      const event = received(`evt_${unique()}`, message)
      const [recipient, status] = ['bob@recipient.example', 'delivered']
      const outcome = { recipient, response: '250 ok', bounce_classification: null, permanent: false, status }
      const [type, data] = ['message.delivered', { ...event.data, ...outcome }]
      const before = { ...event, id: `evt_${unique()}`, type, data }
      await accepts(delivery({ event: before }), require.of('RCV-001'))
      const sent = delivery({ event })
      await accepts(sent, check.of('RCV-001'))
      await isHandledOnce(context, sent)
      // A message has several recipients, and is delivered to each; an endpoint without work for that need not do any.
      if ((await handled.of(before.id)) === 0) return
      const another = { ...before, id: `evt_${unique()}`, data: { ...before.data, recipient: 'eve@recipient.example' } }
      const next = delivery({ event: another })
      await accepts(next, check.of('RCV-001'))
      await isHandledOnce(context, next)
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-an-event-once',
    requirements: ['RCV-019'],
    level: 'must',
    title: 'repeats are handled once: the same bytes, signed again, or other bytes',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, accepts, sendInvalid, now, check, require } = context
      const first = delivery({ timestamp: now() - Math.min(5, withinTolerance(context)) })
      await accepts(first, require.of('RCV-001'))
      await isHandledOnce(context, first)
      // An invalid delivery does not make a known event new again. Other cases check that it is refused.
      const withNewline = Buffer.concat([Buffer.from(first.fields.body), Buffer.from('\n')])
      for (const bad of [forged(first), first.tampered({ body: withNewline })]) await sendInvalid(bad)
      if (context.scheme.has('past')) await sendInvalid(first.with({ timestamp: now() - daySeconds }))
      await accepts(first, check.of('RCV-012'))
      // Some endpoints group the ids that they remember by time, for example by hour.
      const within = withinTolerance(context)
      for (const ofNow of [0, -within, within])
        await accepts(first.with({ timestamp: now() + ofNow }), check.of('RCV-012'))
      // An endpoint that refuses these bytes verifies other ones, which another case reports.
      await accepts(first.with({ timestamp: now(), body: withNewline }), check.of('RCV-009'))
      await staysHandledOnce(context, first)
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-an-event-once-side-by-side',
    requirements: ['RCV-019'],
    level: 'must',
    title: 'the same event several times at once is handled once',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, send, accepts, require, check, handled, now } = context
      await accepts(delivery(), require.of('RCV-001'))
      const events: Delivery[] = []
      for (let time = 0; time < burst.times; time++) {
        const same = delivery()
        const copies = Array.from({ length: burst.size }, (_, index) =>
          index % 2 === 0 ? same : same.with({ timestamp: now() - index }),
        )
        await Promise.all(copies.map((copy) => send(copy)))
        await accepts(same, check.of('RCV-012'))
        events.push(same)
      }
      for (const event of events) await handled.awaited(event.fields.id)
      const counts = await handled.watched(idsOf(events), 1)
      for (const [id, count] of counts)
        check.equal(`how often ${id} was handled, sent ${burst.size + 1} times`, count, 1)
    },
  }),

  receiverCase({
    id: 'receiver/effects/remembers-an-event-after-others',
    requirements: ['RCV-019', 'RCV-025'],
    level: 'must',
    title: `an event repeated after up to ${between.most} others and over five seconds is handled once`,
    needs: ['handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, accepts, send, require, check, now } = context
      const first = delivery()
      const { durationMs } = await accepts(first, require.of('RCV-001'))
      const takenAt = performance.now()
      await isHandledOnce(context, first)
      const rounds = Math.min(
        between.most / between.sideBySide,
        Math.ceil(between.withinMs / Math.max(1, durationMs * 2)),
      )
      const others: string[] = []
      const sendOther = async () => {
        const other = delivery()
        const { status = 0 } = await send(other)
        if (status >= 200 && status < 300) others.push(other.fields.id)
      }
      for (let round = 0; round < rounds; round++)
        await Promise.all(Array.from({ length: between.sideBySide }, sendOther))
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, takenAt + afterFirstRetryMs - performance.now())))
      await accepts(first.with({ timestamp: now() }), check.of('RCV-012'))
      await staysHandledOnce(context, first)
      const lost = await context.handled.missing(others, between.sideBySide)
      check.of('RCV-025').equal(`of ${others.length} events that were taken, those never handled`, lost, [])
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-an-event-after-an-attempt-that-broke-off',
    requirements: ['RCV-025'],
    level: 'must',
    title: 'a cut-off delivery does not use up its id: the valid one is handled',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, send, accepts, check, require, handled } = context
      const plain = delivery()
      await accepts(plain, require.of('RCV-001'))
      require.equal(
        'how often a plain event was handled, within 5 s of its answer',
        await handled.awaited(plain.fields.id),
        1,
      )
      const broken = delivery()
      await send(broken.with({ breaksOffAfter: Math.ceil(broken.fields.body.length / 2) }))
      await accepts(broken, check.of('RCV-001'))
      await isHandledOnce(context, broken)
      const good = delivery()
      const cuts = Array.from({ length: Math.min(slowPieces, good.fields.body.length - 1) }, (_, index) => index + 1)
      const underWay = send(forged(good).with({ cuts }))
      await new Promise((resolve) => setTimeout(resolve, underWayMs))
      await accepts(good, check.of('RCV-001'))
      await underWay
      await isHandledOnce(context, good)
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-an-event-however-it-comes',
    requirements: ['RCV-025'],
    level: 'must',
    title: 'a valid event is handled at any legal age, in chunks, in pieces, or large',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { accepts, send, delivery, require, handled } = context
      const plain = delivery()
      await accepts(plain, require.of('RCV-001'))
      require.equal(
        'how often a plain event was handled, within 5 s of its answer',
        await handled.awaited(plain.fields.id),
        1,
      )
      for (const sent of validVariations(context)) {
        // Another case tests whether it must be accepted: here, that an accepted event was processed.
        const { status = 0 } = await send(sent)
        if (status >= 200 && status < 300) await isHandledOnce(context, sent)
      }
    },
  }),
]

type Judge = Pick<ReceiverContext, 'accepts' | 'check'>

async function taken({ accepts, check }: Judge, sent: Delivery): Promise<Delivery> {
  await accepts(sent, check.of('RCV-001'))
  return sent
}

export async function isHandledOnce({ handled, check }: ReceiverContext, { fields: { id } }: Delivery): Promise<void> {
  check.of('RCV-025').equal(`how often ${id} was handled, within 5 s of its answer`, await handled.awaited(id), 1)
}

async function staysHandledOnce({ handled, check }: ReceiverContext, { fields: { id } }: Delivery): Promise<void> {
  const counts = await handled.watched([id], 1)
  check.of('RCV-019').equal(`how often ${id} was handled, sent several times`, counts.get(id), 1)
}

export function idsOf(deliveries: readonly Delivery[]): readonly string[] {
  return [...new Set(deliveries.flatMap((delivery) => delivery.ids))]
}
