// CLI-055  "`messages.wait` blocks until a message arrives, up to 120 seconds, with a filter `from` and a `timeout` in seconds, and
//           returns null when nothing arrives in time."
//
// Reading: the interface shows neither its path nor the answer while nothing arrives, so the library may leave the wait, or the filter, to
// the service, in any form; then the case only checks that it passes them on. Work it does itself must follow the arguments: it waits that
// many seconds, and returns nothing of another sender. The case does not wait for the 120 seconds.

import {
  asText,
  clientCase,
  json,
  type CallResult,
  type Checks,
  type ClientContext,
  type Reply,
} from '../../harness/authoring.js'
import { argumentsFor, method } from './shared/message-waits.js'

/** The usual answers of an API when nothing has arrived. */
const nothings: readonly Reply[] = [
  json(200, null),
  json(200, { data: [], next_cursor: null }),
  json(200, { message: null }),
  json(200, []),
  json(204, undefined),
]

/** Whose message is waited for: the sender in {@link argumentsFor}. */
const sender = 'verify@sender.example'
const [short, long] = [1, 4] as const
/** A library whose call takes this much longer with four seconds than with one heeds them, in milliseconds. */
const noticedMs = 1_000
/** How early a wait that only its time ends may end, as a share: a client that polls every second may skip the last one. */
const leastShare = 0.45
/** Longest time beyond its own that such a wait is waited for, in milliseconds. */
const generousMs = 30_000
/** Longest wait for a call that has no limit of its own, in milliseconds. */
const abortedMs = 7_000

interface Waited {
  readonly result: CallResult
  readonly ms: number
  readonly requests: number
  /** The whole first request, without its key. */
  readonly requestText: string
}

/** Calls it with a time in seconds, where the service answers each request with `reply`. */
async function waited(
  { client, server }: Pick<ClientContext, 'client' | 'server'>,
  { reply, args, options = {} }: { reply: Reply; args: readonly unknown[]; options?: { abort_after_ms?: number } },
): Promise<Waited> {
  const handle = await client({ max_retries: 0 })
  server.replies(reply)
  const before = server.requests.length
  const startedAt = performance.now()
  const result = await handle.call(method, args, options, long * 1_000 + generousMs)
  const ms = performance.now() - startedAt
  const received = server.requests.slice(before)
  const [first] = received
  const { 'idempotency-key': _, ...headers } = first?.headers ?? {}
  return {
    result,
    ms,
    requests: received.length,
    requestText: JSON.stringify([first?.path, [...(first?.query ?? [])], headers, first?.json]),
  }
}

function isNull({ result }: Waited): boolean {
  return result.kind === 'value' && result.value === null
}

/** Checks a wait in which the library polls by itself. */
function checkWait(check: Checks, { result, ms, requests }: Waited, seconds: number): void {
  if (requests < 2) return
  const what = `messages.wait with timeout ${seconds} that is answered ${requests} times that nothing is there`
  check.ok(`end of ${what}`, result.kind !== 'broken', `an end within ${generousMs / 1000} s`, result)
  if (result.kind !== 'value') return
  check.equal(`value of ${what}`, result.value, null)
  const least = leastShare * seconds * 1_000
  check.ok(`milliseconds of ${what}`, ms >= least, `at least ${least}`, Math.round(ms))
}

/** The arguments with another time, or another sender. */
function withRequestedTimeout(
  args: readonly unknown[],
  changes: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  return args.map((arg) => (typeof arg === 'object' && arg !== null ? { ...arg, ...changes } : arg))
}

/** What an API may hold of a message, in forms that a library may read. */
function messageFrom(sender: string): Readonly<Record<string, unknown>> {
  return {
    id: 'msg_1',
    from: sender,
    sender,
    subject: 'Code',
    codes: ['123456'],
    created_at: '2030-01-02T03:04:05.000Z',
  }
}

/** Whether a call returned the message of {@link messageFrom}, alone or within something. */
function isFound(result: CallResult): boolean {
  return result.kind === 'value' && asText(JSON.stringify(result.value)).includes('msg_1')
}

export const messagesWaitTime = [
  clientCase({
    id: 'client/unshown/messages-wait-keeps-its-seconds',
    requirements: ['CLI-055'],
    level: 'must',
    title: 'messages.wait sends its timeout or keeps it, and returns null at its end',
    timeoutMs: 180_000,
    async run(context) {
      const { check, skip } = context
      const args = await argumentsFor(context, short)
      const [once, longer] = [args, withRequestedTimeout(args, { timeout: long })]
      for (const reply of nothings) {
        const brief = await waited(context, { reply, args: once })
        checkWait(check, brief, short)
        const isRead = brief.requests > 1 ? brief.result.kind === 'value' : isNull(brief)
        if (!isRead) continue
        const extended = await waited(context, { reply, args: longer })
        checkWait(check, extended, long)
        const isReported = brief.requestText !== extended.requestText
        const isKept = Math.abs(extended.ms - brief.ms) > noticedMs || extended.requests !== brief.requests
        // What holds its answer back shows a time that the library keeps by itself.
        const hanging = { reply: { kind: 'hang' } as const, options: { abort_after_ms: abortedMs } }
        const held = [
          await waited(context, { ...hanging, args: once }),
          await waited(context, { ...hanging, args: longer }),
        ]
        const [first, second] = held.map(({ ms }) => ms)
        const isTimed = Math.abs((second ?? 0) - (first ?? 0)) > noticedMs
        for (const [index, wait] of held.entries()) {
          const seconds = [short, long][index] ?? short
          const least = leastShare * seconds * 1_000
          const title = `milliseconds until messages.wait with timeout ${seconds} gave up a request without an answer`
          if (wait.result.kind === 'value') check.ok(title, wait.ms >= least, `at least ${least}`, Math.round(wait.ms))
        }
        check.ok(
          `the effect of a timeout of ${long} instead of ${short}`,
          isReported || isKept || isTimed,
          'the timeout sent to the service, or the time the library waits',
          'nothing',
        )
        return
      }
      return skip('messages.wait of this library reads an empty answer in a form unknown to the run')
    },
  }),

  // Only of a form in which the library reads a message that is there at once.
  clientCase({
    id: 'client/unshown/messages-wait-returns-what-arrives',
    requirements: ['CLI-055'],
    level: 'must',
    title: 'messages.wait returns a message that arrives during its wait, from any sender without `from`',
    timeoutMs: 180_000,
    async run(context) {
      const { client, check, server, skip } = context
      const args = await argumentsFor(context, long)
      const expectedMessage = messageFrom(sender)
      let isRead = false
      for (const [nothing, something] of [
        [json(200, null), json(200, expectedMessage)],
        [json(200, { data: [], next_cursor: null }), json(200, { data: [expectedMessage], next_cursor: null })],
        [json(200, { message: null }), json(200, { message: expectedMessage })],
        [json(200, []), json(200, [expectedMessage])],
      ] as const) {
        const atOnce = await waited(context, { reply: something, args })
        if (!isFound(atOnce.result)) continue
        isRead = true
        const ofAnybody = await waited(context, {
          reply: something,
          args: withRequestedTimeout(args, { from: undefined }),
        })
        // A library may insist on a sender.
        if (ofAnybody.result.kind === 'value')
          check.ok(
            'value of messages.wait without a sender, where there is a message',
            isFound(ofAnybody.result),
            'the message',
            ofAnybody.result.value,
          )
        const handle = await client({ max_retries: 0 })
        const before = server.requests.length
        server.script((_request, number) => (number === before + 1 ? nothing : something))
        const result = await handle.call(method, args, {}, long * 1_000 + generousMs)
        // A library with one request leaves the wait to the service.
        if (server.requests.length - before < 2) continue
        check.ok(
          'value of messages.wait that finds nothing at first and a message later',
          isFound(result),
          'the message',
          result.kind === 'value' ? result.value : result,
        )
      }
      if (!isRead) skip('messages.wait of this library reads a message in a form unknown to the run')
    },
  }),

  clientCase({
    id: 'client/unshown/messages-wait-filters-by-sender',
    requirements: ['CLI-055'],
    level: 'must',
    title: 'messages.wait sends its `from` filter, or returns no message of another sender',
    timeoutMs: 180_000,
    async run(context) {
      const { check, server } = context
      const args = await argumentsFor(context, short)
      const foreign = messageFrom('somebody@else.example')
      for (const reply of [
        json(200, foreign),
        json(200, { data: [foreign], next_cursor: null }),
        json(200, { message: foreign }),
      ]) {
        const before = server.requests.length
        const { result } = await waited(context, { reply, args })
        const reported = server.requests
          .slice(before)
          .map(({ query, path, json: body, headers }) =>
            decodeURIComponent(
              JSON.stringify([path, [...query], body ?? null, headers]).replace(/%(?![0-9a-f]{2})/gi, ''),
            ),
          )
        const isReported = reported.some((text) => text.includes(sender))
        const isReturned = isFound(result)
        check.ok(
          `the result of messages.wait for a message of another sender than ${sender}, without a sent filter`,
          isReported || !isReturned,
          'nothing',
          result,
        )
      }
    },
  }),
]
