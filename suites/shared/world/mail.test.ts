import { expect, test } from 'vitest'
import { countExpected, outcomesOf, type EmailChange, type EmailStep } from './mail.js'

const minute = 60_000
const at = (minutes: number) => ({ earliest: minutes * minute, latest: minutes * minute + 1_000 })
const sent = (scheduledAt?: number): EmailStep => ({
  kind: 'sent',
  at: at(0),
  scheduledAt: scheduledAt === undefined ? undefined : scheduledAt * minute,
})
const moved = (done: number, scheduledAt: number): EmailChange => ({
  kind: 'moved',
  at: at(done),
  scheduledAt: scheduledAt * minute,
})
const cancelled = (done: number): EmailChange => ({ kind: 'cancelled', at: at(done) })
const atOnce = (...changes: readonly EmailChange[]): EmailStep => ({ kind: 'at-once', changes })

test.each<[what: string, steps: readonly EmailStep[], minutes: number, least: number, most: number]>([
  ['mail without a time is sent at once', [sent()], 5, 1, 1],
  ['mail is kept until its time', [sent(60)], 50, 0, 0],
  ['about its time it is open', [sent(60)], 60, 0, 1],
  ['it is sent at its time', [sent(60)], 70, 1, 1],
  ['moved mail waits for its new time', [sent(60), moved(10, 120)], 70, 0, 0],
  ['moved mail is sent at its new time', [sent(60), moved(10, 20)], 30, 1, 1],
  ['cancelled mail is not sent', [sent(60), cancelled(10)], 90, 0, 0],
  ['a cancel after its time changes nothing', [sent(60), cancelled(90)], 95, 1, 1],
  ['a cancel about its time is open', [sent(60), cancelled(60)], 95, 0, 1],
  ['a cancelled email stays cancelled when it is moved', [sent(60), cancelled(10), moved(20, 90)], 95, 0, 0],
  ['of two concurrent moves either may be last', [sent(60), atOnce(moved(10, 80), moved(10, 100))], 90, 0, 1],
  ['two concurrent moves replace the first time', [sent(60), atOnce(moved(10, 80), moved(10, 100))], 70, 0, 0],
  ['after two concurrent moves the email is sent once', [sent(60), atOnce(moved(10, 80), moved(10, 100))], 110, 1, 1],
  ['a cancel concurrent with a move wins', [sent(60), atOnce(moved(10, 80), cancelled(10))], 110, 0, 0],
  ['two concurrent cancels are one', [sent(60), atOnce(cancelled(10), cancelled(10))], 90, 0, 0],
])('%s', (_what, steps, minutes, least, most) => {
  expect(countExpected(steps, { now: at(minutes), pauses: [] })).toEqual({ least, most })
})

test('mail that falls due in a pause may fail, and mail that falls due after it is sent', () => {
  const pauses = [{ from: at(10), to: at(20) }]
  expect(countExpected([sent(15)], { now: at(90), pauses })).toEqual({ least: 0, most: 1 })
  expect(countExpected([sent(60)], { now: at(90), pauses })).toEqual({ least: 1, most: 1 })
})

test('each order of concurrent moves is an outcome', () => {
  const steps = [sent(60), atOnce(moved(10, 80), moved(10, 100))]
  expect(outcomesOf(steps)).toEqual([
    { scheduledAt: 100 * minute, isCancelled: false },
    { scheduledAt: 80 * minute, isCancelled: false },
  ])
  expect(outcomesOf([...steps, cancelled(20)]).every(({ isCancelled }) => isCancelled)).toBe(true)
})

test('a reschedule of a cancelled email may change its time or be ignored', () => {
  const outcomes = outcomesOf([sent(60), atOnce(moved(10, 80), cancelled(10))])
  expect(outcomes.every(({ isCancelled }) => isCancelled)).toBe(true)
  expect(new Set(outcomes.map(({ scheduledAt }) => scheduledAt))).toEqual(new Set([60 * minute, 80 * minute]))
})
