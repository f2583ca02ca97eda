import { verifierPatch } from '../patching/verifier-places.js'
import { defineMutant, type Mutant } from './define.js'

/** Verified ids are remembered in `seen`; another patch uses them. */
const remembersIds = [
  verifierPatch(
    'keys',
    `const keys = new Map()
const seen = new Set()`,
  ),
  verifierPatch(
    'match',
    `if (values.some((value) => isEqual(value, mac))) {
      seen.add(id)
      return
    }`,
  ),
] as const

/** Deviations of signature verification that real libraries have shipped. */
export const verifierMutants: readonly Mutant<'verifier'>[] = [
  defineMutant({
    id: 'verifier/accepts-stale',
    title: 'the past side of the tolerance is not checked',
    breaks: ['VFY-006'],
    patch: [verifierPatch('past', 'if (false)')],
  }),
  defineMutant({
    id: 'verifier/accepts-future',
    title: 'the future side of the tolerance is not checked',
    breaks: ['VFY-007'],
    patch: [verifierPatch('future', 'if (false)')],
  }),
  defineMutant({
    id: 'verifier/refuses-exactly-300-seconds',
    title: 'the edge of the tolerance is refused',
    breaks: ['VFY-006'],
    patch: [verifierPatch('past', 'if (age >= toleranceSeconds)')],
  }),
  defineMutant({
    id: 'verifier/refuses-exactly-300-seconds-ahead',
    title: 'the edge of the tolerance is refused in the future',
    breaks: ['VFY-007'],
    patch: [verifierPatch('future', 'if (-age >= toleranceSeconds)')],
  }),
  defineMutant({
    id: 'verifier/tolerates-ten-minutes',
    title: 'the tolerance is 600 seconds',
    breaks: ['VFY-006'],
    patch: [verifierPatch('past', 'if (age > 600)')],
  }),
  defineMutant({
    id: 'verifier/tolerates-one-minute',
    title: 'the tolerance is 60 seconds',
    breaks: ['VFY-006'],
    patch: [verifierPatch('past', 'if (age > 60)')],
  }),
  defineMutant({
    id: 'verifier/tolerates-301-seconds',
    title: 'the tolerance is off by one',
    breaks: ['VFY-006'],
    patch: [verifierPatch('past', 'if (age > 301)')],
  }),
  defineMutant({
    id: 'verifier/tolerates-milliseconds',
    title: 'the age is treated as milliseconds',
    breaks: ['VFY-006'],
    patch: [verifierPatch('past', 'if (age * 1000 > toleranceSeconds * 1_000_000)')],
  }),
  defineMutant({
    id: 'verifier/wraps-milliseconds-in-32-bits',
    title: 'the age is computed in 32-bit milliseconds, so 49.7 days count as 0',
    breaks: ['VFY-006', 'VFY-007'],
    patch: [
      verifierPatch('past', 'if (((age * 1000) | 0) > toleranceSeconds * 1000)'),
      verifierPatch('future', 'if (((age * -1000) | 0) > toleranceSeconds * 1000)'),
    ],
  }),
  defineMutant({
    id: 'verifier/takes-the-absolute-value-in-32-bits',
    title: 'the age is computed in 32 bits, so a timestamp 2^31 seconds ahead passes',
    breaks: ['VFY-007'],
    patch: [
      verifierPatch('past', 'if ((Math.abs(age | 0) | 0) > toleranceSeconds)'),
      verifierPatch('future', 'if (age < -2_147_483_648)'),
    ],
  }),
  defineMutant({
    id: 'verifier/wraps-nanoseconds-in-64-bits',
    title: 'the age is computed in 64-bit nanoseconds, so 585 years count as 0',
    breaks: ['VFY-007'],
    patch: [
      verifierPatch(
        'future',
        'if (BigInt.asIntN(64, BigInt(-age) * 1_000_000_000n) > BigInt(toleranceSeconds) * 1_000_000_000n)',
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/parses-timestamps-leniently',
    title: 'text after the digits of a timestamp is ignored, and only the digits are signed',
    breaks: ['VFY-023'],
    patch: [
      verifierPatch(
        'seconds',
        `const seconds = Number.parseInt(timestamp, 10)
  if (!Number.isNaN(seconds)) return seconds`,
      ),
      verifierPatch('signed', '`${id}.${Number.parseInt(timestamp, 10)}.`'),
    ],
  }),
  defineMutant({
    id: 'verifier/takes-any-timestamp',
    title: 'accepts a timestamp that is not a number',
    breaks: ['VFY-012'],
    patch: [verifierPatch('seconds', 'return Number(timestamp)')],
  }),
  defineMutant({
    id: 'verifier/does-not-sign-the-id',
    title: 'the id is left out of the signed string',
    breaks: ['VFY-001', 'VFY-018'],
    patch: [verifierPatch('signed', '`${timestamp}.`')],
  }),
  defineMutant({
    id: 'verifier/signs-the-body-alone',
    title: 'only the body is signed',
    breaks: ['VFY-001', 'VFY-018'],
    patch: [verifierPatch('signed', `''`)],
  }),
  defineMutant({
    id: 'verifier/reserializes-the-body',
    title: 'the body is parsed and serialized again before it is verified',
    breaks: ['VFY-005'],
    patch: [
      verifierPatch(
        'body',
        `try {
    return JSON.stringify(JSON.parse(textOf(payload)))
  } catch {
    return payload
  }`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/trims-the-body',
    title: 'blanks around the body are cut off',
    breaks: ['VFY-005'],
    patch: [verifierPatch('body', `return Buffer.from(payload).toString('utf8').trim()`)],
  }),
  defineMutant({
    id: 'verifier/decodes-the-body-as-text',
    title: 'bytes that are not UTF-8 are replaced before they are verified',
    breaks: ['VFY-024'],
    patch: [verifierPatch('body', `return Buffer.from(payload).toString('utf8')`)],
  }),
  defineMutant({
    id: 'verifier/leaves-out-what-is-not-utf-8',
    title: 'bytes that are not UTF-8 are left out before the body is verified',
    breaks: ['VFY-024'],
    patch: [
      verifierPatch(
        'body',
        `const bytes = Buffer.from(payload)
  return bytes.includes('\\ufffd') ? bytes : bytes.toString('utf8').replaceAll('\\ufffd', '')`,
      ),
    ],
  }),
  ...(
    [
      ['takes-spaces-alone', 'a no-break space is made a space before the body is verified', 'c2a0', '20'],
      [
        'writes-plain-quotation-marks',
        'a quotation mark beyond ASCII is made a plain one before the body is verified',
        'e28099',
        '27',
      ],
    ] as const
  ).map(([id, title, from, to]) =>
    defineMutant({
      id: `verifier/${id}`,
      title,
      breaks: ['VFY-005', 'VFY-011'],
      patch: [
        verifierPatch(
          'body',
          `return Buffer.from(Buffer.from(payload).toString('hex').replace(/^(?:..)*?${from}/, (head) => head.slice(0, -${from.length}) + '${to}'), 'hex')`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'verifier/takes-what-it-cannot-compare',
    title: 'a signature that the comparison cannot process is accepted',
    breaks: ['VFY-009'],
    patch: [
      verifierPatch(
        'equality',
        `if (/[^\\x00-\\x7f]/.test(value)) return true
  return left.length === right.length && timingSafeEqual(left, right)`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/reads-the-body-as-latin-1',
    title: 'the body is read as Latin-1',
    breaks: ['VFY-011', 'VFY-005'],
    patch: [verifierPatch('body', `return Buffer.from(payload).toString('latin1')`)],
  }),
  defineMutant({
    id: 'verifier/uses-the-undecoded-secret',
    title: 'the text of the secret is the key',
    breaks: ['VFY-002'],
    patch: [verifierPatch('key', 'return Buffer.from(secret)')],
  }),
  defineMutant({
    id: 'verifier/uses-the-undecoded-base64',
    title: 'the base64 text after the prefix is the key',
    breaks: ['VFY-002'],
    patch: [verifierPatch('key', 'return Buffer.from(text)')],
  }),
  defineMutant({
    id: 'verifier/keeps-the-prefix',
    title: 'the prefix is decoded with the rest',
    breaks: ['VFY-002'],
    patch: [verifierPatch('key', `return Buffer.from(secret, 'base64')`)],
  }),
  defineMutant({
    id: 'verifier/cuts-a-key-at-64-bytes',
    title: 'of a longer key the first 64 bytes are used, a block of the hash',
    breaks: ['VFY-002'],
    patch: [
      verifierPatch(
        'key',
        `if (typeof secret === 'string' && text !== '' && isBase64) return Buffer.from(text, 'base64').subarray(0, 64)`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/takes-an-empty-key',
    title: 'verifies an empty signature key with an empty secret',
    breaks: ['VFY-015'],
    patch: [verifierPatch('key', `return Buffer.from(text, 'base64')`)],
  }),
  defineMutant({
    id: 'verifier/looks-at-the-first-entry-only',
    title: 'only the first entry is compared',
    breaks: ['VFY-004', 'VFY-010'],
    patch: [verifierPatch('entries', `signature.split(' ', 1)`)],
  }),
  defineMutant({
    id: 'verifier/looks-at-the-last-entry-only',
    title: 'only the last entry is compared',
    breaks: ['VFY-004', 'VFY-010'],
    patch: [verifierPatch('entries', `signature.split(' ').slice(-1)`)],
  }),
  defineMutant({
    id: 'verifier/looks-at-two-entries',
    title: 'only the first two entries are compared',
    breaks: ['VFY-004', 'VFY-010'],
    patch: [verifierPatch('entries', `signature.split(' ', 2)`)],
  }),
  defineMutant({
    id: 'verifier/splits-at-commas',
    title: 'entries are split at commas',
    breaks: ['VFY-004', 'VFY-009'],
    patch: [verifierPatch('entries', `[\`v1,\${signature.split(',')[1]}\`]`)],
  }),
  defineMutant({
    id: 'verifier/ignores-the-version',
    title: 'the value of any version is compared',
    breaks: ['VFY-010'],
    patch: [
      verifierPatch('values', `entries.map((entry) => entry.split(',')[1]).filter((value) => value !== undefined)`),
    ],
  }),
  defineMutant({
    id: 'verifier/takes-entries-without-a-version',
    title: 'an entry without a version is compared',
    breaks: ['VFY-010', 'VFY-009'],
    patch: [
      verifierPatch(
        'values',
        `entries.filter((entry) => entry.startsWith('v1,') || !entry.includes(',')).map((entry) => entry.replace('v1,', ''))`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/takes-v1-as-a-prefix',
    title: 'any version that begins with v1 is compared',
    breaks: ['VFY-010'],
    patch: [
      verifierPatch(
        'values',
        `entries.filter((entry) => entry.startsWith('v1')).flatMap((entry) => entry.split(',').slice(1, 2))`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/reads-its-clock-in-milliseconds',
    title: 'without a clock that is given, now is in milliseconds',
    breaks: ['VFY-006'],
    patch: [verifierPatch('clock', 'if (now === undefined) return Date.now()')],
  }),
  defineMutant({
    id: 'verifier/stops-at-unknown-versions',
    title: 'an entry of another version ends the search',
    breaks: ['VFY-010'],
    patch: [
      verifierPatch(
        'values',
        `entries.slice(0, [...entries, ''].findIndex((entry) => !entry.startsWith('v1,'))).map((entry) => entry.slice(3))`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/compares-a-prefix',
    title: 'as many characters are compared as the sender gives',
    breaks: ['VFY-003', 'VFY-009'],
    patch: [verifierPatch('equality', 'return mac.startsWith(value)')],
  }),
  defineMutant({
    id: 'verifier/compares-sixteen-bytes',
    title: 'the first 16 bytes of the MAC are compared',
    breaks: ['VFY-003', 'VFY-009'],
    patch: [
      verifierPatch(
        'equality',
        `return Buffer.from(value, 'base64').subarray(0, 16).equals(Buffer.from(mac, 'base64').subarray(0, 16))`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/compares-a-sum',
    title: 'the sum of the bytes is compared',
    breaks: ['VFY-003', 'VFY-009'],
    patch: [
      verifierPatch(
        'equality',
        `const sum = (text) => Buffer.from(text, 'base64').reduce((total, byte) => total + byte, 0)
  return value.length === mac.length && sum(value) === sum(mac)`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/compares-without-case',
    title: 'the case of the signature is ignored',
    breaks: ['VFY-003', 'VFY-009'],
    patch: [verifierPatch('equality', 'return value.toLowerCase() === mac.toLowerCase()')],
  }),
  defineMutant({
    id: 'verifier/takes-hexadecimal',
    title: 'a hexadecimal signature is accepted too',
    breaks: ['VFY-003', 'VFY-009'],
    patch: [verifierPatch('equality', `return value === mac || value === Buffer.from(mac, 'base64').toString('hex')`)],
  }),
  defineMutant({
    id: 'verifier/compares-the-length',
    title: 'any signature of the right length is accepted',
    breaks: ['VFY-009', 'VFY-001', 'VFY-003'],
    patch: [verifierPatch('equality', 'return left.length === right.length')],
  }),
  defineMutant({
    id: 'verifier/takes-an-empty-signature',
    title: 'an empty value is accepted',
    breaks: ['VFY-003', 'VFY-009'],
    patch: [verifierPatch('equality', `return value === '' || value === mac`)],
  }),
  ...(['sha224', 'sha512-256', 'sha3-512', 'ripemd160'] as const).map((hash) =>
    defineMutant({
      id: `verifier/takes-${hash}`,
      title: `a MAC with ${hash} matches too`,
      breaks: ['VFY-003', 'VFY-009'],
      patch: [
        verifierPatch(
          'match',
          `const older = createHmac('${hash}', key).update(id + '.' + timestamp + '.').update(body).digest('base64')
    if (values.some((value) => isEqual(value, mac) || isEqual(value, older))) return`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'verifier/takes-another-hash',
    title: 'a MAC of another hash is expected',
    breaks: ['VFY-003', 'VFY-018'],
    patch: [verifierPatch('hash', `createHmac('sha1', key)`)],
  }),
  defineMutant({
    id: 'verifier/does-without-an-id',
    title: 'a delivery without an id is verified with an empty id, and accepted',
    breaks: ['VFY-008'],
    patch: [
      verifierPatch(
        'missing',
        `if (value === undefined && name === 'webhook-id') return ''
  if (value === undefined || value === '')`,
      ),
      verifierPatch('equality', 'return left.length === right.length'),
    ],
  }),
  defineMutant({
    id: 'verifier/does-without-a-timestamp',
    title: 'a delivery without a timestamp is treated as fresh',
    breaks: ['VFY-008'],
    patch: [
      verifierPatch(
        'missing',
        `if (value === undefined && name === 'webhook-timestamp') return 'now'
  if (value === undefined || value === '')`,
      ),
      verifierPatch(
        'seconds',
        `if (timestamp === 'now') return 1_800_000_000
  if (/^\\d+$/.test(timestamp)) return Number(timestamp)`,
      ),
      verifierPatch('equality', 'return left.length === right.length'),
    ],
  }),
  defineMutant({
    id: 'verifier/reads-header-names-exactly',
    title: 'header names are looked up in lower case only',
    breaks: ['VFY-019'],
    patch: [verifierPatch('header', 'const value = headers[name]')],
  }),
  defineMutant({
    id: 'verifier/reads-title-case-names',
    title: 'header names are looked up in title case only',
    breaks: ['VFY-019'],
    patch: [
      verifierPatch('header', 'const value = headers[name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase())]'),
    ],
  }),
  defineMutant({
    id: 'verifier/crashes-on-an-entry-without-a-comma',
    title: 'an entry without a comma is an exception of another kind',
    breaks: ['VFY-013'],
    patch: [
      verifierPatch(
        'values',
        `entries.map((entry) => entry.split(',')).flatMap(([version, value]) => (version === 'v1' ? [value.trim()] : value.length > 0 ? [] : []))`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/crashes-on-a-malformed-timestamp',
    title: 'throws another exception for a timestamp that is not a number',
    breaks: ['VFY-013'],
    patch: [verifierPatch('seconds', 'return Number(BigInt(timestamp))')],
  }),
  defineMutant({
    id: 'verifier/refuses-a-repeated-id',
    title: 'an id that was verified once is refused the second time',
    breaks: ['VFY-014'],
    patch: [
      ...remembersIds,
      verifierPatch(
        'start',
        `if (seen.has(id)) throw new WebhookVerificationError('no_matching_signature', 'the id was seen before')
  const values = valuesOf(signature)`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/accepts-a-repeated-id',
    title: 'an id that was verified once is accepted unseen',
    breaks: ['VFY-014'],
    patch: [
      ...remembersIds,
      verifierPatch(
        'start',
        `if (seen.has(id)) return
  const values = valuesOf(signature)`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/refuses-after-a-refusal',
    title: 'after one refusal everything is refused',
    breaks: ['VFY-014', 'VFY-013'],
    wrap: (entry) => {
      let refusal: unknown
      return {
        ...entry,
        verifyWebhook(options) {
          if (refusal !== undefined) throw refusal
          try {
            return entry.verifyWebhook(options)
          } catch (error) {
            refusal = error
            throw error
          }
        },
      }
    },
  }),
  defineMutant({
    id: 'verifier/says-nothing-of-a-refusal',
    title: 'a refusal has no message',
    breaks: ['VFY-017'],
    patch: [{ file: 'verifier/errors.ts', find: 'super(message)', replace: `super('')` }],
  }),
  defineMutant({
    id: 'verifier/returns-text',
    title: 'the event is returned as text',
    breaks: ['VFY-016'],
    patch: [verifierPatch('event', 'return textOf(bodyOf(options.payload))')],
  }),
  defineMutant({
    id: 'verifier/returns-the-data-alone',
    title: 'only the data of the event is returned',
    breaks: ['VFY-016'],
    patch: [verifierPatch('event', 'return JSON.parse(textOf(bodyOf(options.payload))).data ?? null')],
  }),
  defineMutant({
    id: 'verifier/signs-without-a-version',
    title: 'signing leaves out the version',
    breaks: ['VFY-018'],
    patch: [verifierPatch('written', 'macOf(keyOf(secret), id, seconds, bodyOf(payload))')],
  }),
  defineMutant({
    id: 'verifier/signs-in-base64url',
    title: 'signing writes base64url',
    breaks: ['VFY-018'],
    patch: [
      verifierPatch(
        'written',
        `\`v1,\${Buffer.from(macOf(keyOf(secret), id, seconds, bodyOf(payload)), 'base64').toString('base64url')}\``,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/lower-cases-ids',
    title: 'the id is lower-cased before it is signed',
    breaks: ['VFY-001', 'VFY-018'],
    patch: [verifierPatch('signed', '`${id.toLowerCase()}.${timestamp}.`')],
  }),
  defineMutant({
    id: 'verifier/looks-at-sixty-four-entries',
    title: 'only the first 64 entries are compared',
    breaks: ['VFY-004'],
    patch: [verifierPatch('entries', `signature.split(' ', 64)`)],
  }),
  defineMutant({
    id: 'verifier/gives-up-at-a-malformed-entry',
    title: 'one entry without a comma makes the whole header malformed',
    breaks: ['VFY-004'],
    patch: [
      verifierPatch(
        'entries',
        `(signature.split(' ').every((each) => each.includes(',')) ? signature.split(' ') : [])`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/looks-at-the-decoded-bytes',
    title: 'the decoded bytes are compared, so that one delivery has several signatures',
    breaks: ['VFY-021'],
    patch: [verifierPatch('equality', `return Buffer.from(value, 'base64').equals(Buffer.from(mac, 'base64'))`)],
  }),
  defineMutant({
    id: 'verifier/searches-the-header',
    title: 'the signature is looked for anywhere in the header',
    breaks: ['VFY-009', 'VFY-010'],
    patch: [verifierPatch('values', '[signature]'), verifierPatch('equality', 'return value.includes(mac)')],
  }),
  defineMutant({
    id: 'verifier/signs-the-number-it-read',
    title: 'signs the parsed number of the timestamp, whatever its spelling',
    breaks: ['VFY-023'],
    patch: [
      verifierPatch('seconds', 'if (!Number.isNaN(Number(timestamp))) return Number(timestamp)'),
      verifierPatch('signed', '`${id}.${Number(timestamp)}.`'),
    ],
  }),
  defineMutant({
    id: 'verifier/takes-another-family-of-names',
    title: 'the headers are read under the names svix-* too',
    breaks: ['VFY-025'],
    patch: [
      verifierPatch(
        'header',
        `const value = headerOf(headers, name) ?? headerOf(headers, name.replace('webhook', 'svix'))`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/reads-the-last-timestamp-and-signs-the-first',
    title: 'the age is checked for the last number of the timestamp only',
    breaks: ['VFY-006'],
    patch: [
      verifierPatch('seconds', 'return Number(timestamp.split(/[ ,]+/).at(-1))'),
      verifierPatch('signed', '`${id}.${timestamp.split(/[ ,]+/)[0]}.`'),
    ],
  }),
  defineMutant({
    id: 'verifier/takes-names-that-end-alike',
    title: 'accepts a header whose name ends like a missing one',
    breaks: ['VFY-008'],
    patch: [
      verifierPatch(
        'header',
        'const value = Object.entries(headers).find(([each]) => each.toLowerCase().endsWith(name))?.[1]',
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/tells-the-right-signature',
    title: 'reveals the expected signature in the message of a refusal',
    breaks: ['VFY-022'],
    patch: [
      {
        file: 'verifier/verifier.ts',
        find: "'no v1 entry of webhook-signature equals the computed signature'",
        replace: "'expected v1,' + macOf(keysOf(secret)[0], id, timestamp, body)",
      },
    ],
  }),
  defineMutant({
    id: 'verifier/signs-bytes-as-text',
    title: 'signs the body as text, so invalid UTF-8 bytes are replaced',
    breaks: ['VFY-018'],
    patch: [
      verifierPatch('written', '`v1,${macOf(keyOf(secret), id, seconds, Buffer.from(bodyOf(payload)).toString())}`'),
    ],
  }),
  defineMutant({
    id: 'verifier/signs-json-written-anew',
    title: 'signing parses the body and signs what it writes itself',
    breaks: ['VFY-018'],
    patch: [
      verifierPatch(
        'written',
        `\`v1,\${macOf(keyOf(secret), id, seconds, anew(bodyOf(payload)))}\`
  function anew(body) {
    try {
      return JSON.stringify(JSON.parse(Buffer.from(body).toString()))
    } catch {
      return body
    }
  }`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/signs-trimmed-bodies',
    title: 'signing cuts the line end off a body',
    breaks: ['VFY-018'],
    patch: [
      verifierPatch(
        'written',
        "`v1,${macOf(keyOf(secret), id, seconds, Buffer.from(Buffer.from(bodyOf(payload)).toString('latin1').trimEnd(), 'latin1'))}`",
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/signs-the-id-up-to-a-dot',
    title: 'leaves the part of the id after a dot out of the signed content',
    breaks: ['VFY-001'],
    patch: [verifierPatch('signed', "`${id.split('.', 1)[0]}.${timestamp}.`")],
  }),
  defineMutant({
    id: 'verifier/drops-control-characters',
    title: 'control characters are removed from a body before it is signed',
    breaks: ['VFY-005', 'VFY-011'],
    patch: [
      verifierPatch(
        'body',
        "return Buffer.from(Buffer.from(payload).toString('latin1').replace(/[\\x01-\\x08\\x7f]/g, ''), 'latin1')",
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/leaves-out-what-is-false',
    title: 'members of an event that are false, zero or empty are left out',
    breaks: ['VFY-016'],
    patch: [
      verifierPatch(
        'event',
        'return JSON.parse(textOf(bodyOf(options.payload)), (_key, value) => (value ? value : undefined))',
      ),
    ],
  }),
  ...(
    [
      ['trims-events', 'blanks are cut off the strings of an event', 'value.trim()'],
      ['composes-events', 'the letters of an event are composed (NFC)', "value.normalize('NFC')"],
      ['cuts-events', 'the strings of an event are cut at 255 characters', 'value.slice(0, 255)'],
      ['lowers-events', 'the strings of an event are written in small letters', 'value.toLowerCase()'],
      [
        'lowers-senders',
        'the address in from of an event is written in small letters',
        "_key === 'from' ? value.toLowerCase() : value",
      ],
      [
        'lowers-ids-of-events',
        'the id of an event is written in small letters',
        "_key === 'id' ? value.toLowerCase() : value",
      ],
      [
        'leaves-out-milliseconds',
        'the time of an event is read and written again, without its milliseconds',
        String.raw`_key === 'timestamp' ? value.replace(/\.\d+Z/, 'Z') : value`,
      ],
      [
        'reads-digits-as-numbers',
        'a text of digits is returned as a number',
        '/^\\d+$/.test(value) ? Number(value) : value',
      ],
      ['reads-words-as-booleans', 'the text true is returned as a boolean', "value === 'true' ? true : value"],
      ['reads-escapes-in-texts', 'returns percent escapes decoded', "value.replace('%C3%A9', 'é')"],
    ] as const
  ).map(([id, title, changed]) =>
    defineMutant({
      id: `verifier/${id}`,
      title,
      breaks: ['VFY-016'],
      patch: [
        verifierPatch(
          'event',
          `return JSON.parse(textOf(bodyOf(options.payload)), (_key, value) => (typeof value === 'string' ? ${changed} : value))`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'verifier/takes-names-of-numbers-for-a-list',
    title: 'an object whose names are 0, 1 and so on is returned as a list',
    breaks: ['VFY-016'],
    patch: [
      verifierPatch(
        'event',
        `const isList = (value) => Object.keys(value).length > 0 && Object.keys(value).every((name, index) => name === String(index))
  return JSON.parse(textOf(bodyOf(options.payload)), (_key, value) => (typeof value === 'object' && value !== null && isList(value) ? Object.values(value) : value))`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/leaves-letters-out-of-the-comparison',
    title: 'two letters in the middle of a signature are not compared',
    breaks: ['VFY-009'],
    patch: [
      verifierPatch('equality', 'return mac.slice(0, 16) === value.slice(0, 16) && mac.slice(18) === value.slice(18)'),
    ],
  }),
  defineMutant({
    id: 'verifier/compares-hash-codes',
    title: 'a 32-bit hash of the value is compared, as strings of Java have it',
    breaks: ['VFY-009'],
    patch: [
      verifierPatch(
        'equality',
        `const hashOf = (text) => {
    let hash = 0
    for (let at = 0; at < text.length; at++) hash = (Math.imul(31, hash) + text.charCodeAt(at)) | 0
    return hash
  }
  return hashOf(value) === hashOf(mac)`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/compares-checksums',
    title: 'the CRC-32 of the value is compared',
    breaks: ['VFY-009'],
    patch: [
      verifierPatch(
        'equality',
        `const sumOf = (text) => {
    let sum = -1
    for (const byte of Buffer.from(text)) {
      sum ^= byte
      for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
    }
    return sum
  }
  return sumOf(value) === sumOf(mac)`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/compares-short-hashes',
    title: 'an FNV-1a hash of the value of 32 bits is compared',
    breaks: ['VFY-009'],
    patch: [
      verifierPatch(
        'equality',
        `const hashOf = (text) => {
    let hash = 0x811c9dc5
    for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
    return hash
  }
  return hashOf(value) === hashOf(mac)`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/compares-hash-codes-of-bytes',
    title: 'a 32-bit hash of the decoded bytes is compared, as Arrays.hashCode of Java makes it',
    breaks: ['VFY-009'],
    patch: [
      verifierPatch(
        'equality',
        `const hashOf = (text) => {
    let hash = 1
    for (const byte of new Int8Array(Buffer.from(text, 'base64'))) hash = (Math.imul(31, hash) + byte) | 0
    return hash
  }
  return left.length === right.length && hashOf(value) === hashOf(mac)`,
      ),
    ],
  }),
  ...([524_288, 1_048_576, 4_194_304] as const).map((bytes) =>
    defineMutant({
      id: `verifier/verifies-the-first-${bytes}-bytes`,
      title: `does not verify the part of a body after its first ${bytes} bytes`,
      breaks: ['VFY-001', 'VFY-005'],
      patch: [
        verifierPatch('body', `if (typeof payload !== 'string') return Buffer.from(payload).subarray(0, ${bytes})`),
      ],
    }),
  ),
  defineMutant({
    id: 'verifier/signs-by-a-pattern',
    title: 'String.replace builds the signed string, and interprets $& in the body',
    breaks: ['VFY-004', 'VFY-005'],
    patch: [
      verifierPatch(
        'body',
        `if (typeof payload === 'string' || payload instanceof Uint8Array)
    return Buffer.from('{body}'.replace('{body}', Buffer.from(payload).toString('latin1')), 'latin1')`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/signs-by-printf',
    title: 'printf builds the signed string, and halves %% in the body',
    breaks: ['VFY-004', 'VFY-005'],
    patch: [
      verifierPatch(
        'body',
        `if (typeof payload === 'string' || payload instanceof Uint8Array)
    return Buffer.from(Buffer.from(payload).toString('latin1').replaceAll('%%', '%'), 'latin1')`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/refuses-unknown-event-types',
    title: 'a delivery with an unknown event type is refused',
    breaks: ['VFY-004'],
    patch: [
      verifierPatch(
        'event',
        `const event = JSON.parse(textOf(bodyOf(options.payload)))
    const known = /^(?:message\\.(?:received|queued|delivered|deferred|bounced|complained|failed)|sending\\.(?:paused|resumed))$/
    if (typeof event?.type === 'string' && !known.test(event.type))
      throw new WebhookVerificationError('malformed_payload', 'the type of the event is not known')
    return event`,
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/compares-seven-bits',
    title: 'of each character of a signature seven bits are compared',
    breaks: ['VFY-021'],
    patch: [
      verifierPatch(
        'equality',
        'return value.length === mac.length && [...mac].every((each, at) => (value.charCodeAt(at) & 0x7f) === each.charCodeAt(0))',
      ),
    ],
  }),
  defineMutant({
    id: 'verifier/mixes-deliveries-up',
    title: 'of deliveries that are verified side by side the latest is verified each time',
    breaks: ['VFY-014'],
    wrap: (entry) => {
      let latest: Parameters<typeof entry.verifyWebhook>[0]
      return {
        ...entry,
        async verifyWebhook(options) {
          latest = options
          await new Promise((resolve) => setImmediate(resolve))
          return entry.verifyWebhook(latest)
        },
      }
    },
  }),
  defineMutant({
    id: 'verifier/returns-the-first-event-of-an-id',
    title: 'the event that was parsed first is returned for each delivery of its id',
    breaks: ['VFY-016'],
    wrap: (entry) => {
      const parsed = new Map<string, unknown>()
      return {
        ...entry,
        verifyWebhook(options) {
          const event = entry.verifyWebhook(options)
          const id = String((event as { readonly id?: unknown } | null)?.id)
          if (!parsed.has(id)) parsed.set(id, event)
          return parsed.get(id)
        },
      }
    },
  }),
  defineMutant({
    id: 'verifier/fills-a-block-wrongly',
    title: 'its own hash is wrong if the last block has nine bytes left',
    breaks: ['VFY-003'],
    patch: [
      verifierPatch('match', 'if (body.length % 64 !== 55 && values.some((value) => isEqual(value, mac))) return'),
    ],
  }),
]
