import { createHmac } from 'node:crypto'
import { defineMutant, type Mutant } from '../define.js'

/** Deviations in signing. */
export const signingMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/signs-in-milliseconds',
    title: 'webhook-timestamp is in milliseconds',
    breaks: ['SIG-002'],
    policy: {
      signedTimestamp: (attemptAt) => String(attemptAt),
    },
  }),
  defineMutant({
    id: 'server/signs-in-iso-8601',
    title: 'webhook-timestamp is ISO 8601',
    breaks: ['SIG-002'],
    policy: {
      signedTimestamp: (attemptAt) => new Date(attemptAt).toISOString(),
    },
  }),
  defineMutant({
    id: 'server/signs-at-a-fixed-time',
    title: 'webhook-timestamp is that of the machine, a week off',
    breaks: ['SIG-002'],
    policy: {
      signedTimestamp: (attemptAt) => String(Math.floor(attemptAt / 1000) - 604_800),
    },
  }),
  defineMutant({
    id: 'server/writes-no-version',
    title: 'the signature has no v1',
    breaks: ['SIG-003', 'SIG-004', 'SIG-008'],
    policy: {
      encodeSignature: (mac) => mac.toString('base64'),
    },
  }),
  defineMutant({
    id: 'server/writes-hexadecimal',
    title: 'the signature is hexadecimal',
    breaks: ['SIG-004', 'SIG-003'],
    policy: {
      encodeSignature: (mac) => `v1,${mac.toString('hex')}`,
    },
  }),
  defineMutant({
    id: 'server/writes-base64url',
    title: 'the signature is base64url',
    breaks: ['SIG-004', 'SIG-003'],
    policy: {
      encodeSignature: (mac) => `v1,${mac.toString('base64url')}`,
    },
  }),
  defineMutant({
    id: 'server/writes-no-padding',
    title: 'the base64 of the signature is not padded',
    breaks: ['SIG-004', 'SIG-003'],
    policy: {
      encodeSignature: (mac) => `v1,${mac.toString('base64').replace(/=+$/, '')}`,
    },
  }),
  defineMutant({
    id: 'server/signs-with-fractions',
    title: 'webhook-timestamp has a fraction',
    breaks: ['SIG-002'],
    policy: {
      signedTimestamp: (attemptAt) => (attemptAt / 1000).toFixed(3),
    },
  }),
  defineMutant({
    id: 'server/writes-v2',
    title: 'the signature is of version v2',
    breaks: ['SIG-008', 'SIG-004'],
    policy: {
      encodeSignature: (mac) => `v2,${mac.toString('base64')}`,
    },
  }),
  defineMutant({
    id: 'server/writes-an-equals-sign',
    title: 'the entry is v1=',
    breaks: ['SIG-003', 'SIG-004'],
    policy: {
      encodeSignature: (mac) => `v1=${mac.toString('base64')}`,
    },
  }),
  defineMutant({
    id: 'server/separates-entries-by-commas',
    title: 'several entries are joined by commas',
    breaks: ['SIG-003', 'SIG-004'],
    policy: {
      signatureHeader: (entry) => `v1,${createHmac('sha256', 'old').digest('base64')},${entry}`,
    },
  }),
  defineMutant({
    id: 'server/signs-the-body-alone',
    title: 'only the body is signed',
    breaks: ['SIG-004'],
    policy: {
      signedContent: (_id, _timestamp, body) => body,
    },
  }),
  defineMutant({
    id: 'server/does-not-sign-the-id',
    title: 'the id is not signed',
    breaks: ['SIG-004'],
    policy: {
      signedContent: (_id, timestamp, body) => `${timestamp}.${body}`,
    },
  }),
  defineMutant({
    id: 'server/signs-in-another-order',
    title: 'timestamp and id are swapped',
    breaks: ['SIG-004'],
    policy: {
      signedContent: (id, timestamp, body) => `${timestamp}.${id}.${body}`,
    },
  }),
  defineMutant({
    id: 'server/signs-with-colons',
    title: 'the parts are joined by colons',
    breaks: ['SIG-004'],
    policy: {
      signedContent: (id, timestamp, body) => `${id}:${timestamp}:${body}`,
    },
  }),
  defineMutant({
    id: 'server/signs-with-the-undecoded-secret',
    title: 'the text of the secret is the key',
    breaks: ['SIG-004'],
    policy: {
      signatureKey: (secret) => Buffer.from(secret),
    },
  }),
  defineMutant({
    id: 'server/signs-with-the-base64-text',
    title: 'the text after the prefix is the key',
    breaks: ['SIG-004'],
    policy: {
      signatureKey: (secret) => Buffer.from(secret.slice(6)),
    },
  }),
  defineMutant({
    id: 'server/signs-with-sha-1',
    title: 'the hash is SHA-1',
    breaks: ['SIG-004'],
    policy: { signatureHash: 'sha1' },
  }),
  defineMutant({
    id: 'server/signs-with-sha-512',
    title: 'the hash is SHA-512',
    breaks: ['SIG-004'],
    policy: { signatureHash: 'sha512' },
  }),
  defineMutant({
    id: 'server/signs-latin-1',
    title: 'the signed text is read as Latin-1',
    breaks: ['SIG-007', 'SIG-004'],
    policy: {
      signedContent: (id, timestamp, body) => Buffer.from(`${id}.${timestamp}.${body}`, 'latin1'),
    },
  }),
]
