// RCV-005  "A delivery with no matching signature is refused."
// RCV-015  "A malformed header is a refusal, never a 5xx, a hang or a reset."
// RCV-016  "A refused delivery changes nothing for the next: valid deliveries are still accepted after an attack."
// RCV-021  "A refusal is a 4xx status."
// RCV-023  "`webhook-timestamp` is Unix seconds: a delivery whose timestamp is no integer number of seconds is refused."
//
// Reading: the interface says that such a delivery is rejected, not how: any status but a 2xx is a refusal. That it is a
// 4xx, and that a burst of forgeries locks nobody out, is advice.

import fc from 'fast-check'
import { receiverCase, type DeliveryFields } from '../../harness/authoring.js'

interface Malformation {
  readonly name: string
  readonly title: string
  readonly changes: Partial<DeliveryFields>
}

const mac = Buffer.alloc(32, 1).toString('base64')

const signatures: readonly Malformation[] = [
  { name: 'no-comma', title: 'a signature entry without a comma', changes: { signature: 'garbage' } },
  { name: 'bare-version', title: 'a signature of a version alone', changes: { signature: 'v1' } },
  { name: 'empty-value', title: 'a signature entry without a value', changes: { signature: 'v1,' } },
  { name: 'not-base64', title: 'a signature that is not base64', changes: { signature: 'v1,***not base64***' } },
  { name: 'one-character', title: 'a signature of one character', changes: { signature: 'v1,A' } },
  { name: 'only-commas', title: 'a signature of commas', changes: { signature: ',,,,' } },
  {
    name: 'many-entries',
    title: 'a signature of two hundred entries',
    changes: { signature: Array.from({ length: 100 }, () => `v1,${mac}`).join(' ') },
  },
  {
    name: 'latin-1-bytes',
    title: 'a signature with bytes beyond ASCII',
    changes: { signature: 'v1,\u00e9\u00ff\u00fe' },
  },
]

const timestamps: readonly Malformation[] = [
  ['letters', 'now'],
  ['iso-8601', '2026-01-02T03:04:05Z'],
  ['nan', 'NaN'],
  ['infinity', 'Infinity'],
  ['negative', '-1'],
  ['huge', '99999999999999999999'],
  ['minimum-of-64-bits', '-9223372036854775808'],
  ['hexadecimal', '0x65a0bc00'],
].map(([name = '', timestamp = '']) => ({
  name: `timestamp-${name}`,
  title: `the timestamp ${timestamp.slice(0, 24)}`,
  changes: { timestamp },
}))

const largeBytes = 512 * 1024
/** Longest time of a case of many deliveries: each may take up to 10 seconds. */
const slowMs = 400_000

const refusing = (requirement: 'RCV-005' | 'RCV-023', rows: readonly Malformation[]) =>
  rows.map(({ name, title, changes }) =>
    receiverCase({
      id: `receiver/malformed/refuses-${name}`,
      requirements: [requirement],
      level: 'must',
      title: `${title} is refused, and the next valid delivery accepted`,
      async run({ delivery, accepts, refuses, require, check }) {
        await accepts(delivery(), require.of('RCV-001'))
        await refuses(delivery(changes))
        await accepts(delivery(), check.of('RCV-001'))
      },
    }),
  )

export const malformed = [
  ...refusing('RCV-005', signatures),
  ...refusing('RCV-023', timestamps),

  receiverCase({
    id: 'receiver/malformed/refuses-milliseconds',
    requirements: ['RCV-007'],
    level: 'must',
    title: 'a timestamp in milliseconds is refused',
    async run({ delivery, accepts, refuses, now, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await refuses(delivery({ timestamp: now() * 1000 }))
    },
  }),

  receiverCase({
    id: 'receiver/malformed/refuses-a-date-of-this-moment',
    requirements: ['RCV-023'],
    level: 'must',
    title: 'a timestamp written as a date is refused, even if it was signed that way',
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await refuses(delivery({ timestamp: new Date().toISOString() }))
      await refuses(delivery({ timestamp: new Date().toUTCString() }))
    },
  }),

  receiverCase({
    id: 'receiver/malformed/refuses-any-header-text',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'malformed values in the three headers are refused, and the next valid delivery accepted',
    timeoutMs: slowMs,
    async run({ delivery, accepts, refuses, property, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await property(
        anyHeaders,
        async (headers, requireThat) => {
          await refuses(delivery(headers), requireThat)
          await accepts(delivery(), requireThat.of('RCV-001'))
        },
        { runs: 12 },
      )
    },
  }),

  receiverCase({
    id: 'receiver/malformed/never-answers-garbage-with-a-server-error',
    requirements: ['RCV-015'],
    level: 'should',
    title: 'a malformed header is answered with a 4xx',
    timeoutMs: slowMs,
    async run({ delivery, accepts, send, check, property, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (const { title, changes } of [...signatures, ...timestamps]) {
        const answer = await send(delivery(changes))
        check.ok(`answer to ${title}`, isClientError(answer.status), 'a 4xx', answer.status ?? answer.failure)
      }
      await property(
        anyHeaders,
        async (headers, requireThat) => {
          requireThat.status(await send(delivery(headers)), '4xx')
        },
        { runs: 15 },
      )
      await accepts(delivery(), require.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/malformed/keeps-accepting-after-an-attack',
    formerly: ['receiver/raw-body/survives-a-very-large-body'],
    requirements: ['RCV-016'],
    level: 'should',
    title: 'after thirty forged deliveries and a huge one, a valid delivery is still accepted',
    timeoutMs: slowMs,
    async run({ delivery, accepts, send, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (let count = 0; count < 30; count++)
        await send(delivery({ signature: `v1,${Buffer.alloc(32, count).toString('base64')}` }))
      await accepts(delivery())
      await send(delivery().tampered({ body: Buffer.alloc(largeBytes, 'x') }))
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/malformed/refuses-with-a-plain-status',
    requirements: ['RCV-021'],
    level: 'should',
    title: 'a forged, a stale and an incomplete delivery are refused with a 4xx',
    async run({ delivery, accepts, send, check, require, now }) {
      await accepts(delivery(), require.of('RCV-001'))
      check.status(await send(delivery({ signature: `v1,${mac}` })), '4xx')
      check.status(await send(delivery({ timestamp: now() - 3_600 })), '4xx')
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        check.status(await send(delivery({ without: [name] })), '4xx')
    },
  }),
]

const text = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 60 })
  .map((each) => each.trim())

const anyHeaders = fc.record({ id: text, timestamp: text, signature: text.map((each) => `v1,${each}`.trim()) })

function isClientError(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500
}
