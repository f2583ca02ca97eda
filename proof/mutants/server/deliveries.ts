import { retryDelaysMs } from '../../../spec/index.js'
import { dataMember, defaultPolicy, idMember, timestampMember, typeMember } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { isSuccess, shownDelivery, snippet } = defaultPolicy

/** Deviations in deliveries and their records. */
export const deliveriesMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/sends-another-id-in-the-body',
    title: 'the id in the body is the id of the delivery record',
    breaks: ['DLV-002', 'SIG-001', 'EVT-014'],
    policy: {
      bodyMembers: [
        { name: 'id', json: ({ id }) => JSON.stringify(`${id}0`) },
        typeMember,
        timestampMember,
        dataMember,
      ],
    },
  }),
  defineMutant({
    id: 'server/shows-another-word-while-under-way',
    title: 'a delivery under way is processing',
    breaks: ['DLV-004', 'DLV-016'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        status: delivery.attempt === 0 ? 'processing' : delivery.status,
      }),
    },
  }),
  defineMutant({
    id: 'server/lists-a-delivery-once-it-was-answered',
    title: 'a delivery is listed once an attempt has ended',
    breaks: ['DLV-004'],
    policy: {
      deliveryListEnvelope: (items) => ({
        data: items.filter((delivery) => {
          const { response_code: code, error } = delivery as { response_code: unknown; error: unknown }
          return code !== null || error !== null
        }),
      }),
    },
  }),
  defineMutant({
    id: 'server/sends-no-timestamp',
    title: 'the body has no timestamp',
    breaks: ['DLV-002'],
    policy: {
      bodyMembers: [idMember, typeMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/sends-no-id',
    title: 'the body has no id',
    breaks: ['DLV-002', 'SIG-001'],
    policy: {
      bodyMembers: [typeMember, timestampMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/names-headers-otherwise',
    title: 'the headers have the names of a vendor',
    breaks: ['DLV-003'],
    policy: {
      headerNames: { id: 'svix-id', timestamp: 'svix-timestamp', signature: 'svix-signature' },
    },
  }),
  defineMutant({
    id: 'server/takes-only-200',
    title: 'only 200 is success',
    breaks: ['DLV-005', 'DLV-006'],
    policy: { isSuccess: (status) => status === 200 },
  }),
  defineMutant({
    id: 'server/takes-200-to-204',
    title: 'treats every 2xx above 204 as a failure',
    breaks: ['DLV-005', 'DLV-006'],
    policy: {
      isSuccess: (status) => status >= 200 && status <= 204,
    },
  }),
  defineMutant({
    id: 'server/reads-success-from-the-body',
    title: 'treats a 2xx as a failure if its body mentions an error',
    breaks: ['DLV-005', 'DLV-006'],
    policy: {
      isSuccess: (status, attempt, body) => isSuccess(status, attempt, body) && !/error/i.test(body ?? ''),
    },
  }),
  defineMutant({
    id: 'server/takes-3xx-for-success',
    title: 'a redirect counts as success',
    breaks: ['DLV-010', 'DLV-011', 'RTY-012'],
    policy: {
      isSuccess: (status) => status >= 200 && status < 400,
    },
  }),
  defineMutant({
    id: 'server/takes-4xx-for-success',
    title: 'any answer counts as success',
    breaks: ['DLV-011', 'RTY-012'],
    policy: {
      isSuccess: (status) => status < 500,
    },
  }),
  defineMutant({
    id: 'server/does-not-retry-resets',
    title: 'a broken connection is not retried',
    breaks: ['DLV-022', 'RTY-012'],
    policy: {
      isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'connection',
    },
  }),
  defineMutant({
    id: 'server/waits-five-seconds',
    title: 'the consumer has 5 seconds',
    breaks: ['DLV-007'],
    policy: { answerTimeMs: 5_000 },
  }),
  defineMutant({
    id: 'server/waits-thirty-seconds',
    title: 'the consumer has 30 seconds',
    breaks: ['DLV-008'],
    policy: { answerTimeMs: 30_000 },
  }),
  defineMutant({
    id: 'server/keeps-the-end',
    title: 'the snippet is the end of the answer',
    breaks: ['DLV-019'],
    policy: { snippet: (body) => body.slice(-500) },
  }),
  defineMutant({
    id: 'server/lists-twenty',
    title: 'the default page of deliveries has 20',
    breaks: ['DLV-013'],
    policy: { deliveryDefaultLimit: 20 },
  }),
  defineMutant({
    id: 'server/lists-a-hundred',
    title: 'the default page of deliveries has 100',
    breaks: ['DLV-013'],
    policy: { deliveryDefaultLimit: 100 },
  }),
  defineMutant({
    id: 'server/lists-at-most-fifty',
    title: 'limit of the deliveries list is at most 50',
    breaks: ['DLV-014', 'DLV-015'],
    policy: { deliveryMaxLimit: 50 },
  }),
  defineMutant({
    id: 'server/shows-delivered',
    title: 'status has other values',
    breaks: ['DLV-016', 'DLV-005', 'DLV-011'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        status: delivery.status === 'succeeded' ? 'delivered' : delivery.status,
      }),
    },
  }),
  defineMutant({
    id: 'server/counts-attempts-from-zero',
    title: 'attempt counts from 0',
    breaks: ['DLV-017'],
    policy: {
      shownDelivery: (delivery) => ({ ...shownDelivery(delivery), attempt: Math.max(0, delivery.attempt - 1) }),
    },
  }),
  defineMutant({
    id: 'server/shows-no-response-code',
    title: 'response_code is always 200',
    breaks: ['DLV-018'],
    policy: {
      shownDelivery: (delivery) => ({ ...shownDelivery(delivery), response_code: 200 }),
    },
  }),
  defineMutant({
    id: 'server/tells-a-next-attempt-of-what-has-ended',
    title: 'next_attempt_at is set whatever the answer was',
    breaks: ['DLV-020'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        next_attempt_at: new Date(
          retryDelaysMs.slice(0, delivery.attempt + 1).reduce((sum, delayMs) => sum + delayMs, delivery.createdAt),
        ).toISOString(),
      }),
    },
  }),
  defineMutant({
    id: 'server/keeps-the-first-snippet',
    title: 'the body of a later answer is not kept',
    breaks: ['DLV-019'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        response_body_snippet: delivery.attempt > 1 ? 'busy' : delivery.snippet,
      }),
    },
  }),
  defineMutant({
    id: 'server/sends-json-as-text',
    title: 'the body is sent as plain text',
    breaks: ['DLV-001'],
    policy: { deliveryContentType: 'text/plain' },
  }),
  defineMutant({
    id: 'server/shows-no-id',
    title: 'listed deliveries have no id',
    breaks: ['DLV-021'],
    policy: {
      shownDelivery: (delivery) => ({ ...shownDelivery(delivery), id: undefined }),
    },
  }),
  defineMutant({
    id: 'server/keeps-no-snippet',
    title: 'the answer of the consumer is not kept',
    breaks: ['DLV-019'],
    policy: { snippet: () => '' },
  }),
  defineMutant({
    id: 'server/keeps-255-characters',
    title: 'the snippet has 255 characters',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body) => body.slice(0, 255),
    },
  }),
  defineMutant({
    id: 'server/keeps-500-bytes',
    title: 'the snippet has 500 bytes',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body) => Buffer.from(body).subarray(0, 500).toString('utf8'),
    },
  }),
  defineMutant({
    id: 'server/ends-the-snippet-at-a-nul',
    title: 'ends the snippet at a NUL of the body',
    breaks: ['DLV-019'],
    policy: { snippet: (body, status) => snippet(body.split('\0')[0] ?? '', status) },
  }),
  defineMutant({
    id: 'server/trims-the-snippet',
    title: 'blanks around the body are cut off',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body) => snippet(body.trim(), 0),
    },
  }),
  defineMutant({
    id: 'server/keeps-snippets-of-failures',
    title: 'only the body of a failure is kept',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body, status) => (status < 300 ? '' : snippet(body, status)),
    },
  }),
  defineMutant({
    id: 'server/keeps-snippets-of-successes',
    title: 'only the body of a success is kept',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body, status) => (status < 300 ? snippet(body, status) : ''),
    },
  }),
  defineMutant({
    id: 'server/keeps-the-whole-body',
    title: 'the whole answer is kept',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body) => body,
      snippetReadBytes: 100_000,
    },
  }),
  defineMutant({
    id: 'server/pending-is-failed',
    title: 'a delivery is failed after its first failure, and retried',
    breaks: ['DLV-011', 'RTY-010'],
    policy: {
      retryingStatus: 'failed',
    },
  }),
  defineMutant({
    id: 'server/keeps-200-letters-of-a-failure',
    title: 'cuts the snippet of a failed answer to 200 characters',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body, status) => defaultPolicy.snippet(body, status).slice(0, status < 300 ? undefined : 200),
    },
  }),
  defineMutant({
    id: 'server/loses-deliveries-whose-answer-is-no-text',
    title: 'an answer whose body contains NUL or invalid UTF-8 is ignored',
    breaks: ['DLV-005', 'DLV-018'],
    policy: {
      isSuccess: (status, attempt, snippet) =>
        defaultPolicy.isSuccess(status, attempt, snippet) && !/[\0\ufffd]/.test(snippet ?? ''),
    },
  }),
  ...([8_500, 9_200, 11_500, 13_000] as const).map((answerTimeMs) =>
    defineMutant({
      id: `server/waits-${answerTimeMs}-ms`,
      title: `the consumer gets ${answerTimeMs / 1000} seconds to answer`,
      breaks: answerTimeMs < 10_000 ? ['DLV-007', 'DLV-008'] : ['DLV-008'],
      policy: { answerTimeMs },
    }),
  ),
  defineMutant({
    id: 'server/takes-200-to-204-of-a-retry',
    title: 'treats every 2xx above 204 as a failure, from the second attempt on',
    breaks: ['DLV-005', 'RTY-011'],
    policy: {
      isSuccess: (status, attempt, ...rest) =>
        (attempt === 1 || status <= 204) && defaultPolicy.isSuccess(status, attempt, ...rest),
    },
  }),
  defineMutant({
    id: 'server/retries-after-a-203',
    title: 'treats a 203 as a failure',
    breaks: ['DLV-005', 'DLV-006'],
    policy: {
      isSuccess: (status, ...rest) => status !== 203 && defaultPolicy.isSuccess(status, ...rest),
    },
  }),
]
