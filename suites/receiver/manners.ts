// The deliveries with which cases on effects ask endpoints that tell what they did.

import { toleranceSeconds } from '../../spec/index.js'
import type { Delivery, ReceiverContext } from '../../harness/authoring.js'

/** The receiver's clock may be so far off ours. */
const marginSeconds = 15

export const forgedEntry = `v1,${Buffer.alloc(32, 6).toString('base64')}`

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
export function withinTolerance({ profile }: ReceiverContext): number {
  return profile === 'interface' ? toleranceSeconds - marginSeconds : 5
}

/** Valid deliveries that differ in what an endpoint may sort them by. */
export function manners(context: ReceiverContext): readonly Delivery[] {
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
    delivery({ signature: (good) => `${forgedEntry} ${good} v1a,${Buffer.alloc(64, 5).toString('base64')}` }),
    delivery({ extra: { 'content-type': 'application/json; charset=utf-8' } }),
    ...Array.from({ length: 3 }, () => delivery({ keepsConnection: true })),
    ...(ownEvents.length > 0 || profile !== 'interface' ? [] : [...samples(), large(24).with({ chunkBytes: 1_000 })]),
  ]
}
