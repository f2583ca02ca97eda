import { verify } from '../../../reference/verifier/subtle.js'
import { fallbackFields } from '../../../reference/client/error-fields.js'
import { retryPolicy } from '../../../reference/client/policy/retries.js'
import { defineMutant, type Mutant } from '../define.js'
import { unshownPaths } from './support.js'

/** Mistakes in one status, one form of an answer, one filter or one secret. */
export const narrowAnswerMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/tells-a-408-as-a-time-out',
    title: 'the error of a 408 has the code timeout, whatever the API sent',
    breaks: ['CLI-031'],
    policy: { error: (fields) => (fields.status === 408 ? { ...fields, code: 'timeout' } : fields) },
  }),
  defineMutant({
    id: 'client/has-a-code-for-what-is-too-large',
    title: 'the error of a 413 has the code and the fix of the library',
    breaks: ['CLI-031'],
    policy: {
      error: (fields) =>
        fields.status === 413 ? { ...fields, code: 'payload_too_large', fix: 'Send less at once.' } : fields,
    },
  }),
  defineMutant({
    id: 'client/hurries-after-a-retry-after-it-cannot-read',
    title: 'after a Retry-After that is a word the call is retried at once',
    breaks: ['CLI-016', 'CLI-017'],
    policy: {
      askedWaitMs: (header, nowMs) => (header === null ? undefined : (retryPolicy.askedWaitMs(header, nowMs) ?? 0)),
    },
  }),
  defineMutant({
    id: 'client/reads-no-padded-secret',
    title: 'verifyWebhook cannot decode a secret with base64 padding',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: (delivery) =>
        verify(String(delivery.secret).endsWith('=') ? { ...delivery, secret: 'whsec_AAAA' } : delivery),
    },
  }),
  defineMutant({
    id: 'client/cuts-letters-of-the-prefix-off-a-secret',
    title: 'verifyWebhook strips the letters of whsec_ from a secret, like lstrip of Python',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: (delivery) =>
        verify({ ...delivery, secret: String(delivery.secret).replace(/^[whsec_]+/, 'whsec_') }),
    },
  }),
  defineMutant({
    id: 'client/wants-a-key-of-24-bytes',
    title: 'verifyWebhook refuses a secret whose key has not 24 bytes',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: (delivery) =>
        verify(String(delivery.secret).length === 38 ? delivery : { ...delivery, secret: 'whsec_AAAA' }),
    },
  }),
  defineMutant({
    id: 'client/starts-with-an-empty-key',
    title: 'a client whose key is the empty string is built',
    breaks: ['CLI-003'],
    policy: { apiKey: (given, env) => given ?? env['SERVICE_API_KEY'] },
  }),
  defineMutant({
    id: 'client/knows-the-usual-successes',
    title: 'treats only 200, 201, 202 and 204 as success',
    breaks: ['CLI-028'],
    policy: { isSuccess: (status) => [200, 201, 202, 204].includes(status) },
  }),
  defineMutant({
    id: 'client/lists-mine-with-a-status-alone',
    title: 'conversations.list drops the assignee if there is no status',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      query: (name, query) => (name === 'conversations.list' && query['status'] === undefined ? {} : query),
    },
  }),
  defineMutant({
    id: 'client/has-no-code-for-a-page',
    title: 'the error of a page has no code',
    breaks: ['CLI-031'],
    policy: { fallbackFields: (...args) => ({ ...fallbackFields(...args), code: '' }) },
  }),
  defineMutant({
    id: 'client/has-no-fix-without-an-answer',
    title: 'the error of a call without an answer has no fix',
    breaks: ['CLI-031'],
    policy: { error: (fields) => (fields.status === 0 ? { ...fields, fix: '' } : fields) },
  }),
]
