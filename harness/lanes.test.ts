import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sideBySide } from './lanes.js'

/** The most that were under way at once, of 60 things on a process that is late by so much. */
async function maxAtOnce(longestMs: number, isFixed = false): Promise<number> {
  let underWay = 0
  let most = 0
  const items = Array.from({ length: 60 }, (_, index) => index)
  const run = async () => {
    most = Math.max(most, ++underWay)
    await pause(60)
    underWay--
  }
  await sideBySide(items, run, { max: 16, isFixed, watch: { longestSince: () => longestMs } })
  return most
}

test('begins with few and adds as long as the process is on time', async () => {
  const most = await maxAtOnce(0)
  expect(most).toBeGreaterThan(4)
  expect(most).toBeLessThanOrEqual(16)
})

test('adds none where the process is late', async () => {
  expect(await maxAtOnce(1_000)).toBe(4)
})

test('begins with as many as the user wants', async () => {
  expect(await maxAtOnce(1_000, true)).toBe(16)
})
