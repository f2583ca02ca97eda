// SDR-001  "A delivery is a `POST` to the webhook `url`."
// SDR-002  "The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are sent, each once."
// SDR-003  "`webhook-timestamp` is the Unix seconds at which this attempt was signed."
// SDR-004  "`webhook-signature` is one or more space-separated entries of the form `v1,<base64>`."
// SDR-005  "The signed string is `{webhook-id}.{webhook-timestamp}.{raw body}`; at least one `v1` entry is base64 of HMAC-SHA256
//           of it; the key is the base64-decoded part of the secret after `whsec_`."
// SDR-006  "`webhook-id` is the event id."
// SDR-007  "Consumers use `webhook-id` to drop duplicates: no two events share one."
// SDR-008  "The body is JSON with `id` (the event id), `type`, `timestamp` (ISO 8601 UTC with milliseconds) and `data`."
// SDR-009  "The body is JSON."
// SDR-010  "JSON request bodies use `Content-Type: application/json`."
// SDR-036  "The secret is returned only in the create response: no delivery holds it."
//
// Each holds for every attempt of the run: these cases run last, and check all of them. Unexpected deliveries are checked for their headers
// and their signature only. Entries of other versions may accompany a v1 entry.

import { toleranceSeconds } from '../../spec/index.js'
import {
  CaseErrored,
  expectedSignature,
  instantOf,
  senderCase,
  type SeenAttempt,
  type SenderContext,
} from '../../harness/authoring.js'

/** Calls `look` with each attempt until one has a fault, and reports that one. */
function firstFault(
  attempts: readonly SeenAttempt[],
  { evidence }: Pick<SenderContext, 'evidence'>,
  look: (seen: SeenAttempt) => boolean,
): void {
  const faulty = attempts.find((attempt) => !look(attempt))
  if (faulty !== undefined) evidence(faulty)
}

const queryOf = (path: string) => path.slice(path.indexOf('?') === -1 ? path.length : path.indexOf('?'))
const pathOf = (path: string) => path.slice(0, path.length - queryOf(path).length)

/** A request other than a POST fails only the check of the method. */
const isRequested = ({ isRequested: requested, attempt }: SeenAttempt) => requested && attempt.method === 'POST'
/** Seconds by which the clocks of two machines may differ, even if a scheme tolerates less. */
const leastToleranceSeconds = 30
/** Age in seconds of a retry that has the timestamp of its first attempt, under a scheme without a limit of age. */
const unlimitedSeconds = 86_400
/** Number of events that must agree on a zone. */
const zoneEvents = 3
/** Longest time between an event and the signature of its first attempt, in seconds. */
const zoneToleranceSeconds = 3
/** Largest offset of a time zone from UTC, in hours. */
const farthestZone = 14
const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)$/

const timestampForms = { seconds: /^\d{1,11}$/, milliseconds: /^\d{12,14}$/ } as const

/** Unit of the timestamp, and how many seconds it may lie before and after the arrival. */
function limitsOf({ scheme }: Pick<SenderContext, 'scheme'>) {
  const { unit = 'seconds', past = unlimitedSeconds, future = toleranceSeconds } = scheme.data.timestamp ?? {}
  return { unit, past: Math.max(past, leastToleranceSeconds), future: Math.max(future, leastToleranceSeconds) }
}

/** A wrong secret looks like any unknown mistake of the sender. */
const noSignatureMatches = () =>
  new CaseErrored(
    'no signature of this run matches --secret, and no known mistake explains them: the secret may be wrong (compare it with the one that this sender signs with), or the sender signs other bytes than it sends',
  )

export const attempts = [
  senderCase({
    id: 'sender/attempts/are-posts',
    requirements: ['SDR-001'],
    level: 'must',
    title: 'every attempt is a POST',
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      firstFault(all.attempts, context, ({ attempt }) => context.check.equal('method', attempt.method, 'POST'))
    },
  }),

  senderCase({
    id: 'sender/attempts/carry-the-three-headers',
    requirements: ['SDR-002'],
    level: 'must',
    title: 'every attempt carries the id, the timestamp and the signature, each once',
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      firstFault(all.attempts, context, (seen) =>
        seen.parts.every((part) => {
          // A form has no such part; any other body that is not JSON is a failure of its own.
          if (seen.isUnreadable(part)) return true
          const lines = seen.lines(part)
          const isOnce = lines.length === 1 && lines[0] !== ''
          return context.check.ok(seen.nameOf(part), isOnce, 'once, with a value', lines)
        }),
      )
    },
  }),

  senderCase({
    id: 'sender/attempts/are-signed-at-their-own-time',
    requirements: ['SDR-003'],
    level: 'must',
    title: 'the timestamp of every attempt is a whole number in its unit, close to its arrival',
    needs: ['scheme:timestamp'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      const { unit, past, future } = limitsOf(context)
      firstFault(all.attempts, context, (seen) => {
        const { timestamp } = seen.values
        if (timestamp === undefined) return true
        const name = seen.nameOf('timestamp')
        if (!context.check.ok(name, timestampForms[unit].test(timestamp), `digits: Unix ${unit}`, timestamp))
          return false
        const age = Math.round(seen.attempt.arrivedAt / 1000 - seen.signedAt)
        return context.check.between(`seconds from ${name} to the arrival`, age, -future, past)
      })
    },
  }),

  senderCase({
    id: 'sender/attempts/write-the-signature-in-entries',
    requirements: ['SDR-004'],
    level: 'must',
    title: 'every signature header is well-formed, with an entry of the version that is verified',
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      firstFault(all.attempts, context, (seen) => {
        const { signature } = seen.values
        if (signature === undefined) return true
        const isWellFormed = context.scheme.isSignatureText(signature)
        return context.check.ok(seen.nameOf('signature'), isWellFormed, context.scheme.signatureForm, signature)
      })
    },
  }),

  senderCase({
    id: 'sender/attempts/are-signed',
    requirements: ['SDR-005'],
    level: 'must',
    title: 'a signature of every attempt equals the one computed over the bytes that arrived',
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      const signed = all.attempts.filter((seen) => seen.isVerifiable && seen.attempt.method === 'POST')
      const isUnexplained = (seen: SeenAttempt) => context.signatureProblem(seen)?.isExplained === false
      if (signed.length > 0 && signed.every(isUnexplained)) throw noSignatureMatches()
      firstFault(signed, context, (seen) => {
        const problem = context.signatureProblem(seen)
        return context.check.ok('signature', problem === undefined, expectedSignature(context.scheme), problem?.text)
      })
    },
  }),

  senderCase({
    id: 'sender/attempts/name-the-event-in-the-headers',
    requirements: ['SDR-006'],
    level: 'must',
    title: 'the id in the headers is that of the event in the body',
    needs: ['interface'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      firstFault(all.attempts.filter(isRequested), context, (seen) => {
        const { id } = seen.values
        const own = seen.attempt.field('id')
        return id === undefined || typeof own !== 'string' || context.check.equal(seen.nameOf('id'), id, own)
      })
    },
  }),

  senderCase({
    id: 'sender/attempts/have-an-id-for-each-event',
    requirements: ['SDR-007'],
    level: 'must',
    title: 'two events have two ids',
    needs: ['scheme:id'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(2)
      const reused = all.events.find((event) => event.isIdReused)
      const [seen] = reused?.seen ?? []
      if (seen === undefined) return
      context.evidence(seen)
      context.check.fail(seen.nameOf('id'), 'an id that no other event has', seen.values.id)
    },
  }),

  senderCase({
    id: 'sender/attempts/hold-an-event',
    requirements: ['SDR-008'],
    level: 'must',
    title: 'every body has an id, a type, a timestamp in UTC with milliseconds, and data',
    needs: ['interface'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      const { check } = context
      firstFault(all.attempts.filter(isRequested), context, ({ attempt }) => {
        if (attempt.json === undefined) return true
        const data = attempt.field('data')
        const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
        const held = [
          check.matches('id of the body', attempt.field('id'), /^evt_./),
          check.matches('type of the body', attempt.field('type'), /./),
          check.matches('timestamp of the body', attempt.field('timestamp'), isoForm),
          check.ok('data of the body', isObject, 'an object', data),
        ]
        return held.every(Boolean)
      })
    },
  }),

  // Both times are the sender's own. A local time with a Z after it is hours away from UTC: no event can be ahead of it. A time long past
  // may have been recorded, and a command may raise a recorded event; so this is advice.
  senderCase({
    id: 'sender/attempts/hold-an-event-of-the-past',
    requirements: ['SDR-008'],
    level: 'should',
    title: 'no event timestamp is later than its signing by more than the tolerance',
    needs: ['interface'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      firstFault(all.attempts.filter(isRequested), context, ({ attempt, values }) => {
        const at = instantOf(String(attempt.field('timestamp')))
        const signedAt = Number(values.timestamp) * 1000
        if (Number.isNaN(at) || Number.isNaN(signedAt)) return true
        const latest = signedAt + toleranceSeconds * 1000
        return context.check.ok(
          'timestamp of the body',
          at <= latest,
          `at most ${toleranceSeconds} s after ${values.timestamp}, when the attempt was signed`,
          attempt.field('timestamp'),
        )
      })
    },
  }),

  // The interface does not state which moment of an event its timestamp is: it may be long past, and a command may raise a recorded event.
  // But only a local time differs from the first attempt by the same half hours each time, to the second.
  senderCase({
    id: 'sender/attempts/hold-times-of-utc',
    requirements: ['SDR-008'],
    level: 'must',
    title: 'event timestamps are in UTC, not in the local time of the sender',
    needs: ['interface'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(zoneEvents)
      const firsts = all.events.flatMap(({ seen }) => seen.slice(0, 1)).filter(isRequested)
      const times = firsts.map((seen) => ({ seen, at: instantOf(String(seen.attempt.field('timestamp'))) / 1000 }))
      const known = times.filter(({ seen, at }) => !Number.isNaN(at + seen.signedAt))
      // A recorded event has the same time twice, and its distance grows during the run.
      const areTimed = known.length >= zoneEvents && new Set(known.map(({ at }) => at)).size === known.length
      const shifts = new Set(known.map(({ seen, at }) => halfHoursOf(at - seen.signedAt)))
      const [shift] = shifts
      if (!areTimed || shifts.size > 1 || shift === undefined || shift === 0) return
      const [{ seen } = {}] = known
      if (seen !== undefined) context.evidence(seen)
      context.check.fail(
        `timestamps of ${known.length} events`,
        'UTC',
        `${Math.abs(shift) / 2} hours ${shift < 0 ? 'behind' : 'ahead of'} it each time: local time with a Z after it`,
      )
    },
  }),

  senderCase({
    id: 'sender/attempts/have-a-json-body',
    requirements: ['SDR-009'],
    level: 'must',
    title: 'every body is JSON, or of another type that the signature scheme has',
    needs: ['json-body'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      const [, ...others] = context.scheme.contentTypes
      const expected = ['JSON', ...others.map((type) => `${type} with that content-type`)].join(', or ')
      firstFault(all.attempts.filter(isRequested), context, (seen) =>
        context.check.ok('body', seen.isOfScheme, expected, seen.attempt.text.slice(0, 200)),
      )
    },
  }),

  senderCase({
    id: 'sender/attempts/say-that-the-body-is-json',
    requirements: ['SDR-010'],
    level: 'must',
    title: 'the content type of every attempt is application/json, with or without a charset',
    needs: ['interface'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      firstFault(all.attempts.filter(isRequested), context, ({ attempt }) =>
        context.check.matches('header content-type', attempt.header('content-type'), /^application\/json\s*(?:;.*)?$/i),
      )
    },
  }),

  senderCase({
    id: 'sender/attempts/go-to-one-url',
    requirements: ['SDR-001'],
    level: 'must',
    title: 'every event goes to the registered url, with nothing added to it',
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(2)
      // Which url was registered is not known: several may have been, by their paths.
      const queries = new Map<string, string>()
      for (const { seen } of all.events)
        for (const { attempt } of seen) {
          const path = pathOf(attempt.path)
          if (!queries.has(path)) queries.set(path, queryOf(attempt.path))
        }
      firstFault(all.attempts.filter(isRequested), context, ({ attempt }) =>
        context.check.equal('query of the url', queryOf(attempt.path), queries.get(pathOf(attempt.path)) ?? ''),
      )
    },
  }),

  senderCase({
    id: 'sender/attempts/add-nothing-to-the-url',
    requirements: ['SDR-001'],
    level: 'should',
    title: 'a url that was registered without a query is called without one',
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      const isPrinted = (seen: SeenAttempt) => isRequested(seen) && pathOf(seen.attempt.path).endsWith('/webhooks')
      firstFault(all.attempts.filter(isPrinted), context, ({ attempt }) =>
        context.check.equal('query of the url', queryOf(attempt.path), ''),
      )
    },
  }),

  senderCase({
    id: 'sender/attempts/keep-the-secret-to-themselves',
    requirements: ['SDR-036'],
    level: 'must',
    title: 'no url, header or body of an attempt contains the secret',
    needs: ['interface'],
    phase: 'last',
    timeoutMs: 180_000,
    async run(context) {
      const all = await context.everything(1)
      firstFault(all.attempts, context, (seen) => {
        const place = context.secretPlace(seen)
        return context.check.ok('the secret', place === undefined, 'nowhere in a delivery', `in ${place ?? ''}`)
      })
    },
  }),
]

/** Returns how many half hours `seconds` are; undefined if they are not whole half hours, or more than any zone. */
function halfHoursOf(seconds: number): number | undefined {
  const halfHours = Math.round(seconds / 1_800)
  const isNone = Math.abs(seconds - halfHours * 1_800) > zoneToleranceSeconds
  return isNone || Math.abs(halfHours) > 2 * farthestZone ? undefined : halfHours
}
