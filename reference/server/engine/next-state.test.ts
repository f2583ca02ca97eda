// Source: interface, "Webhook delivery status" and "Retries of a delivery".
import { expect, test } from 'vitest'
import { nextState, type EndedAttempt, type NextState } from './next-state.js'
import { defaultPolicy, type AttemptOutcome } from '../policy.js'

const startedAt = 1_000_000
const endedAt = 1_002_000

const answer = (status: number): AttemptOutcome => ({ kind: 'answer', status, snippet: '' })
const timeout: AttemptOutcome = { kind: 'timeout' }
const reset: AttemptOutcome = { kind: 'connection', error: 'ECONNRESET' }
const unresolved: AttemptOutcome = { kind: 'unresolved', error: 'ENOTFOUND' }
const blocked: AttemptOutcome = { kind: 'blocked', address: '10.0.0.1' }

const succeeded: NextState = { status: 'succeeded', nextAttemptAt: null }
const failed: NextState = { status: 'failed', nextAttemptAt: null }
const retriedAfter = (seconds: number): NextState => ({ status: 'pending', nextAttemptAt: endedAt + seconds * 1000 })

test.each<[what: string, attempt: number, outcome: AttemptOutcome, state: NextState]>([
  ['a 200', 1, answer(200), succeeded],
  ['a 299 to the last attempt', 7, answer(299), succeeded],
  ['a 199', 1, answer(199), retriedAfter(5)],
  ['a 300', 1, answer(300), retriedAfter(5)],
  ['a 410', 1, answer(410), retriedAfter(5)],
  ['a time-out', 1, timeout, retriedAfter(5)],
  ['a broken connection', 1, reset, retriedAfter(5)],
  ['a name without address', 1, unresolved, retriedAfter(5)],
  ['a failed second attempt', 2, answer(500), retriedAfter(300)],
  ['a failed third attempt', 3, answer(500), retriedAfter(1_800)],
  ['a failed fourth attempt', 4, answer(500), retriedAfter(7_200)],
  ['a failed fifth attempt', 5, answer(500), retriedAfter(18_000)],
  ['a failed sixth attempt', 6, answer(500), retriedAfter(36_000)],
  ['a failed seventh attempt', 7, answer(500), failed],
  ['a private address', 1, blocked, failed],
  ['a private address at a retry', 3, blocked, failed],
])('after %s', (_what, attempt, outcome, state) => {
  const ended: EndedAttempt = { attempt, outcome, startedAt, endedAt, isWebhookDeleted: false }
  expect(nextState(ended, defaultPolicy)).toEqual(state)
})

test.each<[what: string, outcome: AttemptOutcome, state: NextState]>([
  ['a failure', answer(500), { status: 'pending', nextAttemptAt: null }],
  ['a success', answer(204), succeeded],
  ['a private address', blocked, failed],
])('after %s of an attempt that was in flight when its webhook was deleted', (_what, outcome, state) => {
  const ended: EndedAttempt = { attempt: 1, outcome, startedAt, endedAt, isWebhookDeleted: true }
  expect(nextState(ended, defaultPolicy)).toEqual(state)
})

test('a delay counts from the start of the attempt under that policy', () => {
  const ended: EndedAttempt = { attempt: 1, outcome: timeout, startedAt, endedAt, isWebhookDeleted: false }
  expect(nextState(ended, { ...defaultPolicy, delayOrigin: 'attempt-start' }).nextAttemptAt).toBe(startedAt + 5_000)
})
