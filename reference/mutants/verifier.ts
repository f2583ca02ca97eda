import { createHmac } from 'node:crypto'
import type { RequirementId } from '../../spec/index.js'
import { headerOf } from '../verifier/headers.js'
import { verifierPolicy, WebhookVerificationError, type VerifierPolicy } from '../verifier/index.js'
import { textOf } from '../verifier/policy.js'
import type { Mutant } from './mutant.js'

export type VerifierMutant = Mutant<VerifierPolicy>

const { isMac, parseTimestamp } = verifierPolicy

function mutant(
  id: string,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  policy: Partial<VerifierPolicy>,
): VerifierMutant {
  return { id: `verifier/${id}`, title, breaks, policy }
}

const lenientKey = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/** Deviations of signature verification that real libraries have shipped. */
export const verifierMutants: readonly VerifierMutant[] = [
  mutant('accepts-stale', 'the past side of the tolerance is not checked', ['VFY-006'], { isTooOld: () => false }),
  mutant('accepts-future', 'the future side of the tolerance is not checked', ['VFY-007'], { isTooNew: () => false }),
  mutant('refuses-exactly-300-seconds', 'the edge of the tolerance is refused', ['VFY-006'], {
    isTooOld: (age, tolerance) => age >= tolerance,
  }),
  mutant('refuses-exactly-300-seconds-ahead', 'the edge of the tolerance is refused in the future', ['VFY-007'], {
    isTooNew: (ahead, tolerance) => ahead >= tolerance,
  }),
  mutant('tolerates-ten-minutes', 'the tolerance is 600 seconds', ['VFY-006'], { isTooOld: (age) => age > 600 }),
  mutant('tolerates-one-minute', 'the tolerance is 60 seconds', ['VFY-006'], { isTooOld: (age) => age > 60 }),
  mutant('tolerates-301-seconds', 'the tolerance is off by one', ['VFY-006'], { isTooOld: (age) => age > 301 }),
  mutant('tolerates-milliseconds', 'the age is taken for milliseconds', ['VFY-006'], {
    isTooOld: (age, tolerance) => age * 1000 > tolerance * 1_000_000,
  }),
  mutant(
    'parses-timestamps-leniently',
    'what follows the digits of a timestamp is ignored, and the digits are signed',
    ['VFY-012'],
    {
      parseTimestamp: (text) => (Number.isNaN(Number.parseInt(text, 10)) ? undefined : Number.parseInt(text, 10)),
      signedHead: (id, timestamp) => `${id}.${Number.parseInt(timestamp, 10)}.`,
    },
  ),
  mutant('takes-any-timestamp', 'a timestamp that is no number passes the check', ['VFY-012'], {
    parseTimestamp: (text) => Number(text),
  }),
  mutant('does-not-sign-the-id', 'the id is left out of the signed string', ['VFY-001', 'VFY-018'], {
    signedHead: (_id, timestamp) => `${timestamp}.`,
  }),
  mutant('signs-the-body-alone', 'only the body is signed', ['VFY-001', 'VFY-018'], { signedHead: () => '' }),
  mutant('reserializes-the-body', 'the body is parsed and written again before it is verified', ['VFY-005'], {
    signedBody: (body) => {
      try {
        return Buffer.from(JSON.stringify(JSON.parse(textOf(body))))
      } catch {
        return body
      }
    },
  }),
  mutant('trims-the-body', 'blanks around the body are cut off', ['VFY-005'], {
    signedBody: (body) => Buffer.from(Buffer.from(body).toString('utf8').trim()),
  }),
  mutant(
    'decodes-the-body-as-text',
    'bytes that are not UTF-8 are replaced before they are verified',
    ['VFY-005', 'VFY-011'],
    { signedBody: (body) => Buffer.from(Buffer.from(body).toString('utf8')) },
  ),
  mutant('reads-the-body-as-latin-1', 'the body is read as Latin-1', ['VFY-011', 'VFY-005'], {
    signedBody: (body) => Buffer.from(Buffer.from(body).toString('latin1'), 'utf8'),
  }),
  mutant('uses-the-undecoded-secret', 'the text of the secret is the key', ['VFY-002'], {
    keyOf: (secret) => Buffer.from(secret),
  }),
  mutant('uses-the-undecoded-base64', 'the base64 text after the prefix is the key', ['VFY-002'], {
    keyOf: (secret) => Buffer.from(secret.replace(/^whsec_/, '')),
  }),
  mutant('keeps-the-prefix', 'the prefix is decoded with the rest', ['VFY-002'], {
    keyOf: (secret) => Buffer.from(secret, 'base64'),
  }),
  mutant('takes-an-empty-key', 'a secret without a key verifies what is signed with none', ['VFY-015'], {
    keyOf: lenientKey,
  }),
  mutant('looks-at-the-first-entry-only', 'only the first entry is compared', ['VFY-004', 'VFY-010'], {
    entriesOf: (header) => header.split(' ').slice(0, 1),
  }),
  mutant('looks-at-the-last-entry-only', 'only the last entry is compared', ['VFY-004', 'VFY-010'], {
    entriesOf: (header) => header.split(' ').slice(-1),
  }),
  mutant('looks-at-two-entries', 'only the first two entries are compared', ['VFY-004', 'VFY-010'], {
    entriesOf: (header) => header.split(' ').slice(0, 2),
  }),
  mutant('splits-at-commas', 'entries are split at commas', ['VFY-004', 'VFY-009'], {
    entriesOf: (header) =>
      header
        .split(',')
        .map((each, index) => (index === 0 ? each : `v1,${each}`))
        .slice(1, 2),
  }),
  mutant('ignores-the-version', 'the value of any version is compared', ['VFY-010'], {
    macOfEntry: (entry) => entry.split(',')[1],
  }),
  mutant('takes-entries-without-a-version', 'an entry without a version is compared', ['VFY-010', 'VFY-009'], {
    macOfEntry: (entry) => (entry.includes(',') ? verifierPolicy.macOfEntry(entry) : entry),
  }),
  mutant('takes-v1-as-a-prefix', 'any version that begins with v1 is compared', ['VFY-010'], {
    macOfEntry: (entry) => (entry.startsWith('v1') ? entry.split(',')[1] : undefined),
  }),
  mutant('reads-its-clock-in-milliseconds', 'without a clock that is given, now is in milliseconds', ['VFY-006'], {
    clock: () => Date.now(),
  }),
  mutant('stops-at-unknown-versions', 'an entry of another version ends the search', ['VFY-010'], {
    entriesOf: (header) => {
      const entries = header.split(' ')
      const stop = entries.findIndex((each) => !each.startsWith('v1,'))
      return stop < 0 ? entries : entries.slice(0, stop)
    },
  }),
  mutant('compares-a-prefix', 'as many characters are compared as the sender gives', ['VFY-003', 'VFY-009'], {
    isMac: (value, mac) => mac.startsWith(value),
  }),
  mutant('compares-sixteen-bytes', 'the first 16 bytes of the MAC are compared', ['VFY-003', 'VFY-009'], {
    isMac: (value, mac) =>
      Buffer.from(value, 'base64').subarray(0, 16).equals(Buffer.from(mac, 'base64').subarray(0, 16)),
  }),
  mutant('compares-without-case', 'the case of the signature is ignored', ['VFY-003', 'VFY-009'], {
    isMac: (value, mac) => value.toLowerCase() === mac.toLowerCase(),
  }),
  mutant('takes-hexadecimal', 'a hexadecimal signature is taken too', ['VFY-003', 'VFY-009'], {
    isMac: (value, mac) => isMac(value, mac) || value === Buffer.from(mac, 'base64').toString('hex'),
  }),
  mutant('compares-the-length', 'any signature of the right length is taken', ['VFY-009', 'VFY-001', 'VFY-003'], {
    isMac: (value) => value.length === 44,
  }),
  mutant('takes-an-empty-signature', 'an empty value is taken', ['VFY-003', 'VFY-009'], {
    isMac: (value, mac) => value === '' || isMac(value, mac),
  }),
  mutant('takes-another-hash', 'a MAC of another hash is expected', ['VFY-003', 'VFY-018'], {
    isMac: (value, mac) => value === createHmac('sha1', Buffer.from(mac, 'base64')).digest('base64'),
    writeEntry: (mac) => `v1,${createHmac('sha1', mac).digest('base64')}`,
  }),
  mutant('does-without-an-id', 'a delivery without an id is judged with an empty one, and taken', ['VFY-008'], {
    missingHeader: (name) => (name === 'webhook-id' ? '' : undefined),
    isMac: (value, mac) => value.length === mac.length || value.length === 44,
  }),
  mutant('does-without-a-timestamp', 'a delivery without a timestamp is taken for fresh', ['VFY-008'], {
    missingHeader: (name) => (name === 'webhook-timestamp' ? 'now' : undefined),
    parseTimestamp: (text) => (text === 'now' ? 1_800_000_000 : parseTimestamp(text)),
    isMac: (value) => value.length === 44,
  }),
  mutant('reads-header-names-exactly', 'header names are looked up in lower case only', ['VFY-019'], {
    headerOf: (headers, name) => {
      const value = (headers as Readonly<Record<string, unknown>>)[name]
      return typeof value === 'string' ? value : undefined
    },
  }),
  mutant('reads-title-case-names', 'header names are looked up in title case only', ['VFY-019'], {
    headerOf: (headers, name) => {
      const value = (headers as Readonly<Record<string, unknown>>)[
        name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase())
      ]
      return typeof value === 'string' ? value : undefined
    },
  }),
  mutant(
    'crashes-on-an-entry-without-a-comma',
    'an entry without a comma is an exception of another kind',
    ['VFY-013'],
    {
      macOfEntry: (entry) => {
        const [version, value] = entry.split(',') as [string, string]
        return version === 'v1' ? value.trim() : value.length === 0 ? undefined : undefined
      },
    },
  ),
  mutant(
    'crashes-on-a-malformed-timestamp',
    'a timestamp that is no number is an exception of another kind',
    ['VFY-013'],
    { parseTimestamp: (text) => Number(BigInt(text)) },
  ),
  mutant('refuses-a-repeated-id', 'an id that was verified once is refused the second time', ['VFY-014'], {
    repeatedIds: 'refused',
  }),
  mutant('accepts-a-repeated-id', 'an id that was verified once is taken unseen', ['VFY-014'], {
    repeatedIds: 'accepted',
  }),
  mutant('refuses-after-a-refusal', 'after one refusal everything is refused', ['VFY-014', 'VFY-013'], {
    afterRefusal: 'refused',
  }),
  mutant('says-nothing-of-a-refusal', 'a refusal has no message', ['VFY-017'], {
    refusal: (code) => new WebhookVerificationError(code, ''),
  }),
  mutant('returns-text', 'the event is returned as text', ['VFY-016'], {
    eventOf: textOf,
  }),
  mutant('returns-the-data-alone', 'only the data of the event is returned', ['VFY-016'], {
    eventOf: (body) => (JSON.parse(textOf(body)) as { data?: unknown }).data ?? null,
  }),
  mutant('signs-without-a-version', 'signing leaves out the version', ['VFY-018'], {
    writeEntry: (mac) => mac.toString('base64'),
  }),
  mutant('signs-in-base64url', 'signing writes base64url', ['VFY-018'], {
    writeEntry: (mac) => `v1,${mac.toString('base64url')}`,
  }),
  mutant('lower-cases-ids', 'the id is lower-cased before it is signed', ['VFY-001', 'VFY-018'], {
    headerOf: (headers, name) =>
      name === 'webhook-id' ? headerOf(headers, name)?.toLowerCase() : headerOf(headers, name),
    signedHead: (id, timestamp) => `${id.toLowerCase()}.${timestamp}.`,
  }),
]
