import { defineMutant, type Mutant } from '../define.js'
import { endingInTime, failingWith, inTransport, startingAClock, unshownPaths, withUnshownPaths } from './support.js'

/** Time-outs and aborts. */
export const timeMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/takes-the-timeout-for-seconds',
    title: 'timeoutMs is treated as seconds',
    breaks: ['CLI-009', 'CLI-035'],
    policy: {
      timeoutMs: (given) => (given ?? 60) * 1_000,
    },
  }),
  defineMutant({
    id: 'client/limits-the-whole-call',
    title: 'timeoutMs limits the call, waits included',
    breaks: ['CLI-009'],
    patch: [
      startingAClock,
      inTransport(
        'timeoutMs, signal, policy',
        'timeoutMs: Math.max(0, timeoutMs - (performance.now() - startedAt)), signal, policy',
      ),
      endingInTime,
    ],
  }),
  defineMutant({
    id: 'client/adds-up-the-time-of-attempts',
    title: 'timeoutMs limits the sum of all attempts of a call, without the waits',
    breaks: ['CLI-009', 'CLI-030'],
    patch: [
      startingAClock,
      inTransport(
        'await runtime.wait(waitedMs, signal)',
        `const from = performance.now()
      await runtime.wait(waitedMs, signal)
      pausedMs += performance.now() - from`,
      ),
      inTransport(
        'for (let attempt = 1; ; attempt++) {',
        `let pausedMs = 0
    for (let attempt = 1; ; attempt++) {`,
      ),
      inTransport(
        'timeoutMs, signal, policy',
        'timeoutMs: Math.max(1, timeoutMs - (performance.now() - startedAt - pausedMs)), signal, policy',
      ),
    ],
  }),
  defineMutant({
    id: 'client/limits-the-whole-call-by-its-option',
    title: 'timeoutMs of a call limits the call, waits included',
    breaks: ['CLI-030'],
    patch: [
      startingAClock,
      inTransport(
        'timeoutMs, signal, policy',
        'timeoutMs: call.options?.timeoutMs === undefined ? timeoutMs : Math.max(1, timeoutMs - (performance.now() - startedAt)), signal, policy',
      ),
    ],
  }),
  defineMutant({
    id: 'client/stops-retrying-after-the-timeout',
    title: 'no attempt is made once the call has lasted timeoutMs',
    breaks: ['CLI-009'],
    patch: [startingAClock, endingInTime],
  }),
  defineMutant({
    id: 'client/gives-up-after-a-minute',
    title: 'no attempt is made once the call has lasted a minute',
    breaks: ['CLI-009'],
    patch: [
      startingAClock,
      inTransport(
        'if (attempt >= attempts ||',
        'if (attempt >= attempts || performance.now() - startedAt >= 60_000 ||',
      ),
    ],
  }),
  defineMutant({
    id: 'client/gives-up-after-half-a-minute',
    title: 'no attempt is made once the call has lasted half a minute',
    breaks: ['CLI-009'],
    patch: [
      startingAClock,
      inTransport(
        'if (attempt >= attempts ||',
        'if (attempt >= attempts || performance.now() - startedAt >= 30_000 ||',
      ),
    ],
  }),
  defineMutant({
    id: 'client/limits-the-head-only',
    title: 'timeoutMs does not cover the body',
    breaks: ['CLI-009', 'CLI-035'],
    patch: [
      { file: 'client/attempt.ts', find: 'head = response', replace: 'head = response\n      clearTimeout(timer)' },
    ],
  }),
  defineMutant({
    id: 'client/ignores-the-timeout-of-a-call',
    title: 'timeoutMs of a call is ignored',
    breaks: ['CLI-030'],
    policy: {
      callTimeoutMs: ({ ofClient }) => ofClient,
    },
  }),
  defineMutant({
    id: 'client/takes-the-shorter-timeout',
    title: 'timeoutMs of a call can only shorten that of the client',
    breaks: ['CLI-030'],
    policy: {
      callTimeoutMs: ({ ofClient, ofCall }) => Math.min(ofClient, ofCall ?? ofClient),
    },
  }),
  defineMutant({
    id: 'client/does-not-abort-a-body',
    title: 'ignores an abort once the head of an answer has arrived',
    breaks: ['CLI-029'],
    patch: [
      {
        file: 'client/attempt.ts',
        find: 'head = response',
        replace: "head = response\n      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort)",
      },
    ],
  }),
  defineMutant({
    id: 'client/does-not-abort-an-attempt',
    title: 'an abort does not end an attempt',
    breaks: ['CLI-029', 'CLI-036'],
    patch: [{ file: 'client/attempt.ts', find: 'if (signal === undefined) return', replace: 'return' }],
  }),
  defineMutant({
    id: 'client/does-not-abort-a-wait',
    title: 'an abort does not end a wait',
    breaks: ['CLI-029', 'CLI-036'],
    patch: [inTransport('await runtime.wait(waitedMs, signal)', 'await runtime.wait(waitedMs, undefined)')],
  }),
  ...([2, 3] as const).map((attempt) =>
    defineMutant({
      id: `client/does-not-abort-the-wait-after-attempt-${attempt}`,
      title: `an abort does not end the wait after attempt ${attempt}, and does end the first one`,
      breaks: ['CLI-029', 'CLI-036'],
      patch: [
        inTransport(
          'await runtime.wait(waitedMs, signal)',
          `await runtime.wait(waitedMs, attempt === ${attempt} ? undefined : signal)`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'client/does-not-abort-a-wait-after-a-lost-connection',
    title: 'an abort does not end the wait after a lost connection',
    breaks: ['CLI-029', 'CLI-036'],
    patch: [
      inTransport(
        'await runtime.wait(waitedMs, signal)',
        "await runtime.wait(waitedMs, outcome.kind === 'answer' ? signal : undefined)",
      ),
    ],
  }),
  defineMutant({
    id: 'client/does-not-abort-a-wait-after-a-time-out',
    title: 'an abort does not end the wait after a time-out',
    breaks: ['CLI-029', 'CLI-036'],
    patch: [
      inTransport(
        'await runtime.wait(waitedMs, signal)',
        "await runtime.wait(waitedMs, outcome.kind === 'failure' && outcome.code === 'timeout' ? undefined : signal)",
      ),
    ],
  }),
  defineMutant({
    id: 'client/limits-no-handshake',
    title: 'over https an attempt may take a minute longer than timeoutMs',
    breaks: ['CLI-009'],
    patch: [
      {
        file: 'client/attempt.ts',
        find: "timer = setTimeout(() => resolve(broken('timeout')), Math.min(timeoutMs, longestTimerMs))",
        replace:
          "timer = setTimeout(() => resolve(broken('timeout')), Math.min(timeoutMs + (url.startsWith('https:') ? 60000 : 0), longestTimerMs))",
      },
    ],
  }),
  defineMutant({
    id: 'client/limits-each-wait-for-bytes',
    title: 'the time-out begins again with each piece of the body',
    breaks: ['CLI-009'],
    patch: [
      {
        file: 'client/attempt.ts',
        find: "return { kind: 'answer', status: response.status, headers: response.headers, text: await response.text() }",
        replace: `const decoder = new TextDecoder()
      let text = ''
      for await (const part of response.body ?? []) {
        timer.refresh()
        text += decoder.decode(part, { stream: true })
      }
      return { kind: 'answer', status: response.status, headers: response.headers, text }`,
      },
    ],
  }),
  defineMutant({
    id: 'client/tells-an-abort-as-network-error',
    title: 'reports an abort as network_error',
    breaks: ['CLI-036'],
    patch: [failingWith("code === 'aborted' ? 'network_error' : code")],
  }),
  defineMutant({
    id: 'client/tells-a-time-out-as-network-error',
    title: 'reports a time-out as network_error',
    breaks: ['CLI-035'],
    patch: [failingWith("code === 'timeout' ? 'network_error' : code")],
  }),
  defineMutant({
    id: 'client/has-half-a-minute',
    title: 'the default time-out is 30 seconds',
    breaks: ['CLI-010'],
    policy: { timeoutMs: (given) => given ?? 30_000 },
  }),
  defineMutant({
    id: 'client/has-two-minutes',
    title: 'the default time-out is 120 seconds',
    breaks: ['CLI-010'],
    policy: { timeoutMs: (given) => given ?? 120_000 },
  }),
  defineMutant({
    id: 'client/ignores-the-signal-of-other-methods',
    title: 'only emails.send heeds signal',
    breaks: ['CLI-029'],
    patch: [
      inTransport(
        'call.options ?? {}',
        "(call.operation === 'emails.send' ? call.options : { ...call.options, signal: undefined }) ?? {}",
      ),
    ],
  }),
  defineMutant({
    id: 'client/ignores-the-signal-of-a-list',
    title: 'webhooks.deliveries ignores signal',
    breaks: ['CLI-029'],
    patch: [
      inTransport(
        'call.options ?? {}',
        "(call.operation === 'webhooks.deliveries' ? { ...call.options, signal: undefined } : call.options) ?? {}",
      ),
    ],
  }),
  defineMutant({
    id: 'client/ignores-the-time-out-of-other-methods',
    title: 'only emails.send heeds timeoutMs',
    breaks: ['CLI-030'],
    patch: [
      inTransport(
        'call.options ?? {}',
        "(call.operation === 'emails.send' ? call.options : { ...call.options, timeoutMs: undefined }) ?? {}",
      ),
    ],
  }),
  defineMutant({
    id: 'client/ignores-the-time-out-of-a-list',
    title: 'webhooks.deliveries ignores timeoutMs',
    breaks: ['CLI-030'],
    patch: [
      inTransport(
        'call.options ?? {}',
        "(call.operation === 'webhooks.deliveries' ? { ...call.options, timeoutMs: undefined } : call.options) ?? {}",
      ),
    ],
  }),
  defineMutant({
    id: 'client/knows-no-time-out-of-a-call-in-any-method',
    title: 'timeoutMs of a call is ignored in all methods',
    breaks: ['CLI-060', 'CLI-059', 'CLI-030'],
    policy: { unshownPaths, callTimeoutMs: ({ ofClient }) => ofClient },
  }),
  defineMutant({
    id: 'client/tells-aborts-as-time-outs',
    title: 'an aborted call ends with timeout',
    breaks: ['CLI-060', 'CLI-059', 'CLI-029', 'CLI-036'],
    patch: [withUnshownPaths, failingWith("code === 'aborted' ? 'timeout' : code")],
  }),
  defineMutant({
    id: 'client/limits-no-call-with-a-signal',
    title: "uses the caller's signal instead of its time-out",
    breaks: ['CLI-060', 'CLI-059', 'CLI-030', 'CLI-009'],
    patch: [
      withUnshownPaths,
      inTransport(
        'timeoutMs, signal, policy',
        'timeoutMs: signal === undefined ? timeoutMs : Infinity, signal, policy',
      ),
    ],
  }),
  defineMutant({
    id: 'client/heeds-no-signal-beside-a-time-out',
    title: 'uses the timeoutMs of a call instead of its signal',
    breaks: ['CLI-060', 'CLI-059', 'CLI-029'],
    patch: [
      withUnshownPaths,
      inTransport('timeoutMs, signal, policy', 'timeoutMs, signal: ofCall === undefined ? signal : undefined, policy'),
    ],
  }),
]
