// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-016  "Retries wait with exponential backoff: the waits grow."

import { asText, clientCase, json, memberOf, refusal } from '../../harness/authoring.js'
import { email, valueOf, waitsBetween } from './shared/expectations.js'

const retriedBy = (status: number) => (status === 429 ? 'CLI-013' : 'CLI-014')

/** Answers without the header, whose waits are the usual ones. */
const usualRetryAfters: readonly undefined[] = Array.from({ length: 8 }, () => undefined)
const unreadableRetryAfters: readonly string[] = [
  'soon',
  '-1',
  '-0.5',
  'NaN',
  'null',
  'undefined',
  'Infinity',
  '',
  ',',
  'Wed, 99 Foo 2026 99:99:99 GMT',
  'PT5S',
  '{"seconds":1}',
]

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

export const unreadableRetryAfter = [
  // "on 429, on 5xx …, or for as long as a `Retry-After` header asks": an unreadable one leaves the retry, and its wait, unchanged.
  clientCase({
    id: 'client/backoff/retry-after-that-says-nothing-does-not-stop-the-retry',
    requirements: ['CLI-013', 'CLI-014', 'CLI-016'],
    level: 'must',
    title: 'a Retry-After that is neither seconds nor a date is followed by a retry, after the usual wait',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 1 })
      const values = [...usualRetryAfters, ...unreadableRetryAfters]
      const made = new Set<unknown>()
      const statusOf = (subject: string) => (Number(subject) % 2 === 0 ? 429 : 503)
      server.script(({ json: sent }) => {
        const subject = asText(memberOf(sent, 'subject'))
        if (made.has(subject)) return json(200, { id: 'em_1' })
        made.add(subject)
        const value = values[Number(subject)]
        return refusal(statusOf(subject), 'slow_down', value === undefined ? {} : { 'retry-after': value })
      })
      const results = await Promise.all(
        values.map((_, index) => handle.call('emails.send', [{ ...email, subject: String(index) }])),
      )
      const waits = values.map((value, index) => {
        const subject = String(index)
        const status = statusOf(subject)
        const what = `emails.send answered ${status} with Retry-After: ${value ?? 'none'}`
        valueOf(require.of(retriedBy(status)), what, results[index] ?? { kind: 'broken', how: 'no result' })
        const requests = server.requests.filter(({ json: sent }) => memberOf(sent, 'subject') === subject)
        check.of(retriedBy(status)).equal(`requests of ${what}`, requests.length, 2)
        return waitsBetween(requests)[0] ?? 0
      })
      const usualMs = medianOf(waits.slice(0, usualRetryAfters.length))
      const unusualMs = medianOf(waits.slice(usualRetryAfters.length))
      // Jitter makes single waits short, but not most of them.
      check
        .of('CLI-016')
        .measured.ok(
          `milliseconds before the retry after each of ${unreadableRetryAfters.length} unreadable values, typically`,
          unusualMs * 3 >= usualMs,
          `about ${Math.round(usualMs)}, as without a Retry-After`,
          Math.round(unusualMs),
        )
    },
  }),
]
