// RCV-009  "The raw body is verified before any parsing: a body that does not survive re-serialization is accepted when
//           its bytes are signed."
// RCV-018  "A large body is accepted."
// RCV-022  "A body sent in chunks, without a length, is accepted."
// RCV-030  "The bytes of the body are verified, not its text: bytes that a decoder reads as the same text are refused."
//
// Reading: no size is stated, so a large body is advice. 64 KB is more than any event of the interface needs and less than the limits of
// the usual frameworks. Neither HTTP nor the receiver depends on how a body is cut into packets.

import { receiverCase, type ReceiverContext } from '../../harness/authoring.js'
import { beyondAscii, bodyForms, cutsWithinCharacters, type BodyForm } from './spellings.js'

export const rawBody = [
  ...bodyForms.map((form) =>
    receiverCase({
      id: `receiver/raw-body/accepts-${form.name}`,
      requirements: ['RCV-009'],
      level: 'must',
      title: `a body with ${form.title} is accepted as signed`,
      async run(context) {
        await context.accepts(context.delivery(), context.require.of('RCV-001'))
        await context.accepts(spelt(context, form))
      },
    }),
  ),

  receiverCase({
    id: 'receiver/raw-body/refuses-the-same-json-in-other-bytes',
    requirements: ['RCV-009', 'RCV-008'],
    level: 'must',
    title: 'the same JSON in other bytes than those signed is refused',
    async run({ delivery, accepts, refuses, require }) {
      const good = delivery()
      await accepts(good, require.of('RCV-001'))
      const spaced = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(good.fields.body).toString()), null, 1))
      const other = delivery({ body: good.fields.body })
      await refuses(other.tampered({ body: Buffer.concat([spaced, Buffer.from(' ')]) }))
      // If a zero byte ends a text, the bytes after it are not checked.
      const ended = delivery()
      await refuses(ended.tampered({ body: Buffer.concat([ended.fields.body, Buffer.from('\0')]) }))
    },
  }),

  receiverCase({
    id: 'receiver/raw-body/tells-bytes-from-their-text',
    requirements: ['RCV-030'],
    level: 'should',
    title: 'an added byte order mark, an invalid byte and its replacement character are refused',
    needs: ['interface-events'],
    async run({ delivery, accepts, refuses, unique, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      const marked = delivery()
      await refuses(marked.tampered({ body: Buffer.concat([Buffer.from('\uFEFF'), marked.fields.body]) }))
      const mixed = delivery()
      const half = Math.floor(mixed.fields.body.length / 2)
      const [left, right] = [mixed.fields.body.subarray(0, half), mixed.fields.body.subarray(half)]
      await refuses(mixed.tampered({ body: Buffer.concat([left, Buffer.from([0xff]), right]) }))
      const id = `evt_${unique()}`
      const text = beyondAscii(id.slice('evt_'.length)).replace('ü', '\uFFFD')
      const signed = delivery({ id, body: Buffer.from(text) })
      const [before = '', after = ''] = text.split('\uFFFD')
      await refuses(
        signed.tampered({ body: Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]) }),
      )
    },
  }),

  receiverCase({
    id: 'receiver/raw-body/takes-a-body-in-pieces',
    requirements: ['RCV-009'],
    level: 'must',
    title: 'a body that arrives in pieces which cut characters is accepted as signed',
    async run({ delivery, accepts, unique, require, ownEvents }) {
      await accepts(delivery(), require.of('RCV-001'))
      const mark = unique()
      const own = { id: `evt_${mark}`, body: Buffer.from(beyondAscii(mark)) }
      const whole = ownEvents.length > 0 ? delivery() : delivery(own)
      const inCharacters = cutsWithinCharacters(whole.fields.body)
      const cuts = inCharacters.length > 0 ? inCharacters : [1, Math.ceil(whole.fields.body.length / 2)]
      await accepts(whole.with({ cuts }))
    },
  }),

  receiverCase({
    id: 'receiver/raw-body/takes-a-large-body',
    requirements: ['RCV-018'],
    level: 'should',
    title: 'a body of 64 KB is accepted',
    needs: ['interface-events'],
    async run({ delivery, accepts, unique, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await accepts(delivery({ event: largeEvent(unique()) }))
    },
  }),

  receiverCase({
    id: 'receiver/raw-body/takes-a-chunked-body',
    requirements: ['RCV-022'],
    level: 'should',
    title: 'a body sent in chunks, without a length, is accepted, small and large',
    needs: ['interface-events'],
    async run({ delivery, accepts, unique, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await accepts(delivery({ chunkBytes: 64 }))
      const mark = unique()
      await accepts(delivery({ id: `evt_${mark}`, body: Buffer.from(beyondAscii(mark)), chunkBytes: 1 }))
      await accepts(delivery({ event: largeEvent(unique(), 24), chunkBytes: 1_000 }))
    },
  }),

  ...(
    [
      ['large', 'a body of 64 KB', {}],
      ['chunked', 'a body in chunks', { chunkBytes: 1_000 }],
    ] as const
  ).map(([name, what, how]) =>
    receiverCase({
      id: `receiver/raw-body/verifies-a-${name}-body-as-it-came`,
      requirements: ['RCV-009'],
      level: 'must',
      title: `${what} that does not survive re-serialization is accepted as signed`,
      needs: ['interface-events'],
      async run({ delivery, send, accepts, unique, require, leaveToOthers }) {
        await accepts(delivery(), require.of('RCV-001'))
        const kilobytes = name === 'large' ? 64 : 2
        const plain = await send(delivery({ event: largeEvent(unique(), kilobytes), ...how }))
        const { status = 0 } = plain
        // Other cases test sizes and codings that it refuses, as advice: nothing is left open here.
        if (status < 200 || status > 299) leaveToOthers(`this endpoint does not take ${what}, which is advice`)
        const mark = unique()
        const body = Buffer.from(JSON.stringify(largeEvent(mark, kilobytes), undefined, 1))
        await accepts(delivery({ id: `evt_${mark}`, body, ...how }))
      },
    }),
  ),
]

/** A delivery whose body is spelt in this way. */
function spelt({ delivery, unique, ownEvents }: ReceiverContext, { text, respell }: BodyForm) {
  if (ownEvents.length > 0) {
    const own = delivery()
    return own.with({ body: Buffer.from(respell(Buffer.from(own.fields.body).toString())) })
  }
  const mark = unique()
  return delivery({ id: `evt_${mark}`, body: Buffer.from(text(mark)) })
}

function largeEvent(mark: string, kilobytes = 64): unknown {
  const subject = 'long '.repeat((kilobytes * 1024) / 5)
  const data = { message_id: `msg_${mark}`, inbox_id: 'ibx_1', thread_id: 'thr_1', from: 'a@b.example', subject }
  return { id: `evt_${mark}`, type: 'message.received', timestamp: '2026-01-02T03:04:05.678Z', data }
}
