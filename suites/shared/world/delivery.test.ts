import { expect, test } from 'vitest'
import { answerTimeMs, retryDelaysMs } from '../../../spec/index.js'
import { applyAnswer, begin, openDelivery, passTime, stopDelivery, type Ending } from './delivery.js'

const numbers = { retryDelaysMs, answerTimeMs }
const at = (seconds: number) => ({ earliest: seconds * 1_000, latest: seconds * 1_000 })
const answer = (status: number): Ending => ({ kind: 'answer', status, body: '' })
const hour = 3_600
/** A delivery that started at 0, this many seconds later. */
const madeBy = (seconds: number, ending: Ending) =>
  passTime(begin(at(0), { ending, numbers }), { ending, now: at(seconds), numbers })

test('a 2xx ends a delivery at its first attempt', () => {
  const delivery = madeBy(2, answer(202))
  expect(delivery).toMatchObject({ least: 1, most: 1, status: 'succeeded', due: undefined })
})

test.each([
  [2, 1, 'pending'],
  [10, 2, 'pending'],
  [1 * hour, 4, 'pending'],
  [48 * hour, 7, 'failed'],
])('after %i seconds of failures %i attempts were made', (seconds, attempts, status) => {
  for (const ending of [answer(199), answer(300), answer(404), answer(503), { kind: 'broken' } as const])
    expect(madeBy(seconds, ending)).toMatchObject({
      least: attempts,
      most: attempts,
      status,
    })
})

test('an attempt that is due about now is open', () => {
  const delivery = madeBy(6, answer(500))
  expect(delivery).toMatchObject({ least: 1, most: 7, status: undefined })
})

test('an attempt without an answer ends after its answer time, and its retry counts from its start or its end', () => {
  const held = madeBy(5, { kind: 'held' })
  expect(held).toMatchObject({ least: 1, status: 'pending', inFlightSince: { earliest: 0 } })
  const over = passTime(held, { ending: { kind: 'held' }, now: at(13), numbers })
  expect(over).toMatchObject({ status: undefined })
  const late = passTime(held, { ending: answer(200), now: at(100), numbers })
  expect(late).toMatchObject({ least: 2, most: 2, status: 'succeeded' })
})

test('an answer in time counts, one about the end of the time is open', () => {
  const held = madeBy(3, { kind: 'held' })
  expect(applyAnswer(held, answer(200), { at: at(4), numbers })).toMatchObject({ status: 'succeeded' })
  expect(applyAnswer(held, answer(500), { at: at(4), numbers }).due).toEqual({ earliest: 5_000, latest: 9_000 })
  expect(applyAnswer(held, answer(200), { at: at(10), numbers })).toMatchObject({ status: undefined, most: 7 })
})

test('a deleted webhook gets no more attempts', () => {
  const pending = madeBy(2, answer(500))
  expect(passTime(stopDelivery(pending, numbers), { ending: answer(200), now: at(hour), numbers })).toMatchObject({
    least: 1,
    most: 1,
    status: undefined,
  })
  expect(stopDelivery(openDelivery(pending, numbers), numbers).most).toBe(7)
})
