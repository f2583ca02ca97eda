import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runInLanes } from './lanes.js'

/** The most of 60 tasks that ran at once in a process that is late by this much. */
async function maxAtOnce(longestMs: number, isFixed = false): Promise<number> {
  let underWay = 0
  let most = 0
  let left = 60
  const run = async () => {
    most = Math.max(most, ++underWay)
    await pause(60)
    underWay--
  }
  await runInLanes(
    (mayStart) => (left > 0 && mayStart(Infinity) && left-- > 0 ? { run, company: Infinity } : undefined),
    { max: 16, isFixed, watch: { longestSince: () => longestMs } },
  )
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

test('starts a task that needs quiet when nothing runs, and nothing else until it has ended', async () => {
  const underWay: string[] = []
  const seen: string[][] = []
  const queue = ['a', 'b', 'quiet', 'c', 'd']
  const companyOf = (name: string | undefined) => (name === 'quiet' ? 1 : Infinity)
  await runInLanes(
    (mayStart) => {
      if (queue.length === 0 || !mayStart(companyOf(queue[0]))) return undefined
      const name = queue.shift() ?? ''
      const run = async () => {
        underWay.push(name)
        seen.push([...underWay])
        await pause(10)
        underWay.splice(underWay.indexOf(name), 1)
      }
      return { run, company: companyOf(name) }
    },
    { max: 4, isFixed: true, watch: { longestSince: () => 0 } },
  )
  expect(seen).toEqual([['a'], ['a', 'b'], ['quiet'], ['c'], ['c', 'd']])
})
