import { verify } from '../../../reference/verifier/subtle.js'
import { fallbackFields } from '../../../reference/client/error-fields.js'
import { retryPolicy } from '../../../reference/client/policy/retries.js'
import { waitsByPolling } from '../../variants/polling-wait.js'
import { defineMutant, type Mutant } from '../define.js'
import { inTransport, unshownPaths, withUnshownPaths } from './support.js'

/** The end of an attempt without an answer, if it is an error of another kind than a broken connection. */
const throwing = (pattern: string) =>
  ({
    file: 'client/attempt.ts',
    find: "return broken('network_error', cause)",
    replace: `if (/${pattern}/.test(String([cause?.cause?.code, cause?.cause?.name]))) throw cause
      return broken('network_error', cause)`,
  }) as const

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
    id: 'client/stumbles-over-a-handshake',
    title: 'a failed TLS handshake throws a plain JavaScript exception',
    breaks: ['CLI-034'],
    patch: [throwing('SSL|TLS|EPROTO')],
  }),
  defineMutant({
    id: 'client/stumbles-over-what-is-no-http',
    title: 'an answer that is not HTTP throws a plain JavaScript exception',
    breaks: ['CLI-034'],
    patch: [throwing('HPE_|HTTPParser')],
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
    id: 'client/wants-a-body-of-a-delete-with-200',
    title: 'webhooks.delete answered 200 without a body is an error',
    breaks: ['CLI-059'],
    patch: [
      inTransport(
        'answer.status === 204 || bodyNotShown === true',
        "answer.status === 204 || (bodyNotShown === true && request.operation !== 'webhooks.delete')",
      ),
    ],
  }),
  defineMutant({
    id: 'client/wants-a-body-of-a-suppression',
    title: 'suppressions.delete answered 204 is an error',
    breaks: ['CLI-060'],
    patch: [
      withUnshownPaths,
      inTransport(
        'answer.status === 204 || bodyNotShown === true',
        "request.operation !== 'suppressions.delete' && (answer.status === 204 || bodyNotShown === true)",
      ),
    ],
  }),
  defineMutant({
    id: 'client/knows-the-usual-successes',
    title: 'treats only 200, 201, 202 and 204 as success',
    breaks: ['CLI-028'],
    policy: { isSuccess: (status) => [200, 201, 202, 204].includes(status) },
  }),
  defineMutant({
    id: 'client/verifies-the-domain-undefined',
    title: 'domains.verify always requests the domain "undefined"',
    breaks: ['CLI-060'],
    patch: [
      withUnshownPaths,
      inTransport(
        'const request = prepareRequest(call, settings)',
        `const named = call.operation === 'domains.verify' ? { ...call, path: { domain: 'undefined' } } : call
    const request = prepareRequest(named, settings)`,
      ),
    ],
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
    id: 'client/looks-for-messages-once',
    title: 'messages.wait polls, and reads the first answer each time',
    breaks: ['CLI-055'],
    patch: waitsByPolling({
      isMatch:
        'Date.now() < until - (asked.timeout ?? 120) * 1000 + 150 && (asked.from === undefined || String(each.from).includes(asked.from))',
    }),
  }),
  defineMutant({
    id: 'client/waits-for-nobody-without-a-sender',
    title: 'messages.wait polls, and finds no message without a sender',
    breaks: ['CLI-055'],
    patch: waitsByPolling({ isMatch: 'String(each.from).includes(asked.from)' }),
  }),
  ...(
    [
      ['webhooks', "request.operation === 'webhooks.create'", ['CLI-061']],
      ['anything', 'true', ['CLI-027', 'CLI-061']],
    ] as const
  ).map(([name, condition, breaks]) =>
    defineMutant({
      id: `client/creates-${name}-again-after-a-page`,
      title: `an HTML page with a 5xx counts as a lost answer, so ${name === 'webhooks' ? 'a webhook' : name} is created again`,
      breaks,
      patch: [
        inTransport(
          'if (policy.creatingOperations.includes(request.operation)',
          `if (outcome.kind === 'answer' && outcome.status >= 500 && parse(outcome.text) === undefined && ${condition}) return true
  if (policy.creatingOperations.includes(request.operation)`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'client/looks-at-the-first-sign-of-an-answer',
    title: 'an answer is parsed as JSON only if it begins with a bracket',
    breaks: ['CLI-028', 'CLI-031'],
    patch: [inTransport('return JSON.parse(text)', 'return /^[{[]/.test(text) ? JSON.parse(text) : undefined')],
  }),
  defineMutant({
    id: 'client/reads-the-first-line-of-an-answer',
    title: 'the first line of an answer is read as JSON',
    breaks: ['CLI-028', 'CLI-031'],
    patch: [inTransport('return JSON.parse(text)', "return JSON.parse(text.split('\\n')[0])")],
  }),
  defineMutant({
    id: 'client/returns-pages',
    title: 'a page that comes with a 200 is returned as the text it is',
    breaks: ['CLI-028'],
    patch: [
      inTransport(
        'if (isBodyOptional) return undefined',
        "if (isBodyOptional) return undefined\n  if (answer.headers.get('content-type')?.includes('html')) return answer.text",
      ),
    ],
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
