import { expect, test } from 'vitest'
import { Secrets } from './secrets.js'

const key = 'key_0123456789'
const webhookSecret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='

test.each([
  ['as it is', key, '[redacted]'],
  ['twice, side by side', `${key}${key}`, '[redacted][redacted]'],
  ['in a text', `?token=${key}&after=`, '?token=[redacted]&after='],
  ['in base64', Buffer.from(key).toString('base64'), '[redacted]='],
  ['the base64 part of a webhook secret', webhookSecret.slice('whsec_'.length), '[redacted]'],
  ['a webhook secret nobody registered', 'whsec_AAAA', 'whsec_[redacted]'],
  ['a credential nobody registered', 'Authorization: Bearer abc', 'Authorization: Bearer [redacted]'],
  ['nothing', 'key_012345678', 'key_012345678'],
])('%s', (_what, text, clean) => {
  const secrets = new Secrets()
  secrets.add(key)
  secrets.add(webhookSecret)
  expect(secrets.redact(text)).toBe(clean)
})

test('of secrets that overlap nothing is left', () => {
  const secrets = new Secrets()
  for (const value of ['abcdefgh', 'fghijklm', 'abcdefghij']) secrets.add(value)
  expect(secrets.redact('<abcdefghijklm>')).toBe('<[redacted]>')
  expect(secrets.redact('<abcdefghij>')).toBe('<[redacted]>')
})

test('in every string of a value, names included', () => {
  const secrets = new Secrets()
  secrets.add(key)
  expect(secrets.redactDeep({ [key]: [`a ${key}`, 1], bytes: Buffer.from('ab') })).toEqual({
    '[redacted]': ['a [redacted]', 1],
    bytes: '2 bytes',
  })
})
