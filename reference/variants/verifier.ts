import { WebhookVerificationError, verifierPolicy, type RefusalCode, type VerifierPolicy } from '../verifier/index.js'
import type { Variant } from './variant.js'

export type VerifierVariant = Variant<VerifierPolicy>

function variant(id: string, title: string, policy: Partial<VerifierPolicy>): VerifierVariant {
  return { id: `verifier/${id}`, title, openPoints: [], policy }
}

const { headerOf, isMac, keyOf } = verifierPolicy

/** Conforming alternatives of the reference verifier: the interface is silent on all of this. */
export const verifierVariants: readonly VerifierVariant[] = [
  variant('other-codes', 'one code and one message for every refusal', {
    refusal: () => new WebhookVerificationError('SIGNATURE_INVALID' as RefusalCode, 'invalid webhook'),
  }),
  variant('tells-no-event', 'a verified delivery is answered without its event', { eventOf: () => undefined }),
  variant('takes-any-body', 'a verified body that is no JSON is taken, and handed out as nothing', {
    eventOf: (body) => {
      try {
        return verifierPolicy.eventOf(body)
      } catch {
        return null
      }
    },
  }),
  variant('reads-integers-as-languages-do', 'a plus sign, blanks and leading zeros are read, and signed as sent', {
    parseTimestamp: (text) => (/^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined),
  }),
  variant('reads-decimals', 'a timestamp with a fraction is read, and signed as sent', {
    parseTimestamp: (text) => (/^\d+(\.\d*)?$/.test(text) ? Number(text) : undefined),
  }),
  variant('reads-leading-digits', 'what follows the digits of a timestamp is not looked at, but signed as sent', {
    parseTimestamp: (text) => {
      const seconds = Number.parseInt(text, 10)
      return Number.isNaN(seconds) ? undefined : seconds
    },
  }),
  variant('trims-headers', 'blanks around header values are cut off, as HTTP does', {
    headerOf: (headers, name) => headerOf(headers, name)?.trim(),
  }),
  variant('splits-at-any-blank', 'entries are separated by any run of blanks and tabs, and a comma before them', {
    entriesOf: (header) => header.trim().split(/,?\s+/),
  }),
  variant('looks-at-sixteen-entries', 'a list of more than sixteen entries is refused', {
    entriesOf: (header) => {
      const entries = header.split(' ')
      return entries.length > 16 ? [] : entries
    },
  }),
  variant('compares-bytes', 'the decoded bytes are compared, in whatever base64 they were written', {
    isMac: (value, mac) => Buffer.from(value, 'base64').equals(Buffer.from(mac, 'base64')) && !/[-_]/.test(value),
  }),
  variant('compares-hashes', 'the MAC and the value are compared through equality of text', {
    isMac: (value, mac) => value.length === mac.length && value === mac,
  }),
  variant('insists-on-the-prefix', 'a secret without its prefix or its padding is refused', {
    keyOf: (secret) =>
      /^whsec_(?:[\w+/-]{4})*(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/.test(secret) ? keyOf(secret) : undefined,
  }),
  variant('decodes-secrets-leniently', 'a secret is decoded as far as it goes; one without a key is refused', {
    keyOf: (secret) => {
      const key = Buffer.from(secret.trim().replace(/^whsec_/i, ''), 'base64')
      return key.length === 0 ? undefined : key
    },
  }),
  variant('takes-24-to-64-bytes', 'a key of fewer than 24 or more than 64 bytes is refused', {
    keyOf: (secret) => {
      const key = keyOf(secret)
      return key === undefined || key.length < 24 || key.length > 64 ? undefined : key
    },
  }),
  variant('limits-the-header', 'a signature header of more than 4 KB is refused', {
    entriesOf: (header) => (header.length > 4_096 ? [] : verifierPolicy.entriesOf(header)),
  }),
  variant('compares-in-constant-time-only', 'every entry is compared, also after one that matches', {
    entriesOf: (header) => [...verifierPolicy.entriesOf(header)].reverse(),
    isMac: (value, mac) => isMac(value, mac),
  }),
]
