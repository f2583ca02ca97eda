import { defineMutant, type Mutant } from '../mutants/define.js'

/** Mistakes of API clients, each with the public report above it. */
export const heldOutOfClient: readonly Mutant<'client'>[] = [
  // aws/aws-sdk-js-v3#4754: once the retry tokens are used up, no other call is retried.
  defineMutant({
    id: 'client/has-a-budget-of-retries',
    title: 'after ten retries a client retries nothing more',
    breaks: ['CLI-013', 'CLI-014'],
    patch: [
      {
        file: 'client/transport.ts',
        find: 'const { policy, runtime } = settings\n  return async (call) => {',
        replace: 'const { policy, runtime } = settings\n  let used = 0\n  return async (call) => {',
      },
      {
        file: 'client/transport.ts',
        find: 'if (attempt >= attempts || !isRetried(outcome, request, policy)) throw error',
        replace: 'if (attempt >= attempts || !isRetried(outcome, request, policy) || ++used > 10) throw error',
      },
    ],
  }),
  // eggjs/egg#4487 and agents with maxSockets: calls wait for a free connection, and their time-out runs meanwhile.
  defineMutant({
    id: 'client/makes-four-calls-at-once',
    title: 'a fifth call at once waits for another to end, and its time-out runs meanwhile',
    breaks: ['CLI-009', 'CLI-030'],
    patch: [
      {
        file: 'client/attempt.ts',
        find: 'const response = await send(url, { ...init, signal: controller.signal })',
        replace: `const pool = (makeAttempt.pool ??= { running: 0, waiting: [] })
      while (pool.running >= 4) await new Promise((resolve) => pool.waiting.push(resolve))
      pool.running++
      const response = await send(url, { ...init, signal: controller.signal }).finally(() => {
        pool.running--
        pool.waiting.shift()?.()
      })`,
      },
    ],
  }),
  // svix/svix-webhooks#2500: an option of 0 is not honoured.
  defineMutant({
    id: 'client/takes-no-retries-for-the-default',
    title: 'maxRetries 0 is taken for none given',
    breaks: ['CLI-007'],
    policy: { maxRetries: (given) => given || 2 },
  }),
  // A path parameter is escaped as a whole URL is (sindresorhus/ky and others).
  defineMutant({
    id: 'client/escapes-ids-like-a-whole-url',
    title: 'the signs / ? # and & of an id are not escaped',
    breaks: ['CLI-039'],
    policy: { pathParameter: encodeURI },
  }),
  // QVerisAI/qveris-agent-toolkit#143: a date of the past, or junk, gives a negative wait.
  defineMutant({
    id: 'client/tells-a-negative-retry-after',
    title: 'retryAfter of a date in the past is negative',
    breaks: ['CLI-033'],
    patch: [
      {
        file: 'client/retry-after.ts',
        find: 'return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)',
        replace: 'return Number.isNaN(at) ? undefined : at - nowMs',
      },
    ],
  }),
  // browserbase/sdk-node#204 and clients that build each attempt anew: a retry is not the request it was.
  defineMutant({
    id: 'client/retries-without-the-query',
    title: 'a second attempt goes without its query',
    breaks: ['CLI-040', 'CLI-013'],
    patch: [
      {
        file: 'client/transport.ts',
        find: 'url: request.url,',
        replace: "url: attempt === 1 ? request.url : request.url.split('?')[0],",
      },
    ],
  }),
]
