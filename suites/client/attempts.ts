// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
// CLI-029  "Every method takes a last options argument with `signal`: an aborted call ends with `aborted`."
// CLI-018  "A `Retry-After` header in seconds is obeyed: the retry is not sent earlier."
// CLI-033  "A 429 error has `retryAfter` in seconds, from the `Retry-After` header."
//
// Reading: a rule for an attempt holds for each one, and the latest answer decides the next wait. Most cases have an attempt that is
// answered at once before the one they are about. A first call may take long for what a library does once: it is made before.

import { refusal } from '../../harness/authoring.js'
import { closed, failing, reset, silence, success, type Answer } from './shared/answers.js'
import { isRepeated, methods, reading, requirementsOf, sending, slugOf } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

const again = failing(503)
/** Long enough for an attempt that is answered at once, on a busy machine too, in milliseconds. */
const ampleMs = 5_000
const patientMs = 45_000
/** An answer that is late by this, and a time-out that is ample for one such attempt and too short for three, in milliseconds. */
const [lateMs, ampleForLateMs] = [6_000, 15_000] as const
/** Ends an attempt after the first, in milliseconds. */
const shortMs = 1_500
/** By then a third attempt is under way, in milliseconds. */
const abortedInThirdMs = 2_500
/** By then a second attempt is under way, also after a wait of the library's own, in milliseconds. */
const abortedInSecondMs = 4_000
/** A wait that a call is aborted in, in seconds, and when that is, in milliseconds. */
const [waitSeconds, abortedInWaitMs] = [40, 1_000] as const

/** The answers before attempt 2, 3 and 4, which gets none. */
const laterSilences: readonly (readonly [Answer, ...Answer[]])[] = [
  [again, silence],
  [again, again, silence],
  [again, again, again, silence],
]
const lateAnswers = [again, again, success].map((reply): Answer => ({ kind: 'late', ms: lateMs, reply })) as [
  Answer,
  ...Answer[],
]
const warmUp = { method: sending, answers: [success] } as const

export const attempts = [
  scenario({
    id: 'client/attempts/limits-a-retry-as-the-first-one',
    requirements: ['CLI-009'],
    timeoutMs: 180_000,
    title: 'an unanswered second, third or fourth attempt ends after the timeoutMs of the client',
    calls: [
      warmUp,
      ...laterSilences.map((answers) => ({
        method: sending,
        timeoutMs: ampleMs,
        maxRetries: answers.length - 1,
        answers,
      })),
    ],
  }),

  scenario({
    id: 'client/attempts/limits-a-retry-by-the-timeout-of-the-call',
    requirements: ['CLI-030'],
    timeoutMs: 180_000,
    title: 'an unanswered second, third or fourth attempt ends after the timeoutMs of the call',
    calls: [
      warmUp,
      ...laterSilences.map((answers) => ({
        method: sending,
        timeoutMs: patientMs,
        options: { timeout_ms: ampleMs },
        maxRetries: answers.length - 1,
        answers,
      })),
    ],
  }),

  scenario({
    id: 'client/attempts/gives-each-the-whole-timeout-of-the-client',
    requirements: ['CLI-009'],
    title: 'three attempts, each within timeoutMs of the client, may last longer than timeoutMs together',
    calls: [warmUp, { method: sending, timeoutMs: ampleForLateMs, maxRetries: 2, answers: lateAnswers }],
  }),

  scenario({
    id: 'client/attempts/gives-each-the-whole-timeout-of-the-call',
    requirements: ['CLI-030'],
    title: 'three attempts, each within timeoutMs of the call, may last longer than timeoutMs together',
    calls: [warmUp, { method: sending, options: { timeout_ms: ampleForLateMs }, maxRetries: 2, answers: lateAnswers }],
  }),

  scenario({
    id: 'client/attempts/aborts-a-retry',
    requirements: ['CLI-029'],
    title: 'a call aborted during its second attempt ends with aborted and makes no third',
    calls: [
      {
        method: sending,
        timeoutMs: patientMs,
        maxRetries: 2,
        options: { abort_after_ms: abortedInSecondMs },
        answers: [again, silence],
      },
    ],
  }),

  scenario({
    id: 'client/attempts/obeys-the-retry-after-of-the-latest-answer',
    requirements: ['CLI-018'],
    title: 'the third attempt waits the 3 seconds of the second Retry-After',
    calls: [{ method: reading, maxRetries: 2, answers: [refusal(503, 'try_again'), failing(429, 3), success] }],
  }),

  scenario({
    id: 'client/attempts/tells-the-retry-after-of-the-latest-answer',
    requirements: ['CLI-033'],
    title: 'the error of a call answered 429 twice has the retryAfter of the second',
    calls: [{ method: sending, maxRetries: 1, answers: [failing(429, 1), failing(429, 17)] }],
  }),

  scenario({
    id: 'client/attempts/tells-no-retry-after-of-an-earlier-answer',
    requirements: ['CLI-033'],
    title: 'an error of a 429 without Retry-After has no earlier seconds',
    calls: [429, 503].flatMap((status) => [
      { method: sending, maxRetries: 1, answers: [failing(status, 1), refusal(429, 'slow_down')] as const },
      { method: sending, maxRetries: 1, answers: [refusal(429, 'slow_down')] as const },
    ]),
  }),

  scenario({
    id: 'client/attempts/counts-what-was-reset',
    requirements: ['CLI-007'],
    title: 'with maxRetries 1 and every connection reset there are two attempts',
    calls: [{ method: sending, maxRetries: 1, answers: [reset] }],
  }),

  ...methods.filter(isRepeated).flatMap((method) => [
    scenario({
      id: `client/attempts/${slugOf(method)}-is-aborted-while-it-waits`,
      requirements: requirementsOf(method, 'CLI-029'),
      title: `${method.name} aborted in the wait after a 429 or a 503 ends at once`,
      calls: [429, 503].map((status) => ({
        method,
        options: { abort_after_ms: abortedInWaitMs },
        answers: [failing(status, waitSeconds), success],
      })),
    }),

    scenario({
      id: `client/attempts/${slugOf(method)}-keeps-its-options`,
      requirements: requirementsOf(method, 'CLI-030', 'CLI-029'),
      timeoutMs: 120_000,
      title: `later attempts of ${method.name} keep the timeoutMs and the signal of the call`,
      calls: [
        { method, timeoutMs: patientMs, maxRetries: 1, answers: [success] },
        ...[{ timeout_ms: shortMs }, { abort_after_ms: shortMs }].map((options) => ({
          method,
          timeoutMs: patientMs,
          maxRetries: 1,
          options,
          answers: [again, silence] as const,
        })),
        ...[{ timeout_ms: shortMs }, { abort_after_ms: abortedInThirdMs }].map((options) => ({
          method,
          timeoutMs: patientMs,
          maxRetries: 2,
          options,
          answers: [again, again, silence] as const,
        })),
      ],
    }),
  ]),

  // attempts after a 503 are those of each method above; a library may handle a 429 and a lost connection elsewhere.
  ...[sending, reading].map((method) =>
    scenario({
      id: `client/attempts/${slugOf(method)}-keeps-its-options-after-any-failure`,
      requirements: ['CLI-030', 'CLI-029'],
      timeoutMs: 120_000,
      title: `after any failure ${method.name} keeps the timeoutMs and the signal of the call`,
      calls: [
        { method, timeoutMs: patientMs, maxRetries: 1, answers: [success] },
        ...[failing(429), reset, closed].flatMap((first) =>
          [{ timeout_ms: shortMs }, { abort_after_ms: abortedInSecondMs }].map((options) => ({
            method,
            timeoutMs: patientMs,
            maxRetries: 1,
            options,
            answers: [first, silence] as const,
          })),
        ),
      ],
    }),
  ),
]
