import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { caseWaits, profileWaits, waiting } from './waits.js'

test('where no case counts, nothing is counted, and the promise is the one that was given', async () => {
  const waits = caseWaits()
  const answer = Promise.resolve(1)
  await waits.run(async () => expect(waiting('deliveries', answer)).toBe(answer))
  expect(waits.recorded()).toBeUndefined()
})

test('each case counts its own waits; concurrent waits are counted once', async () => {
  profileWaits()
  const [one, other] = [caseWaits(), caseWaits()]
  const wait = (ms: number) => waiting('answers of the API', pause(ms))
  await Promise.all([
    one.run(async () => {
      await Promise.all([wait(200), wait(200), waiting('deliveries', pause(200))])
      await expect(waiting('frames of a stream', Promise.reject(new Error('gone')))).rejects.toThrow('gone')
    }),
    other.run(() => wait(1)),
  ])
  await wait(1)
  const reported = one.recorded()
  expect(Object.entries(reported?.causes ?? {}).map(([cause, { count }]) => [cause, count])).toEqual([
    ['answers of the API', 2],
    ['deliveries', 1],
    ['frames of a stream', 1],
  ])
  const answers = reported?.causes['answers of the API']?.ms ?? 0
  // Three waits one after the other would be 600 ms by the same clock.
  expect(answers).toBeGreaterThanOrEqual(190)
  expect(reported?.ms).toBeLessThan(answers + (reported?.causes['deliveries']?.ms ?? 0))
  expect(other.recorded()?.causes).toMatchObject({ 'answers of the API': { count: 1 } })
})
