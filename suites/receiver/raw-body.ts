// RCV-009  "The raw body is verified before any parsing: a body that does not survive re-serialization is accepted when
//           its bytes are signed."
// RCV-018  "A large body is taken."
// RCV-022  "A body sent in chunks, without a length, is taken."
//
// Reading: no size is stated. 64 KB is more than any event of the interface needs and less than the limits of the usual
// frameworks.

import { receiverCase } from '../../harness/authoring.js'

interface BodyForm {
  readonly name: string
  readonly title: string
  /** The JSON text of an event, with `mark` in it. */
  readonly text: (mark: string) => string
}

const head = (mark: string) => `"id":"evt_${mark}","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z"`
const message = (mark: string) =>
  `"message_id":"msg_${mark}","inbox_id":"ibx_1","thread_id":"thr_1","from":"a@b.example"`

/** Texts that mean the same event but are not what a JSON library writes. Each reveals a receiver that re-serialises. */
const forms: readonly BodyForm[] = [
  {
    name: 'spaces',
    title: 'spaces after colons and commas',
    text: (mark) => `{ ${head(mark).replaceAll(':"', ': "')}, "data": { ${message(mark)}, "subject": "x" } }`,
  },
  {
    name: 'line-breaks',
    title: 'line breaks and a trailing one',
    text: (mark) => `{\r\n${head(mark)},\r\n"data":{${message(mark)},"subject":"x"}}\n`,
  },
  {
    name: 'escaped-slash',
    title: 'an escaped slash',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"a\\/b"}}`,
  },
  {
    name: 'unicode-escapes',
    title: 'escaped letters',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"caf\\u00e9 \\u007f"}}`,
  },
  {
    name: 'numbers',
    title: 'numbers in other spellings',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"x","a":1.0,"b":1e2,"c":-0}}`,
  },
  {
    name: 'large-integers',
    title: 'integers beyond 2^53',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"x","n":9007199254740993}}`,
  },
  {
    name: 'key-order',
    title: 'integer-like keys out of order',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"x","m":{"10":1,"9":2}}}`,
  },
  {
    name: 'unicode',
    title: 'characters beyond ASCII and beyond the basic plane',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"Grüße 你好 👋 \u2028"}}`,
  },
]

export const rawBody = [
  ...forms.map(({ name, title, text }) =>
    receiverCase({
      id: `receiver/raw-body/accepts-${name}`,
      requirements: ['RCV-009'],
      level: 'must',
      title: `a body with ${title} is accepted as signed`,
      async run({ delivery, accepts, unique, require }) {
        await accepts(delivery(), require.of('RCV-001'))
        const mark = unique()
        await accepts(delivery({ id: `evt_${mark}`, body: Buffer.from(text(mark)) }))
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
      await refuses(delivery({ id: good.fields.id, body: good.fields.body }).tampered({ body: spaced }))
    },
  }),

  receiverCase({
    id: 'receiver/raw-body/takes-a-large-body',
    requirements: ['RCV-018'],
    level: 'must',
    title: 'a body of 64 KB is accepted',
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
    async run({ delivery, accepts, unique, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await accepts(delivery({ chunkBytes: 64 }))
      await accepts(delivery({ event: largeEvent(unique()), chunkBytes: 1_000 }))
    },
  }),
]

function largeEvent(mark: string): unknown {
  const subject = 'long '.repeat((64 * 1024) / 5)
  const data = { message_id: `msg_${mark}`, inbox_id: 'ibx_1', thread_id: 'thr_1', from: 'a@b.example', subject }
  return { id: `evt_${mark}`, type: 'message.received', timestamp: '2026-01-02T03:04:05.678Z', data }
}
