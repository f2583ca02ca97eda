// VFY-004  "A delivery is valid when at least one `v1` entry equals the computed signature, at any position."
// VFY-013  "A malformed header is a refusal: the verifier neither crashes nor stops answering."
// VFY-014  "Each delivery is verified independently: an earlier one, valid or not, changes no result."

import fc from 'fast-check'
import { memberOf, newSecret, verifierCase } from '../../harness/authoring.js'
import { accepts, decides, delivery, refuses, testClock, withHeaders, wrongEntry } from './deliveries.js'

/**
 * Values of a hostile sender for a header; none of them is the signed one. All of them are valid in an HTTP field: a value that no server
 * would pass on proves nothing.
 */
const hostile: readonly (readonly [name: string, value: string])[] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['a word', 'garbage'],
  ['a version alone', 'v1'],
  ['a version and a comma', 'v1,'],
  ['a comma', ','],
  ['many commas', ',,,,,,'],
  ['no base64', 'v1,***'],
  ['one character', 'v1,A'],
  ['ten thousand entries', Array.from({ length: 10_000 }, () => 'v1,AAAA').join(' ')],
  ['a long line', `v1,${'A'.repeat(100_000)}`],
]

const beyondAscii = [
  'v1,Grüße',
  'Grüße',
  'v1,\u00e9\u00ff\u00fe',
  // As many characters as a signature has, and more bytes: a comparison that counts one and reads the other throws.
  `v1,\u00e9${'A'.repeat(42)}=`,
  `v1,${'\u00e9'.repeat(44)}`,
] as const

const hostileTimestamps: readonly string[] = [
  '',
  ' ',
  'abc',
  '1e999',
  'NaN',
  '-9223372036854775808',
  '9223372036854775808',
  '99999999999999999999',
  '0x6b49d200',
]

/** One delivery of each way to be refused. */
const reasons: readonly (readonly [why: string, changes: Readonly<Record<string, string | undefined>>])[] = [
  ['a wrong signature', { 'webhook-signature': wrongEntry }],
  ['no signature', { 'webhook-signature': undefined }],
  ['no id', { 'webhook-id': undefined }],
  ['a malformed timestamp', { 'webhook-timestamp': 'yesterday' }],
  ['an old timestamp', { 'webhook-timestamp': String(testClock - 3_600) }],
  ['a future timestamp', { 'webhook-timestamp': String(testClock + 3_600) }],
]

/** Data of events with the values that programs are apt to leave out or to change. */
const rareData: readonly (readonly [type: string, data: Readonly<Record<string, unknown>>])[] = [
  [
    'message.bounced',
    {
      message_id: 'msg_1',
      inbox_id: 'ibx_1',
      thread_id: 'thr_1',
      recipient: 'bob@recipient.example',
      response: '',
      bounce_classification: null,
      permanent: false,
      status: 'bounced',
    },
  ],
  [
    'message.queued',
    { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', to: ['bob@recipient.example'], cc: [], subject: '' },
  ],
  [
    'message.queued',
    {
      message_id: 'msg_1Ab',
      inbox_id: 'ibx_1',
      thread_id: 'thr_1',
      to: Array.from({ length: 30 }, (_, index) => `Bob.${index}@recipient.example`),
      cc: ['eve@recipient.example'],
      subject: ` Tom &amp; Zoe\u0308 ${'and so on '.repeat(40)}`,
    },
  ],
  [
    'sending.paused',
    {
      workspace_id: 'wsp_1',
      status: 'paused',
      reason: 'Too many "complaints" \u2028 é',
      paused_at: '2026-01-02T03:04:05+00:00',
      stats: { sent: 0, complaint_rate: 0.001, days: [{ sent: 1 }, { sent: 2 }] },
    },
  ],
]

/** An object without its members that are null. */
function withoutNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

export const state = [
  verifierCase({
    id: 'verifier/state/survives-malformed-signatures',
    requirements: ['VFY-013', 'VFY-009'],
    level: 'must',
    title: 'a malformed signature header is refused, and the next valid delivery accepted',
    async run({ verify, check, unique }) {
      await accepts({ verify, check }, delivery(unique()))
      for (const [name, value] of hostile) {
        await refuses(
          { verify, check: check.of('VFY-009') },
          withHeaders(delivery(unique()), { 'webhook-signature': value }),
          `a signature header of ${name}`,
        )
        await accepts(
          { verify, check: check.of('VFY-014') },
          delivery(unique()),
          `a valid delivery after a signature header of ${name}`,
        )
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/survives-malformed-entries-beside-a-good-one',
    requirements: ['VFY-004', 'VFY-013'],
    level: 'must',
    title: 'a malformed entry does not spoil a matching one',
    async run({ verify, check, unique }) {
      for (const [name, value] of hostile.slice(2, 9)) {
        const good = delivery(unique())
        const mixedEntries = withHeaders(good, { 'webhook-signature': `${value} ${good.headers['webhook-signature']}` })
        await accepts({ verify, check }, mixedEntries, `a matching entry after ${name}`)
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/survives-letters-beyond-ascii',
    requirements: ['VFY-013'],
    level: 'should',
    title: 'a signature header with letters beyond ASCII is refused like any other',
    async run({ verify, check, unique }) {
      await accepts({ verify, check }, delivery(unique()))
      for (const value of beyondAscii)
        await refuses({ verify, check }, withHeaders(delivery(unique()), { 'webhook-signature': value }), value)
    },
  }),

  // How such a header is refused is advice, since few servers hand one over; that it is not taken is not.
  verifierCase({
    id: 'verifier/state/takes-no-letters-beyond-ascii-for-a-signature',
    requirements: ['VFY-009'],
    level: 'must',
    title: 'a signature header with letters beyond ASCII makes no delivery valid',
    async run({ verify, check, unique }) {
      await accepts({ verify, check }, delivery(unique()))
      for (const value of beyondAscii) {
        const verdict = await verify(withHeaders(delivery(unique()), { 'webhook-signature': value }))
        if (verdict.kind === 'accepted')
          check.decision('accepted', 'refused', { what: `verdict on ${value}`, expected: 'anything but accepted' })
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/survives-malformed-timestamps',
    requirements: ['VFY-013', 'VFY-012'],
    level: 'must',
    title: 'a timestamp that is not a number is refused, and the next valid delivery accepted',
    async run({ verify, check, unique }) {
      await accepts({ verify, check }, delivery(unique()))
      for (const value of hostileTimestamps) {
        const what = `the timestamp ${JSON.stringify(value.slice(0, 30))}`
        const bad = withHeaders(delivery(unique()), { 'webhook-timestamp': value })
        await refuses({ verify, check: check.of('VFY-012') }, bad, what)
      }
      await accepts(
        { verify, check: check.of('VFY-014') },
        delivery(unique()),
        'a valid delivery after malformed timestamps',
      )
    },
  }),

  verifierCase({
    id: 'verifier/state/survives-any-header-text',
    requirements: ['VFY-013'],
    level: 'must',
    title: 'random values that an HTTP field may have are refused, never a crash',
    async run({ property, verify, unique }) {
      // Containers of headers differ in what they make of bytes beyond ASCII.
      const printable = fc.integer({ min: 0x20, max: 0x7e })
      const text = fc
        .string({ unit: printable.map((code) => String.fromCharCode(code)), maxLength: 80 })
        .map((text) => text.trim())
      await property(
        fc.record({ timestamp: text, signature: text }),
        async ({ timestamp, signature }, require) => {
          const bad = withHeaders(delivery(unique()), {
            'webhook-timestamp': timestamp,
            'webhook-signature': signature,
          })
          await refuses({ verify, check: require }, bad, 'random headers')
        },
        { runs: 60 },
      )
    },
  }),

  verifierCase({
    id: 'verifier/state/refuses-each-missing-header',
    requirements: ['VFY-008'],
    level: 'must',
    title: 'a delivery without one of the three headers, or without any, is refused',
    async run({ verify, check, unique }) {
      const good = delivery(unique())
      await accepts({ verify, check }, good)
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        await refuses({ verify, check }, withHeaders(good, { [name]: undefined }), `a delivery without ${name}`)
      await refuses({ verify, check }, { ...good, headers: {} }, 'a delivery without headers')
      await accepts({ verify, check: check.of('VFY-014') }, good, 'the complete delivery again')
    },
  }),

  verifierCase({
    id: 'verifier/state/judges-the-same-id-twice',
    requirements: ['VFY-014'],
    level: 'must',
    title: 'the same delivery is accepted twice, and a forgery with its id refused between',
    async run({ verify, check, unique }) {
      const good = delivery(unique())
      await accepts({ verify, check }, good)
      await accepts({ verify, check }, good, 'the same delivery again')
      await refuses(
        { verify, check },
        withHeaders(good, { 'webhook-signature': wrongEntry }),
        'a forged delivery with the id of an accepted one',
      )
      await accepts({ verify, check }, good, 'the same delivery after a forged one')
    },
  }),

  verifierCase({
    id: 'verifier/state/a-bad-delivery-does-not-poison-the-next',
    requirements: ['VFY-014'],
    level: 'must',
    title: 'after each bad delivery the next valid one, under either secret, is accepted',
    async run({ verify, check, unique }) {
      const secret = newSecret()
      const good = () => delivery(unique(), { secret })
      const bad = [
        withHeaders(good(), { 'webhook-signature': wrongEntry }),
        { ...good(), payload: Buffer.from('{}') },
        withHeaders(good(), { 'webhook-timestamp': '1' }),
        withHeaders(good(), { 'webhook-id': undefined }),
        { ...good(), secret: newSecret() },
      ]
      for (const request of bad) {
        await refuses({ verify, check }, request, 'a bad delivery')
        await accepts({ verify, check }, good(), 'a valid delivery after a bad one')
        await accepts({ verify, check }, delivery(unique()), 'a valid delivery under another secret')
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/keeps-deliveries-side-by-side-apart',
    requirements: ['VFY-014'],
    level: 'must',
    title: 'concurrent deliveries under several secrets are each verified by their own',
    async run({ verify, check, unique }) {
      const good = Array.from({ length: 6 }, () => delivery(unique()))
      const requested = good.flatMap((request, index) => {
        const other = good[(index + 1) % good.length] ?? request
        return [
          { request, expected: 'accepted' },
          { request: { ...request, payload: other.payload }, expected: 'refused' },
          { request: { ...request, secret: other.secret }, expected: 'refused' },
        ]
      })
      const verdicts = await Promise.all(requested.map(({ request }) => verify(request)))
      check.equal(
        'verdicts',
        verdicts.map(({ kind }) => kind),
        requested.map(({ expected }) => expected),
      )
    },
  }),

  verifierCase({
    id: 'verifier/state/returns-the-event',
    requirements: ['VFY-016'],
    level: 'must',
    title: 'a verified delivery returns its own parsed event, also for a repeated id',
    async run({ verify, check, unique, skip }) {
      const first = delivery(unique())
      const { id } = JSON.parse(Buffer.from(first.payload).toString()) as { id: string }
      const second = delivery(unique(), { secret: first.secret, id })
      for (const [name, good] of Object.entries({ event: first, 'event of the same id and another body': second })) {
        const verdict = await verify(good)
        decides(check, verdict, { due: 'accepted', what: `verdict on the ${name}` })
        if (verdict.kind !== 'accepted') return
        const isReported = verdict.event !== undefined && verdict.event !== null
        if (!isReported) skip('the driver returns no event: it answers "ok" alone')
        check.equal(name, verdict.event, JSON.parse(Buffer.from(good.payload).toString()))
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/returns-every-field-of-the-event',
    requirements: ['VFY-016'],
    level: 'must',
    title: 'empty, false, null and nested data are returned unchanged; null may be left out',
    async run({ verify, check, unique, skip }) {
      for (const [type, data] of rareData) {
        const id = `evt_${unique()}`
        const payload = Buffer.from(JSON.stringify({ id, type, timestamp: '2026-01-02T03:04:05.678Z', data }))
        const verdict = await verify(delivery(unique(), { id, payload }))
        decides(check, verdict, { due: 'accepted', what: `verdict on ${type}` })
        if (verdict.kind !== 'accepted') return
        if (verdict.event == null) skip('the driver returns no event: it answers "ok" alone')
        check.equal(`data of ${type}`, withoutNull(memberOf(verdict.event, 'data')), withoutNull(data))
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/takes-unknown-event-types',
    requirements: ['VFY-004'],
    level: 'must',
    title: 'a signed delivery of any event type is valid, also of an unknown one',
    async run({ verify, check, unique }) {
      for (const type of ['message.scheduled', 'invoice.paid']) {
        const id = `evt_${unique()}`
        const event = { id, type, timestamp: '2026-01-02T03:04:05.678Z', data: { message_id: 'msg_1' } }
        const payload = Buffer.from(JSON.stringify(event))
        await accepts({ verify, check }, delivery(unique(), { id, payload }), `a delivery of ${type}`)
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/tells-why-it-refuses',
    requirements: ['VFY-017'],
    level: 'must',
    title: 'a refusal has a code and a message',
    async run({ verify, check, unique, skip }) {
      const plain = await verify(withHeaders(delivery(unique()), { 'webhook-signature': wrongEntry }))
      const isReported =
        plain.kind === 'refused' && [plain.code, plain.message].some((text) => text != null && text !== '')
      if (plain.kind === 'refused' && !isReported) skip('the driver returns no reason: it answers "ok" alone')
      for (const [why, changes] of reasons) {
        const verdict = await verify(withHeaders(delivery(unique()), changes))
        decides(check, verdict, { due: 'refused', what: `verdict on ${why}` })
        if (verdict.kind !== 'refused') continue
        for (const [name, text] of [
          ['code', verdict.code],
          ['message', verdict.message],
        ] as const)
          check.ok(`${name} of the refusal of ${why}`, typeof text === 'string' && text !== '', 'a string', text)
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/reads-its-own-clock-in-seconds',
    requirements: ['VFY-006'],
    // The driver protocol leaves `now` out only for libraries whose clock cannot be set: a driver of another may rely on it.
    level: 'should',
    title: 'without a given clock, a fresh delivery is accepted and an hour old one refused',
    async run({ verify, check, unique, skip }) {
      const signedAt = (timestamp: number) => {
        const { secret, payload, headers } = delivery(unique(), { timestamp })
        return { secret, payload, headers }
      }
      const nowSeconds = Math.floor(Date.now() / 1000)
      const answer = await verify(signedAt(nowSeconds))
      if (answer.kind === 'broken') skip('needs a driver that answers a verify request without now')
      await accepts({ verify, check: check.of('VFY-006') }, signedAt(nowSeconds), 'a delivery of this moment')
      await refuses({ verify, check }, signedAt(nowSeconds - 3_600), 'a delivery of an hour ago')
    },
  }),
]
