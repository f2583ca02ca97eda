import type { Patch } from '../../patching/patch.js'
import { parsedEvent } from '../../../reference/client/verify-webhook.js'
import { defineMutant, type Mutant } from '../define.js'

const inVerifier = (find: string, replace: string): Patch => ({ file: 'verifier/subtle.ts', find, replace })
const breaks = ['CLI-048', 'CLI-051'] as const

const importing = inVerifier(
  "import { WebhookVerificationError } from './errors.js'",
  "import { WebhookVerificationError } from './errors.js'\nimport { createHash, createHmac } from 'node:crypto'",
)
const comparison = "for (const mac of macs) if (await crypto.subtle.verify('HMAC', key, mac, signed)) return"

/** Entries that are accepted as well as the correct one, as code in which `entry` is one of them. */
const besides: readonly (readonly [name: string, what: string, isTaken: string])[] = [
  ...(['md5', 'sha1', 'sha384', 'sha512', 'sha512-256', 'sha3-256'] as const).map(
    (hash) => [`takes-${hash}`, `a MAC with ${hash}`, `entry === 'v1,' + mac('${hash}', bytes, signed)`] as const,
  ),
  [
    'takes-a-hash-without-a-key',
    'a hash of the signed string without a key',
    "entry === 'v1,' + createHash('sha256').update(signed).digest('base64')",
  ],
  [
    'takes-the-text-of-the-secret-for-its-key',
    'a MAC with the text of the secret as the key',
    "entry === 'v1,' + mac('sha256', String(secret), signed)",
  ],
  [
    'takes-the-undecoded-base64-for-the-key',
    'a MAC with the undecoded base64 of the secret as the key',
    "entry === 'v1,' + mac('sha256', String(secret).slice(6), signed)",
  ],
  ['takes-an-empty-key', 'a MAC with an empty key', "entry === 'v1,' + mac('sha256', '', signed)"],
  ['takes-the-body-signed-alone', 'a MAC over the body alone', "entry === 'v1,' + mac('sha256', bytes, body)"],
  [
    'takes-what-is-signed-without-its-id',
    'a MAC over timestamp and body',
    "entry === 'v1,' + mac('sha256', bytes, timestamp + '.', body)",
  ],
  [
    'takes-what-is-signed-without-its-timestamp',
    'a MAC over id and body',
    "entry === 'v1,' + mac('sha256', bytes, id + '.', body)",
  ],
  ['takes-a-capital-mark', 'an entry that begins with V1', "entry === 'V1,' + mac('sha256', bytes, signed)"],
  ['takes-an-equals-sign', 'an entry of the form v1=', "entry === 'v1=' + mac('sha256', bytes, signed)"],
  [
    'finds-entries-within-entries',
    'an entry that ends with the right one',
    "entry.endsWith('v1,' + mac('sha256', bytes, signed))",
  ],
  [
    'compares-thirty-bytes',
    'an entry of the right length whose first 40 characters are right',
    "entry.length === 47 && entry.slice(0, 43) === ('v1,' + mac('sha256', bytes, signed)).slice(0, 43)",
  ],
]

/** Changes of a body before it is verified, as code that follows its text. */
const bodies: readonly (readonly [name: string, title: string, change: string])[] = [
  ['makes-spaces-of-no-break-spaces', 'makes spaces of no-break spaces', ".replaceAll('\\u00a0', ' ')"],
  ['drops-what-has-no-width', 'drops characters without a width', ".replaceAll('\\u200b', '')"],
  ['decodes-entities', 'decodes the entities of HTML', ".replaceAll('&amp;', '&')"],
  ['decodes-percent-escapes', 'decodes percent escapes', ".replaceAll('%20', ' ')"],
  [
    'knows-three-bytes-of-utf-8',
    'puts a question mark for a character of four bytes',
    ".replace(/[\\u{10000}-\\u{10ffff}]/gu, '?')",
  ],
  ['escapes-no-slash', 'writes an escaped slash without its escape', ".replaceAll('\\\\/', '/')"],
]

type Data = Record<string, unknown>

/** What becomes of the data of one type. */
const events: readonly (readonly [name: string, title: string, type: string, change: (data: Data) => Data])[] = [
  [
    'returns-bounces-without-permanent',
    'returns bounces without permanent',
    'message.bounced',
    ({ permanent: _permanent, ...others }) => others,
  ],
  [
    'returns-pauses-without-stats',
    'returns pauses without stats',
    'sending.paused',
    ({ stats: _stats, ...others }) => others,
  ],
  [
    'returns-the-first-recipient-of-a-queued-message',
    'returns queued messages with the first of their recipients',
    'message.queued',
    (data) => ({ ...data, to: Array.isArray(data['to']) ? (data['to'] as unknown[])[0] : data['to'] }),
  ],
  [
    'stumbles-over-failures-with-a-reason',
    'throws for a message.failed with a reason instead of a recipient',
    'message.failed',
    (data) => {
      if (data['recipient'] === undefined) throw new TypeError('recipient is undefined')
      return data
    },
  ],
]

/** Mistakes of `verifyWebhook` in one cell: one hash, one key, one form of an entry, one sign of a body, one type of event. */
export const narrowVerificationMutants: readonly Mutant<'client'>[] = [
  ...besides.map(([name, what, isTaken]) =>
    defineMutant({
      id: `client/${name}`,
      title: `verifyWebhook also accepts ${what}`,
      breaks,
      patch: [
        importing,
        inVerifier(
          comparison,
          `const body = bytesOf(options.payload)
    const mac = (hash, key, ...parts) => parts.reduce((made, part) => made.update(part), createHmac(hash, key)).digest('base64')
    if (signature.split(' ').some((entry) => ${isTaken})) return
    ${comparison}`,
        ),
      ],
    }),
  ),
  ...bodies.map(([name, title, change]) =>
    defineMutant({
      id: `client/${name}`,
      title: `verifyWebhook ${title} before it verifies a body`,
      breaks,
      patch: [
        inVerifier(
          'if (payload instanceof Uint8Array) return payload',
          `if (payload instanceof Uint8Array) return encoder.encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload)${change})`,
        ),
      ],
    }),
  ),
  ...events.map(([name, title, type, change]) =>
    defineMutant({
      id: `client/${name}`,
      title: `verifyWebhook ${title}`,
      breaks,
      policy: {
        verifiedEvent: (payload) => {
          const event = parsedEvent(payload) as { readonly type: string; readonly data: Data }
          return event.type === type ? { ...event, data: change(event.data) } : event
        },
      },
    }),
  ),
  defineMutant({
    id: 'client/cuts-a-key-at-64-bytes',
    title: 'verifyWebhook uses the first 64 bytes of a longer key, a block of the hash',
    breaks,
    patch: [inVerifier('return key\n}', 'return key.slice(0, 64)\n}')],
  }),
  defineMutant({
    id: 'client/signs-the-number-it-read',
    title: 'verifyWebhook signs the parsed number of the timestamp, not its text',
    breaks,
    patch: [
      inVerifier(
        'checkTimestamp(timestamp, now, toleranceSeconds)\n  const signed',
        'checkTimestamp(String(Math.floor(Number(timestamp))), now, toleranceSeconds)\n  const signed',
      ),
      inVerifier('`${id}.${timestamp}.`', '`${id}.${Math.floor(Number(timestamp))}.`'),
    ],
  }),
  defineMutant({
    id: 'client/takes-a-missing-timestamp-for-fresh',
    title: 'verifyWebhook accepts a delivery without a timestamp as a fresh one',
    breaks,
    patch: [
      inVerifier(
        "if (value === undefined || value === '')",
        "if (value === undefined && name === 'webhook-timestamp') return ''\n    if (value === undefined || value === '')",
      ),
      inVerifier(
        'if (!/^(?:0|[1-9]\\d{0,11})$/.test(timestamp))',
        "if (timestamp === '') return\n  if (!/^(?:0|[1-9]\\d{0,11})$/.test(timestamp))",
      ),
    ],
  }),
  defineMutant({
    id: 'client/verifies-the-first-65536-bytes',
    title: 'verifyWebhook does not verify the part of a body after 65536 bytes',
    breaks,
    patch: [
      inVerifier(
        'joined(encoder.encode(`${id}.${timestamp}.`), bytesOf(options.payload))',
        'joined(encoder.encode(`${id}.${timestamp}.`), bytesOf(options.payload).subarray(0, 65_536))',
      ),
    ],
  }),
]
