import { afterEach, expect, it, vi } from 'vitest'
import { Unhurried } from './unhurried.js'

afterEach(() => void vi.useRealTimers())

it('looks into later ones, one by one, and into no more than wait', () => {
  vi.useFakeTimers()
  const looked: boolean[] = []
  const unhurried = new Unhurried()
  for (let count = 0; count < 25; count++) unhurried.add((mayLook) => looked.push(mayLook))
  expect(looked).toEqual(Array.from({ length: 5 }, () => false))
  vi.runAllTimers()
  expect(looked.slice(5)).toEqual(Array.from({ length: 20 }, () => true))
  unhurried.add((mayLook) => looked.push(mayLook))
  unhurried.end()
  expect(looked.at(-1)).toBe(false)
})

it('rests after a look', async () => {
  const unhurried = new Unhurried()
  let startedAt = 0
  unhurried.add(() => {
    startedAt = performance.now()
    while (performance.now() - startedAt < 20);
  })
  await new Promise<void>((done) => unhurried.add(() => done()))
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(75)
})
