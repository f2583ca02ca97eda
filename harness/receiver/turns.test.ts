import { expect, it } from 'vitest'
import { Turns } from './turns.js'

const [one, other] = [{}, {}]

async function refused(turns: Turns, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    await turns.begin(one)
    turns.end(one, true)
  }
}

/** Whether `begin` resolves without an end of another delivery. */
async function isFree(turns: Turns, owner: object): Promise<boolean> {
  let isHere = false
  void turns.begin(owner).then(() => (isHere = true))
  await new Promise((resolve) => setImmediate(resolve))
  return isHere
}

it('cases send at the same time until an endpoint has refused three deliveries because of others', async () => {
  const turns = new Turns()
  await refused(turns, 2)
  expect([one, other].map((owner) => turns.wasRefused(owner))).toEqual([true, false])
  expect(await isFree(turns, one)).toBe(true)
  expect(await isFree(turns, other)).toBe(true)
})

it('then each waits until the deliveries of another have ended, and its own are under way together', async () => {
  const turns = new Turns()
  await refused(turns, 3)
  expect(await isFree(turns, one)).toBe(true)
  expect(await isFree(turns, one)).toBe(true)
  const order: string[] = []
  const others = ['a', 'b'].map(async (name) => {
    const owner = {}
    await turns.begin(owner)
    order.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${name} ends`)
    turns.end(owner)
  })
  turns.end(one)
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual([])
  turns.end(one)
  await Promise.all(others)
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})
