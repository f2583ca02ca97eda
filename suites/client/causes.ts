// CLI-016  "Retries wait with exponential backoff: the waits grow."
//
// Reading: "on 429, on 5xx and on network failure, … with exponential backoff and jitter": whatever the cause, there is a wait.
// How long is not stated, and how waits grow is judged after a 503 (backoff.ts). So only a client is failed that hardly ever
// waits before its last retry after one cause, where after a 503 it waits for a tenth of a second and more. A busy machine
// makes waits longer, never shorter.

import { asText, clientCase, json, refusal, type ReceivedRequest, type Reply } from '../../harness/authoring.js'
import { email, waitsBetween } from './expectations.js'

const causes = {
  'a 503': refusal(503, 'try_again'),
  'a 429 without Retry-After': refusal(429, 'slow_down'),
  'a reset connection': { kind: 'reset' },
} as const satisfies Readonly<Record<string, Reply>>
type Cause = keyof typeof causes

/** Calls for each cause, and their retries: where drivers make one call after the other, fewer. */
export const sizesOfCalls = { concurrent: { calls: 12, retries: 3 }, serial: { calls: 3, retries: 2 } } as const
/** A usual wait from which on there is something to compare with, in milliseconds. */
export const somethingMs = 100
/** Up to this share of the usual wait there was none: a connection takes its time. With jitter down to nothing one in forty is so short. */
const nothing = 1 / 20
const most = 0.75
/** Time between the beginnings of two calls, in milliseconds: those that do not wait are over before the next begins. */
export const paceMs = 100

/** Whether there was hardly ever a wait where `usualMs` is a usual one. */
export function isWithout(waits: readonly number[], usualMs: number): boolean {
  return waits.filter((each) => each <= usualMs * nothing).length >= waits.length * most
}

export const causesOfWaits = [
  clientCase({
    id: 'client/backoff/waits-whatever-the-cause',
    requirements: ['CLI-016'],
    level: 'must',
    title:
      'before the last retry after a 429 without Retry-After, and after reset connections, there is a wait as after a 503',
    timeoutMs: 180_000,
    async run({ client, isConcurrent, server, check, measure }) {
      const { calls, retries } = isConcurrent ? sizesOfCalls.concurrent : sizesOfCalls.serial
      const heard = new Map<string, ReceivedRequest[]>()
      server.script((request) => {
        const subject = asText((request.json as { subject?: unknown } | undefined)?.subject)
        const attempts = heard.get(subject) ?? []
        attempts.push(request)
        heard.set(subject, attempts)
        const [cause = ''] = subject.split(', call ')
        return attempts.length > retries ? json(200, { id: 'em_1' }) : (causes[cause as Cause] ?? json(200, {}))
      })
      const handle = await client({ max_retries: retries })
      const subjects = (Object.keys(causes) as Cause[]).flatMap((cause) =>
        Array.from({ length: calls }, (_, index) => ({ cause, subject: `${cause}, call ${index}` })),
      )
      await Promise.all(
        subjects.map(async ({ subject }, index) => {
          await new Promise((resolve) => setTimeout(resolve, isConcurrent ? index * paceMs : 0))
          return handle.call('emails.send', [{ ...email, subject }])
        }),
      )
      const lastWaits = (wanted: Cause) =>
        subjects
          .filter(({ cause }) => cause === wanted)
          .flatMap(({ subject }) => waitsBetween(heard.get(subject) ?? []).slice(retries - 1, retries))
          .map(Math.round)
          .sort((one, other) => one - other)
      const usual = lastWaits('a 503')
      measure('last_waits_ms', {
        usual,
        afterOthers: [lastWaits('a 429 without Retry-After'), lastWaits('a reset connection')],
      })
      // A client that does not retry, or waits for next to nothing, is told so elsewhere.
      const usualMs = usual[Math.floor(usual.length / 2)] ?? 0
      if (usualMs < somethingMs) return
      for (const cause of ['a 429 without Retry-After', 'a reset connection'] as const) {
        const waits = lastWaits(cause)
        check.ok(
          `milliseconds before the last retry after ${cause}`,
          waits.length < calls || !isWithout(waits, usualMs),
          `waits, as after a 503 (${usual.join(', ')})`,
          waits.join(', '),
        )
      }
    },
  }),
]
