// RCV-005  "A delivery with no matching signature is refused."
// RCV-009  "The raw body is verified before any parsing: a body that does not survive re-serialization is accepted when its bytes are signed."
// RCV-015  "A malformed header is a refusal, never a 5xx, a hang or a reset."
// RCV-016  "A refused delivery changes nothing for the next: valid deliveries are still accepted after an attack."
// RCV-021  "A refusal is a 4xx status."
// RCV-031  "The timestamp is the text that was signed: another spelling of the same number of seconds is refused."
// RCV-023  "`webhook-timestamp` is Unix seconds: a delivery whose timestamp is not an integer number of seconds is refused."
//
// Reading: the interface requires that such a delivery is rejected, not how: any status but a 2xx is a refusal. That it is a 4xx, and that
// a burst of forgeries blocks no valid sender, is advice.

import fc from 'fast-check'
import { receiverCase, type ReceiverContext } from '../../harness/authoring.js'
import { forgeriesOf, reasonToSkip, type ForgeryGroup } from '../shared/forgeries/index.js'
import { forged, forgedOf } from './forged.js'

const largeBytes = 512 * 1024
/** Longest time of a case of many deliveries: each may take up to 10 seconds. */
const slowMs = 400_000

/** A case for each malformed value of a header. */
const refusing = (requirement: 'RCV-005' | 'RCV-023', group: ForgeryGroup, prefix = '') =>
  forgeriesOf(group).map((forgery) =>
    receiverCase({
      id: `receiver/malformed/refuses-${prefix}${forgery.name}`,
      requirements: [requirement],
      level: 'must',
      title: `${forgery.title} is refused, and the next valid delivery accepted`,
      needs: (forgery.needs ?? []).map((feature) => `scheme:${feature}` as const),
      async run({ delivery, accepts, refuses, require, check, scheme, leaveToOthers }) {
        const reason = reasonToSkip(forgery, scheme)
        if (reason !== undefined) leaveToOthers(reason)
        await accepts(delivery(), require.of('RCV-001'))
        await refuses(forgery.make(delivery()) ?? forged(delivery()), check, forgery.title)
        await accepts(delivery(), check.of('RCV-001'))
      },
    }),
  )

export const malformed = [
  ...refusing('RCV-005', 'malformed-signature'),
  ...refusing('RCV-023', 'malformed-timestamp', 'timestamp-'),

  receiverCase({
    id: 'receiver/malformed/refuses-milliseconds',
    requirements: ['RCV-007'],
    level: 'must',
    title: 'a timestamp in milliseconds is refused',
    needs: ['scheme:future'],
    async run({ delivery, accepts, refuses, now, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await refuses(delivery({ timestamp: now() * 1000 }))
    },
  }),

  receiverCase({
    id: 'receiver/malformed/refuses-a-date-of-this-moment',
    requirements: ['RCV-031'],
    level: 'should',
    needs: ['scheme:timestamp-header', 'scheme:past'],
    title: 'a timestamp written as a date is refused, even if it was signed that way',
    async run({ delivery, accepts, refuses, require, scheme, leaveToOthers }) {
      const lenience = scheme.data.leniences?.['timestamp-malformed']
      if (lenience !== undefined) leaveToOthers(lenience)
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
    async run(context) {
      const { delivery, accepts, sendInvalid, check, property, require, forEach } = context
      await accepts(delivery(), require.of('RCV-001'))
      await forEach(malformedOf(context), async ({ bad, title }) => {
        const answer = await sendInvalid(bad)
        check.ok(`answer to ${title}`, isClientError(answer.status), 'a 4xx', answer.status ?? answer.failure)
      })
      await property(
        anyHeaders,
        async (headers, requireThat) => {
          requireThat.status(await sendInvalid(delivery(headers), requireThat), '4xx')
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
    async run({ delivery, accepts, sendInvalid, require, forEach }) {
      await accepts(delivery(), require.of('RCV-001'))
      await forEach(Array.from({ length: 30 }), () => sendInvalid(forged(delivery())))
      await accepts(delivery())
      await sendInvalid(delivery().tampered({ body: Buffer.alloc(largeBytes, 'x') }))
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/malformed/verifies-a-body-before-it-reads-it',
    requirements: ['RCV-009', 'RCV-001'],
    level: 'must',
    title: 'an unsigned body that breaks parsers is refused, and the next valid delivery accepted',
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, accepts, refuses, send, sendInvalid, check, require, forEach } = context
      await accepts(delivery(), require.of('RCV-001'))
      const usual = await sendInvalid(forged(delivery()))
      await forEach(forgedOf(context, 'hostile-body'), async ({ bad, title }) => {
        let { status } = await refuses(bad, check.of('RCV-009'), title)
        // A receiver may fail now and then, whatever it is sent.
        for (let count = 0; count < 2 && isFault(status); count++) ({ status } = await sendInvalid(bad))
        // Any status but a 2xx is a refusal: a 5xx is a crash where other forgeries are refused by another status.
        if (isFault(usual.status) || status === undefined) return
        const expected = `no 5xx (${usual.status} to a plain forgery)`
        check.of('RCV-009').ok(`answer to ${title}`, !isFault(status), expected, status)
      })
      await accepts(delivery(), check.of('RCV-001'))
      // What a receiver makes of a signed one is open, but that it goes on.
      await send(delivery().with({ body: deeplyNested }))
      await accepts(delivery(), check.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/malformed/refuses-with-a-plain-status',
    requirements: ['RCV-021'],
    level: 'should',
    title: 'a forged, a stale and an incomplete delivery are refused with a 4xx',
    async run(context) {
      const { delivery, accepts, sendInvalid, check, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      check.status(await sendInvalid(forged(delivery())), '4xx')
      const groups = ['stale', 'missing-id', 'missing-timestamp', 'missing-signature'] as const
      for (const { bad } of groups.flatMap((group) => forgedOf(context, group).slice(0, 1)))
        check.status(await sendInvalid(bad), '4xx')
    },
  }),
]

const text = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 60 })
  .map((text) => text.trim())

const anyHeaders = fc.record({ id: text, timestamp: text, signature: text.map((value) => `v1,${value}`.trim()) })

const malformedOf = (context: ReceiverContext) => [
  ...forgedOf(context, 'malformed-signature'),
  ...forgedOf(context, 'malformed-timestamp'),
]

/** A body that is signed, and that a recursive reader does not survive. */
const deeplyNested = Buffer.from(
  `{"id":"evt_deep","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z","data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
)

const isFault = (status: number | undefined): boolean => status === undefined || status >= 500

function isClientError(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500
}
