// RCV-013  "Every event type and data kind is accepted."
// RCV-014  "An event type or a field the receiver does not know does not make it fail."
// RCV-018  "A large body is accepted."
// RCV-025  "A 2xx means that the event was accepted: its work is done."
//
// Reading: a field of a kind may have any value that the text allows: a subject may be empty, a message may have several recipients, a
// bounce may be temporary, and the reply of a server may have several lines. Only values that are null in the samples are null, no field is
// left out, lists stay lists, and no moment is in the future: the text does not mention those. The length of a text is advice.

import fc from 'fast-check'
import { receiverCase, type Delivery, type ReceiverContext } from '../../harness/authoring.js'
import { isHandledOnce } from './effects.js'

const slowMs = 180_000

interface UnusualEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /** Default: a moment with milliseconds. */
  readonly timestamp?: string
  /** Fields other than the four. */
  readonly extraFields?: Readonly<Record<string, unknown>>
}

const message = { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1' }
const moment = '2026-01-02T03:04:05.678Z'

const received = (changes: object): UnusualEvent => ({
  type: 'message.received',
  data: { ...message, from: 'Ada Sender <ada@sender.example>', subject: 'Your order', ...changes },
})

const queued = (changes: object): UnusualEvent => ({
  type: 'message.queued',
  data: { ...message, to: ['bob@recipient.example'], cc: [], subject: 'Your order', ...changes },
})

const outcome = (kind: string, changes: object): UnusualEvent => ({
  type: `message.${kind}`,
  data: {
    ...message,
    recipient: 'bob@recipient.example',
    response: '250 2.0.0 OK',
    bounce_classification: null,
    permanent: false,
    status: kind,
    ...changes,
  },
})

const paused = (changes: object): UnusualEvent => ({
  type: 'sending.paused',
  data: {
    workspace_id: 'wsp_1',
    status: 'paused',
    reason: 'bounce rate',
    paused_at: moment,
    stats: { sent: 9 },
    ...changes,
  },
})

const subjects = ['', ' ', '0', 'null', '[Urgent] {re}: <b>50 %</b> & "more" \\o/', "it's; --", 'Grüße 你好 👋🏽 שלום']

const several = ['bob@recipient.example', 'eve@recipient.example', 'zoe.o+news@recipient.example']

const severalLines =
  '550-5.7.1 Message refused.\r\n550-5.7.1 See https://mail.example/why?a=1&b=2\r\n550 5.7.1 <x@mail.example> ünd'

const rows: Readonly<Record<string, { readonly what: string; readonly events: readonly UnusualEvent[] }>> = {
  'received-mail': {
    what: 'received mails with unusual subjects, senders and times',
    events: [
      ...subjects.map((subject) => received({ subject })),
      received({ from: 'ada@sender.example' }),
      received({ from: '"Sender, Ada (Sales)" <ada.o+x@mail.sender.example>' }),
      received({ message_id: 'msg_A-b', inbox_id: 'ibx_0', thread_id: `thr_${'7'.repeat(60)}` }),
      { ...received({}), timestamp: '2026-01-02T03:04:05.000Z' },
      { ...received({}), timestamp: '2024-02-29T23:59:59.999Z' },
    ],
  },
  'queued-mail': {
    what: 'queued messages without subject, with several recipients or copies',
    events: [
      queued({ subject: '' }),
      queued({ to: several }),
      queued({ cc: several.slice(0, 1) }),
      queued({ to: several, cc: ['max@recipient.example', 'ann@recipient.example'] }),
      queued({ to: Array.from({ length: 50 }, (_, index) => `r${index}@recipient.example`) }),
    ],
  },
  outcomes: {
    what: 'outcomes with unusual bounce classes, server replies and status codes',
    events: [
      outcome('bounced', { permanent: false, response: '452 4.2.2 Full', bounce_classification: 'mailbox_full' }),
      outcome('bounced', { permanent: true, response: severalLines, bounce_classification: 'Policy / other' }),
      outcome('deferred', { response: severalLines.replaceAll('550', '451'), bounce_classification: 'transient' }),
      outcome('delivered', { response: '250-first\r\n250 last', status: 'partially_delivered' }),
      outcome('delivered', { response: 'OK', recipient: 'zoe.o+news@recipient.example' }),
      outcome('complained', { response: 'abuse' }),
      outcome('failed', { permanent: true, response: severalLines, bounce_classification: 'expired' }),
      { type: 'message.failed', data: { reason: 'Größe: "12 MB"\nmore than the server takes' } },
    ],
  },
  'workspace-changes': {
    what: 'workspace events with unusual ids, reasons and counts',
    events: [
      paused({ stats: {} }),
      paused({ reason: 'Beschwerden: über 0,5 %\nPlease write to support.' }),
      paused({ workspace_id: '7d444840-9dc0-11d1-b245-5ffdce74fad2' }),
      { type: 'sending.resumed', data: { workspace_id: '42', status: 'active' } },
    ],
  },
}

/** Returns a valid delivery of an event with these values. */
function deliveryOf(
  { delivery, unique }: ReceiverContext,
  { type, data, timestamp = moment, extraFields = {} }: UnusualEvent,
): Delivery {
  return delivery({ event: { id: `evt_${unique()}`, type, timestamp, data, ...extraFields } })
}

const unknown = {
  x_null: null,
  x_empty: '',
  x_list: [],
  x_object: {},
  x_false: false,
  x_zero: 0,
  x_deep: [{ a: [null] }],
}

export const rareValues = [
  ...Object.entries(rows).map(([name, { what, events }]) =>
    receiverCase({
      id: `receiver/rare-values/takes-rare-${name}`,
      requirements: ['RCV-013'],
      level: 'must',
      title: `${what} are answered with a 2xx`,
      needs: ['interface-events'],
      timeoutMs: slowMs,
      async run(context) {
        await context.accepts(context.delivery(), context.require.of('RCV-001'))
        await context.forEach(events, (words) => context.accepts(deliveryOf(context, words)))
      },
    }),
  ),

  receiverCase({
    id: 'receiver/rare-values/takes-any-values',
    requirements: ['RCV-013'],
    level: 'must',
    title: 'events of any type with random values are answered with a 2xx',
    needs: ['interface-events'],
    timeoutMs: slowMs,
    async run(context) {
      await context.accepts(context.delivery(), context.require.of('RCV-001'))
      await context.property(
        anyEvent,
        async (event, requireThat) => {
          await context.accepts(deliveryOf(context, event), requireThat)
        },
        { runs: 25 },
      )
    },
  }),

  receiverCase({
    id: 'receiver/rare-values/takes-unknown-fields-of-every-type',
    requirements: ['RCV-014'],
    level: 'must',
    title: 'unknown fields, also null and empty ones, make no event fail',
    needs: ['interface-events'],
    timeoutMs: slowMs,
    async run(context) {
      await context.accepts(context.delivery(), context.require.of('RCV-001'))
      const plain = [received({}), queued({}), paused({}), ...['delivered', 'bounced'].map((kind) => outcome(kind, {}))]
      await context.forEach(plain, (event) =>
        context.accepts(deliveryOf(context, event), context.require.of('RCV-013')),
      )
      await context.forEach(plain, (event) =>
        context.accepts(deliveryOf(context, { ...event, data: { ...event.data, ...unknown }, extraFields: unknown })),
      )
      const other = { data: { x_id: 'x_1', ...unknown } }
      for (const type of ['domain.dns.changed', 'link_clicked', 'message.opened'])
        await context.accepts(deliveryOf(context, { type, ...other }))
    },
  }),

  receiverCase({
    id: 'receiver/rare-values/takes-long-values',
    requirements: ['RCV-018'],
    level: 'should',
    title: 'long subjects, names, addresses, ids and replies are answered with a 2xx',
    needs: ['interface-events'],
    timeoutMs: slowMs,
    async run(context) {
      await context.accepts(context.delivery(), context.require.of('RCV-001'))
      for (const event of [
        received({ subject: 'A subject of some length. '.repeat(12) }),
        received({ subject: 'A subject of some length. '.repeat(80) }),
        received({ from: `${'Ada '.repeat(70)}<ada@sender.example>` }),
        received({
          from: `${'a'.repeat(64)}@${'long-label-of-a-name.'.repeat(8)}example`,
          thread_id: `thr_${'0'.repeat(200)}`,
        }),
        outcome('bounced', {
          response: '550-5.7.1 A line of the reply.\r\n'.repeat(60),
          bounce_classification: 'policy',
        }),
      ])
        await context.accepts(deliveryOf(context, event))
    },
  }),

  // JSON writes them as escapes, and a subject of an encoded word may hold any of them. Columns of text may not: that is for the receiver to see to.
  receiverCase({
    id: 'receiver/rare-values/takes-control-characters',
    requirements: ['RCV-013'],
    level: 'should',
    title: 'subjects and server replies with control characters are answered with a 2xx',
    needs: ['interface-events'],
    timeoutMs: slowMs,
    async run(context) {
      await context.accepts(context.delivery(), context.require.of('RCV-001'))
      await context.forEach(['\u0000', '\u0001', '\t', '\u001b', '\u007f', '\u0085', '\u2028'], async (sign) => {
        await context.accepts(deliveryOf(context, received({ subject: `Your${sign}order` })))
        await context.accepts(deliveryOf(context, outcome('delivered', { response: `250 OK${sign}` })))
      })
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-mail-of-rare-values',
    requirements: ['RCV-025'],
    level: 'must',
    title: 'received mail that was answered with a 2xx is handled, whatever its values',
    needs: ['handled', 'interface-events'],
    timeoutMs: 300_000,
    async run(context) {
      const { accepts, send, delivery, require } = context
      const plain = delivery()
      await accepts(plain, require.of('RCV-001'))
      await isHandledOnce({ ...context, check: require }, plain)
      for (const event of [...(rows['received-mail']?.events ?? []), { ...received(unknown), extraFields: unknown }]) {
        const sent = deliveryOf(context, event)
        // Another case tests whether it must be accepted: here, that an accepted event was processed.
        const { status = 0 } = await send(sent)
        if (status >= 200 && status < 300) await isHandledOnce(context, sent)
      }
    },
  }),
]

const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const word = fc.stringMatching(/^[a-z0-9]{1,12}$/)
const address = fc
  .tuple(word, fc.constantFrom('', '.', '+', '-', '_'), word, word)
  .map(([one, mark, two, host]) => `${one}${mark}${two}@${host}.example`)
const mailbox = fc.oneof(
  address,
  fc
    .tuple(
      text.map((name) => name.replace(/["\\<>]/g, '')),
      address,
    )
    .map(([name, at]) => `"${name}" <${at}>`),
)
const end = fc.stringMatching(/^[0-9A-Za-z_-]{1,40}$/)
const anyMessage = fc.record({
  message_id: end.map((suffix) => `msg_${suffix}`),
  inbox_id: end.map((suffix) => `ibx_${suffix}`),
  thread_id: end.map((suffix) => `thr_${suffix}`),
})
const reply = fc
  .tuple(fc.constantFrom('250', '421', '451', '550', '554'), fc.array(text, { minLength: 1, maxLength: 4 }))
  .map(([code, lines]) => lines.map((line, at) => `${code}${at === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n'))

const withData = (type: string, data: fc.Arbitrary<object>) =>
  fc.tuple(anyMessage, data).map(([ids, own]): UnusualEvent => ({ type, data: { ...ids, ...own } }))

/** Events of the interface: what each kind has, with the values that the text gives it. */
const anyEvent: fc.Arbitrary<UnusualEvent> = fc
  .tuple(
    fc.oneof(
      withData('message.received', fc.record({ from: mailbox, subject: text })),
      withData(
        'message.queued',
        fc.record({
          to: fc.array(address, { minLength: 1, maxLength: 5 }),
          cc: fc.array(address, { maxLength: 3 }),
          subject: text,
        }),
      ),
      ...['delivered', 'deferred', 'complained'].map((kind) =>
        withData(
          `message.${kind}`,
          fc.record({
            recipient: address,
            response: reply,
            bounce_classification: fc.constant(null),
            permanent: fc.constant(false),
            status: word,
          }),
        ),
      ),
      ...['bounced', 'failed'].map((kind) =>
        withData(
          `message.${kind}`,
          fc.record({
            recipient: address,
            response: reply,
            bounce_classification: word,
            permanent: fc.boolean(),
            status: word,
          }),
        ),
      ),
    ),
    fc.date({
      min: new Date('2024-01-01T00:00:00.000Z'),
      max: new Date('2026-01-02T00:00:00.000Z'),
      noInvalidDate: true,
    }),
  )
  .map(([event, date]) => ({ ...event, timestamp: date.toISOString() }))
