// VFY-001  "The signed string is `{webhook-id}.{webhook-timestamp}.{raw body}`: a change of the id, the timestamp or the body is
//           refused."
// VFY-005  "The raw body is verified before any parsing; re-serialized JSON does not match."
// VFY-011  "The body is bytes: an empty body, or one that is not JSON or not UTF-8, is verified as sent."
//
// Reading: no size is too large by the interface, but a library may have a limit; that it accepts such a body is advice. If it does, it
// must verify the whole body: one that truncates lets an attacker append bytes to a body of that size. A driver that cannot read such a
// long line has accepted nothing.

import { verifierCase } from '../../harness/authoring.js'
import { accepts, delivery, eventText } from './deliveries.js'

/** Sizes at which programs cut, in bytes. */
const sizes = [65_536, 100_000, 131_072, 262_144, 524_288, 1_000_000, 1_048_576, 2_097_152, 4_194_304] as const
/** A little more than a mebibyte, and than two. */
const taken = [1_048_579, 2_097_155] as const

/** Returns an event with this many bytes. */
function bodyOf(mark: string, bytes: number): Buffer {
  const event = JSON.parse(eventText(`evt_${mark}`, mark)) as object
  const length = Buffer.byteLength(JSON.stringify({ ...event, note: '' }))
  return Buffer.from(JSON.stringify({ ...event, note: 'x'.repeat(bytes - length) }))
}

export const largeBodies = [
  verifierCase({
    id: 'verifier/large-bodies/refuses-what-follows-a-signed-body',
    requirements: ['VFY-001', 'VFY-005'],
    level: 'must',
    title: 'a body of any size with added bytes or a changed last byte is refused',
    async run({ verify, check, unique }) {
      await accepts({ verify, check }, delivery(unique()))
      for (const bytes of sizes) {
        const mark = unique()
        const good = delivery(mark, { payload: bodyOf(mark, bytes) })
        const changed = Buffer.from(good.payload)
        changed[bytes - 2] = (changed[bytes - 2] ?? 0) ^ 1
        for (const [what, payload] of [
          ['blanks behind it', Buffer.concat([good.payload, Buffer.from('   ')])],
          ['another event appended to it', Buffer.concat([good.payload, Buffer.from('\n{"id":"evt_forged"}')])],
          ['its last letter changed', changed],
        ] as const) {
          const { kind } = await verify({ ...good, payload })
          if (kind === 'accepted')
            check.decision(kind, 'refused', {
              what: `verdict on a signed body of ${bytes} bytes with ${what}`,
              expected: 'anything but accepted',
            })
        }
      }
    },
  }),

  verifierCase({
    id: 'verifier/large-bodies/accepts-more-than-a-mebibyte',
    requirements: ['VFY-011'],
    level: 'should',
    title: `a body of ${taken.join(' and ')} bytes is accepted as signed`,
    async run({ verify, check, unique }) {
      for (const bytes of taken) {
        const mark = unique()
        await accepts({ verify, check }, delivery(mark, { payload: bodyOf(mark, bytes) }), `a body of ${bytes} bytes`)
      }
    },
  }),
]
