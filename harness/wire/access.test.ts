import { expect, test } from 'vitest'
import { sinkCertificate } from '../sink/certificate.js'
import { tlsOf } from './access.js'

test('authorities are read once, not for each connection', async () => {
  const { ca, cert, key } = await sinkCertificate()
  for (const access of [{ ca }, { client: { cert, key } }, { ca, client: { cert, key }, insecure: true }]) {
    const first = tlsOf(access)
    expect(first.secureContext).toBeDefined()
    expect(tlsOf(access).secureContext).toBe(first.secureContext)
    expect(tlsOf({ ...access }).secureContext).not.toBe(first.secureContext)
  }
})

test('who gives no certificates gets those of the system', () => {
  expect(tlsOf({})).toEqual({ rejectUnauthorized: true })
  expect(tlsOf({ insecure: true })).toEqual({ rejectUnauthorized: false })
})
