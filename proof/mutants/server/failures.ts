import type { RequirementId } from '../../../spec/index.js'
import { defaultPolicy } from '../../../reference/server/index.js'
import type { Patch } from '../../patching/patch.js'
import { defineMutant, type Mutant } from '../define.js'
import { readsRetryAfter } from './retries.js'

const engine = 'server/engine/attempts.ts'
const nextState = 'server/engine/next-state.ts'

/** A mutant whose delay after an attempt is another one: an expression over `outcome`, `attempt` and `delayMs`. */
function delayed(
  id: `server/${string}`,
  title: string,
  delay: string,
  breaks: readonly [RequirementId, ...RequirementId[]] = ['RTY-012'],
): Mutant<'server'> {
  return defineMutant({
    id,
    title,
    breaks,
    patch: [
      {
        file: nextState,
        find: 'nextAttemptAt: origin + delayMs',
        replace: `nextAttemptAt: origin + (${delay})`,
      },
    ],
  })
}

/** Returns a mutant with another record of an attempt: expressions over `outcome`, `due`, and the earlier record. */
function recorded(
  id: `server/${string}`,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  {
    code = "outcome.kind === 'answer' ? outcome.status : null",
    snippet = "outcome.kind === 'answer' ? outcome.snippet : null",
  },
): Mutant<'server'> {
  return defineMutant({
    id,
    title,
    breaks,
    patch: [
      {
        file: engine,
        find: "responseCode: outcome.kind === 'answer' ? outcome.status : null",
        replace: `responseCode: ${code}`,
      },
      {
        file: engine,
        find: "snippet: outcome.kind === 'answer' ? outcome.snippet : null",
        replace: `snippet: ${snippet}`,
      },
    ],
  })
}

/** The schedule of a replay is another one. */
function replayed(delays: string): Patch {
  return {
    file: engine,
    find: 'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)',
    replace: `nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, deliveries.get(due.id, due.webhookId).replayOf !== null ? { ...policy, retryDelaysMs: ${delays} } : policy)`,
  }
}

const before = 'deliveries.get(due.id, due.webhookId)'

/** Deviations that show after one kind of failure, or at one attempt. */
export const failureMutants: readonly Mutant<'server'>[] = [
  delayed(
    'server/retries-a-4xx-sooner',
    'after a 4xx the delays are half as long',
    "outcome.kind === 'answer' && outcome.status >= 400 && outcome.status < 500 ? delayMs / 2 : delayMs",
  ),
  delayed(
    'server/retries-a-4xx-once-an-hour',
    'makes attempts after a 4xx an hour late, from the third on',
    "outcome.kind === 'answer' && outcome.status < 500 && attempt >= 3 ? 3600000 : delayMs",
  ),
  delayed(
    'server/retries-a-redirect-sooner',
    'after a redirect the delays are half as long',
    "outcome.kind === 'answer' && outcome.status < 400 ? delayMs / 2 : delayMs",
  ),
  delayed(
    'server/retries-a-broken-connection-at-once',
    'after a connection that broke the next attempt is made at once',
    "outcome.kind === 'connection' ? 0 : delayMs",
  ),
  delayed(
    'server/retries-a-break-at-the-sixth-attempt-sooner',
    'makes the seventh attempt after five hours if the sixth connection broke',
    "outcome.kind === 'connection' && attempt === 6 ? delayMs / 2 : delayMs",
    ['RTY-012', 'RTY-007'],
  ),
  delayed(
    'server/retries-a-time-out-sooner',
    'halves the delays after time-outs, from the third attempt on',
    "outcome.kind === 'timeout' && attempt > 1 ? delayMs / 2 : delayMs",
  ),
  delayed(
    'server/retries-a-time-out-later',
    'makes the fifth attempt an hour late after a time-out',
    "outcome.kind === 'timeout' && attempt === 4 ? delayMs + 3600000 : delayMs",
  ),
  delayed(
    'server/retries-a-name-without-address-sooner',
    'halves the delays while a name has no address',
    "outcome.kind === 'unresolved' ? delayMs / 2 : delayMs",
  ),
  delayed(
    'server/retries-a-refused-connection-every-five-minutes',
    'attempts every five minutes while connections are refused',
    "outcome.kind === 'connection' && outcome.error === 'ECONNREFUSED' && attempt > 2 ? 300000 : delayMs",
  ),
  defineMutant({
    id: 'server/obeys-a-retry-after-that-is-sooner',
    title: 'a Retry-After replaces a delay that is longer',
    breaks: ['RTY-012'],
    patch: [
      ...readsRetryAfter,
      {
        file: nextState,
        find: 'nextAttemptAt: origin + delayMs',
        replace: 'nextAttemptAt: origin + Math.min(delayMs, Number(outcome.retryAfter ?? Infinity) * 1000)',
      },
    ],
  }),
  defineMutant({
    id: 'server/retries-a-replay-every-five-seconds',
    title: 'makes the attempts of a replay five seconds apart',
    breaks: ['RPL-008'],
    patch: [replayed('policy.retryDelaysMs.map(() => 5000)')],
  }),
  defineMutant({
    id: 'server/retries-a-replay-once',
    title: 'a replay is given up after its second attempt',
    breaks: ['RPL-008'],
    patch: [replayed('policy.retryDelaysMs.slice(0, 2)')],
  }),
  ...([8_500, 9_200, 11_500, 13_000] as const).map((answerTimeMs) =>
    defineMutant({
      id: `server/waits-${answerTimeMs}-ms`,
      title: `the consumer gets ${answerTimeMs / 1000} seconds to answer`,
      breaks: answerTimeMs < 10_000 ? ['DLV-007', 'DLV-008'] : ['DLV-008'],
      policy: { answerTimeMs },
    }),
  ),
  recorded('server/tells-504-of-a-time-out', 'records an unanswered attempt as a 504', ['DLV-018'], {
    code: "outcome.kind === 'answer' ? outcome.status : 504",
  }),
  recorded(
    'server/tells-an-answer-of-its-own',
    'records a broken connection as a 502 with its own text',
    ['DLV-018', 'DLV-019'],
    {
      code: "outcome.kind === 'answer' ? outcome.status : outcome.kind === 'connection' ? 502 : null",
      snippet: "outcome.kind === 'answer' ? outcome.snippet : outcome.kind === 'connection' ? outcome.error : null",
    },
  ),
  recorded(
    'server/tells-the-code-of-the-attempt-before',
    'records an unanswered attempt with the code of the last answer',
    ['DLV-018'],
    { code: `outcome.kind === 'answer' ? outcome.status : ${before}?.responseCode ?? null` },
  ),
  recorded(
    'server/tells-the-body-of-the-attempt-before',
    'records an attempt without a body with the last body',
    ['DLV-019'],
    {
      snippet: `outcome.kind === 'answer' && outcome.snippet !== '' ? outcome.snippet : ${before}?.snippet ?? null`,
    },
  ),
  defineMutant({
    id: 'server/gives-up-on-a-break-at-the-third-attempt',
    title: 'a connection that breaks at the third attempt or later ends the delivery',
    breaks: ['RTY-012', 'DLV-022'],
    patch: [
      {
        file: nextState,
        find: 'if (!rules.isRetried(outcome))',
        replace: "if (!rules.isRetried(outcome) || (outcome.kind === 'connection' && attempt >= 3))",
      },
    ],
  }),
  defineMutant({
    id: 'server/does-not-retry-garbled-answers',
    title: 'ends the delivery at an answer that is not HTTP',
    breaks: ['RTY-012', 'DLV-022'],
    policy: {
      isRetried: (outcome) =>
        defaultPolicy.isRetried(outcome) &&
        // With its parser's code, or without one, as undici reports it.
        !(outcome.kind === 'connection' && /^HPE_|^Response does not match the HTTP/.test(outcome.error)),
    },
  }),
  defineMutant({
    id: 'server/gives-up-on-a-410-to-a-second-attempt',
    title: 'a 410 to the second attempt ends the delivery',
    breaks: ['RTY-012'],
    patch: [
      {
        file: nextState,
        find: 'if (!rules.isRetried(outcome))',
        replace:
          "if (!rules.isRetried(outcome) || (outcome.kind === 'answer' && outcome.status === 410 && attempt === 2))",
      },
    ],
  }),
  delayed(
    'server/retries-a-429-at-the-fourth-attempt-later',
    'makes the fifth attempt an hour late after a 429',
    "outcome.kind === 'answer' && outcome.status === 429 && attempt === 4 ? delayMs + 3600000 : delayMs",
  ),
  recorded(
    'server/tells-the-body-of-the-failure-before-a-late-success',
    'records a 2xx after failures with the body of the last failure',
    ['DLV-019'],
    {
      snippet: `outcome.kind !== 'answer' ? null : outcome.status < 300 && attempt > 2 ? ${before}?.snippet ?? null : outcome.snippet`,
    },
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
    id: 'server/sends-retries-as-text',
    title: 'the content type of the second and later attempts is text/plain',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/engine/attempt.ts',
        find: "'content-type': policy.deliveryContentType",
        replace: "'content-type': due.attempt > 0 ? 'text/plain' : policy.deliveryContentType",
      },
    ],
  }),
  defineMutant({
    id: 'server/retries-after-a-203',
    title: 'treats a 203 as a failure',
    breaks: ['DLV-005', 'DLV-006'],
    policy: {
      isSuccess: (status, ...rest) => status !== 203 && defaultPolicy.isSuccess(status, ...rest),
    },
  }),
  defineMutant({
    id: 'server/retries-no-complaint',
    title: 'the delivery of a complaint is attempted once',
    breaks: ['RTY-012'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const isWebhookDeleted = webhooks.get(due.webhookId)?.isDeleted !== false',
        replace:
          "const isWebhookDeleted = events.get(due.eventId)?.type === 'message.complained' || webhooks.get(due.webhookId)?.isDeleted !== false",
      },
    ],
  }),
  defineMutant({
    id: 'server/reads-no-answer-of-http-1-0',
    title: 'an answer of HTTP/1.0 is ignored',
    breaks: ['DLV-005'],
    patch: [
      {
        file: 'server/egress/checked-connection.ts',
        find: 'if (!(socket instanceof TLSSocket)) return callback(null, socket)',
        replace: `const push = socket.push
      socket.push = (chunk, encoding) =>
        chunk?.toString('latin1', 0, 8) === 'HTTP/1.0' ? socket.destroy(new Error('an old answer')) && false : push.call(socket, chunk, encoding)
      if (!(socket instanceof TLSSocket)) return callback(null, socket)`,
      },
    ],
  }),
]
