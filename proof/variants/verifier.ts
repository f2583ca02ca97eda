import type { Patch } from '../patching/patch.js'
import { changeAt } from '../seams/index.js'
import type { Variant } from './variant.js'

function variant(id: string, title: string, ...patch: readonly Patch[]): Variant<'verifier'> {
  return { id: `verifier/${id}`, title, openPoints: [], policy: {}, patch }
}

/** Conforming alternatives of the reference verifier: the interface is silent on all of this. */
export const verifierVariants: readonly Variant<'verifier'>[] = [
  variant(
    'other-codes',
    'one code and one message for every refusal',
    { file: 'verifier/errors.ts', find: 'super(message)', replace: `super('invalid webhook')` },
    { file: 'verifier/errors.ts', find: 'this.code = code', replace: `this.code = 'SIGNATURE_INVALID'` },
  ),
  variant('names-what-came', 'lists the received entries in a refusal', {
    file: 'verifier/verifier.ts',
    find: "'no v1 entry of webhook-signature equals the computed signature'",
    replace: "'no match for ' + signature",
  }),
  variant(
    'takes-no-field-beyond-four-kilobytes',
    'a signature header of more than 4 KB is refused',
    changeAt('verifier/entries', `(signature.length > 4096 ? '' : signature).split(' ')`),
  ),
  variant(
    'tells-no-event',
    'a verified delivery is answered without its event',
    changeAt('verifier/parsed', 'return undefined'),
  ),
  variant(
    'takes-any-body',
    'accepts a verified body with invalid JSON, and returns nothing',
    changeAt('verifier/not-json', 'return null'),
  ),
  variant(
    'reads-integers-as-languages-do',
    'a plus sign, blanks and leading zeros are read, and signed as sent',
    changeAt('verifier/seconds', `if (/^\\s*[+-]?\\d+\\s*$/.test(timestamp)) return Number(timestamp)`),
  ),
  variant(
    'reads-decimals',
    'a timestamp with a fraction is read, and signed as sent',
    changeAt('verifier/seconds', `if (/^\\d+(\\.\\d*)?$/.test(timestamp)) return Number(timestamp)`),
  ),
  variant(
    'reads-leading-digits',
    'what follows the digits of a timestamp is not looked at, but signed as sent',
    changeAt(
      'verifier/seconds',
      `const seconds = Number.parseInt(timestamp, 10)
  if (!Number.isNaN(seconds)) return seconds`,
    ),
  ),
  variant(
    'trims-headers',
    'blanks around header values are cut off, as HTTP does',
    changeAt('verifier/header', 'const value = headerOf(headers, name)?.trim()'),
  ),
  variant(
    'splits-at-any-blank',
    'entries are separated by any run of blanks and tabs, and a comma before them',
    changeAt('verifier/entries', `signature.trim().split(/,?\\s+/)`),
  ),
  {
    ...variant(
      'compares-bytes',
      'the decoded bytes are compared, in whatever base64 they were written',
      changeAt('verifier/is-equal', `return Buffer.from(value, 'base64').equals(Buffer.from(mac, 'base64'))`),
    ),
    openPoints: ['signature-entry-form'],
    ignores: ['VFY-021'],
  },
  {
    ...variant(
      'reads-lower-case-names-alone',
      'headers are looked up in lower case, as their container returns them',
      changeAt('verifier/header', 'const value = headers[name]'),
    ),
    ignores: ['VFY-019'],
  },
  variant(
    'says-no-more-than-no',
    'a refusal has neither code nor message',
    { file: 'verifier/errors.ts', find: 'super(message)', replace: `super('')` },
    { file: 'verifier/errors.ts', find: 'this.code = code', replace: `this.code = ''` },
  ),
  variant(
    'compares-hashes',
    'the MAC and the value are compared through equality of text',
    changeAt('verifier/is-equal', 'return value === mac'),
  ),
  variant(
    'compares-digests',
    'compares digests of both values under a random key',
    changeAt(
      'verifier/is-equal',
      `const [one, other] = [value, mac].map((text) => createHmac('sha256', mac).update(text).digest())
  return one.equals(other)`,
    ),
  ),
  variant(
    'insists-on-the-prefix',
    'a secret without its prefix or its padding is refused',
    changeAt(
      'verifier/key',
      `if (/^whsec_(?:[\\w+/-]{4})*(?:[\\w+/-]{2}==|[\\w+/-]{3}=)?$/.test(secret) && text !== '' && isBase64) return Buffer.from(text, 'base64')`,
    ),
  ),
  variant(
    'decodes-secrets-leniently',
    'a secret is decoded as far as it goes; one without a key is refused',
    changeAt(
      'verifier/key',
      `const key = Buffer.from(secret.trim().replace(/^whsec_/i, ''), 'base64')
  if (key.length > 0) return key`,
    ),
  ),
  variant(
    'takes-24-to-64-bytes',
    'a key of fewer than 24 or more than 64 bytes is refused',
    changeAt(
      'verifier/key',
      `const key = Buffer.from(text, 'base64')
  if (isBase64 && key.length >= 24 && key.length <= 64) return key`,
    ),
  ),
  variant(
    'compares-in-constant-time-only',
    'every entry is compared, the last one first',
    changeAt('verifier/entries', `signature.split(' ').reverse()`),
  ),
  variant(
    'knows-clocks-of-ten-digits',
    'a timestamp of other than ten digits is refused',
    changeAt('verifier/seconds', `if (/^[1-9]\\d{9}$/.test(timestamp)) return Number(timestamp)`),
  ),
  variant(
    'signs-texts-alone',
    'signs no body with invalid UTF-8',
    changeAt('verifier/signature', '`v1,${macOf(keyOf(secret), id, seconds, utf8.decode(bodyOf(payload)))}`'),
  ),
  {
    ...variant(
      'limits-bodies',
      'a body of more than a mebibyte is refused',
      changeAt(
        'verifier/body',
        `if (typeof payload !== 'string' && payload.byteLength > 1_048_576) throw new WebhookVerificationError('malformed_payload', 'the body is too large')
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload`,
      ),
    ),
    ignores: ['VFY-011'],
  },
]
