import { describe, expect, it } from 'vitest'
import { loadScheme } from '../../fixtures/index.js'
import { SignatureScheme } from '../schemes/scheme.js'
import { Attempt } from '../sink/attempt.js'
import { SeenAttempt } from './attempts.js'

function seenUnder(scheme: string, rawHeaders: readonly string[], body: string): SeenAttempt {
  const record = { method: 'POST', path: '/webhooks', rawHeaders, bodyBase64: Buffer.from(body).toString('base64') }
  const form = { scheme: new SignatureScheme(loadScheme(scheme)) }
  return new SeenAttempt(Attempt.restored({ ...record, arrivedAt: 0 }), form)
}

describe('an attempt of a sender, read by its scheme,', () => {
  it('has the id in the body and the time in the signature header', () => {
    const seen = seenUnder('stripe', ['Stripe-Signature', 't=1700000000,v1=ab'], '{"id":"evt_1"}')
    expect(seen.values).toEqual({ id: 'evt_1', timestamp: '1700000000', signature: 't=1700000000,v1=ab' })
    expect(seen.keys).toEqual(['evt_1'])
    expect(seen.isVerifiable).toBe(true)
  })

  it('has its time in the unit of the scheme', () => {
    const headers = ['Linear-Delivery', 'd1', 'Linear-Signature', 'ab']
    const seen = seenUnder('linear', headers, '{"webhookTimestamp":1700000000500}')
    expect(seen.signedAt).toBe(1_700_000_000.5)
    expect(seenUnder('linear', headers, '{}').isVerifiable).toBe(false)
    expect(seenUnder('linear', headers, '{}').isUnreadable('timestamp')).toBe(false)
    expect(seenUnder('linear', headers, 'a=1').isUnreadable('timestamp')).toBe(true)
  })

  it('can be verified without an id that is not signed, and has no value for a repeated header', () => {
    const signature = ['X-Hub-Signature-256', 'sha256=ab']
    expect(seenUnder('github', signature, '{}').isVerifiable).toBe(true)
    const twice = seenUnder('github', [...signature, ...signature], '{}')
    expect(twice.lines('signature')).toHaveLength(2)
    expect(twice.isVerifiable).toBe(false)
  })

  it('is named by its bytes where the scheme has no id', () => {
    expect(seenUnder('zoom', [], '{"id":"1"}').keys).toEqual([expect.stringMatching(/^body /)])
  })
})
