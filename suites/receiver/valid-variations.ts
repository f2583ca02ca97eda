// The deliveries that cases on effects send to endpoints that report their work.

import { toleranceSeconds } from '../../spec/index.js'
import type { Delivery, ReceiverContext } from '../../harness/authoring.js'
import { forgeriesOf, reasonToSkip } from '../shared/forgeries/index.js'

/** The receiver's clock may be so far off ours. */
const marginSeconds = 15

const daySeconds = 86_400
/** What a clock is off that takes summer time, or the zone of its place, for UTC. */
const zoneSeconds = [3_600, 7_200, 28_800]

interface Edges {
  readonly inside: number
  readonly outside: readonly number[]
}

/** Ages on either side of the tolerance, in seconds. Where the user judges a consumer of another sender only the far ones are sure. */
export function edgesFor({ profile, scheme }: Pick<ReceiverContext, 'profile' | 'scheme'>): Edges {
  if (profile === 'interface')
    return {
      inside: toleranceSeconds - marginSeconds,
      outside: [toleranceSeconds + marginSeconds, ...zoneSeconds, 2 * daySeconds, 30 * daySeconds],
    }
  const { past = Infinity } = scheme.data.timestamp ?? {}
  return { inside: Math.min(5, Math.floor(past / 2)), outside: [daySeconds, 2 * daySeconds] }
}

export function received(id: string, message: string) {
  const data = {
    message_id: `msg_${message}`,
    inbox_id: 'ibx_1',
    thread_id: `thr_${message}`,
    from: 'ada@sender.example',
    subject: `Hello ${message}`,
  }
  return { id, type: 'message.received', timestamp: '2026-01-02T03:04:05.678Z', data }
}

/** How old or how far ahead a delivery may be for any receiver's clock, in seconds. */
export function withinTolerance(context: ReceiverContext): number {
  return edgesFor(context).inside
}

/** Valid deliveries that differ in what an endpoint may sort them by. */
export function validVariations(context: ReceiverContext): readonly Delivery[] {
  const { delivery, now, unique, ownEvents, profile } = context
  const within = withinTolerance(context)
  const spelt = (subject: string, indent?: number) => {
    const id = `evt_${unique()}`
    const { data, ...event } = received(id, unique())
    const more = { ...event, version: 2, data: { ...data, subject, spam_score: 0.1 } }
    return delivery({ id, body: Buffer.from(JSON.stringify(more, undefined, indent)) })
  }
  const large = (kilobytes: number) => spelt('long '.repeat((kilobytes * 1024) / 5))
  const samples = () => [spelt('Grüße 你好'), spelt('spaced', 1), large(8), large(64), large(600)]
  return [
    delivery({ timestamp: now() - within }),
    delivery({ timestamp: now() + within }),
    delivery({ chunkBytes: 64 }),
    delivery({ cuts: [1, 20] }),
    ...[...forgeriesOf('several').slice(2, 3), ...forgeriesOf('beside').slice(0, 1)].flatMap((odd) =>
      reasonToSkip(odd, context.scheme) === undefined ? (odd.make(delivery()) ?? []) : [],
    ),
    delivery({ extra: { 'content-type': 'application/json; charset=utf-8' } }),
    ...Array.from({ length: 3 }, () => delivery({ keepsConnection: true })),
    ...(ownEvents.length > 0 || profile !== 'interface' ? [] : [...samples(), large(24).with({ chunkBytes: 1_000 })]),
  ]
}
