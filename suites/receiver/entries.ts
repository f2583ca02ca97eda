// RCV-010  "A delivery is valid when at least one `v1` entry matches, at any position."
// RCV-011  "Entries with another version prefix are ignored."
// RCV-027  "Only the exact entry `v1,<base64>` matches: text after it, other padding, another alphabet or other unused bits
//           make another entry."

import { receiverCase } from '../../harness/authoring.js'
import { forged, forgedOf, refusesForgeries } from './forged.js'

export const entries = [
  receiverCase({
    id: 'receiver/entries/accepts-the-matching-entry-anywhere',
    requirements: ['RCV-010'],
    level: 'must',
    title: 'one matching entry is enough: first, in the middle, last, or with 12 others',
    needs: ['scheme:several'],
    async run(context) {
      const { delivery, accepts, refuses, require, scheme } = context
      await accepts(delivery(), require.of('RCV-001'))
      for (const { bad: odd } of forgedOf(context, 'several')) await accepts(odd)
      const none = delivery()
      const wrong = String(forged(none).fields.signature)
      await refuses(none.with({ signature: [wrong, wrong].join(scheme.data.signature.separator ?? ' ') }))
    },
  }),

  receiverCase({
    id: 'receiver/entries/ignores-other-versions-beside-a-good-entry',
    requirements: ['RCV-011'],
    level: 'must',
    title: 'entries of versions the receiver does not know do not spoil a matching v1 entry',
    needs: ['scheme:other-entries'],
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      for (const { bad: odd } of forgedOf(context, 'beside')) await accepts(odd)
    },
  }),

  receiverCase({
    id: 'receiver/entries/refuses-a-good-value-under-another-version',
    requirements: ['RCV-011'],
    level: 'must',
    title: 'the right value under another version or in another form is refused',
    needs: ['scheme:entry-prefix'],
    timeoutMs: 180_000,
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'version')
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/entries/takes-a-good-entry-beside-malformed-ones',
    requirements: ['RCV-010'],
    level: 'must',
    title: 'a malformed entry does not spoil a matching one',
    needs: ['scheme:several'],
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      for (const { bad: odd } of forgedOf(context, 'beside-malformed')) await accepts(odd)
    },
  }),

  receiverCase({
    id: 'receiver/entries/takes-the-exact-entry-alone',
    requirements: ['RCV-027'],
    level: 'should',
    title: 'an entry that matches only under lenient base64, or has trailing text, is refused',
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'loose-entry')
    },
  }),
]
