import { expect, it, onTestFinished } from 'vitest'
import { WallClockWatch } from './wall-clock.js'

it('notices a wall clock that was set, since when, and no correction of a moment', () => {
  const clock = { wall: 1_000_000, monotonic: 0 }
  const watch = new WallClockWatch(
    () => clock.wall,
    () => clock.monotonic,
  )
  onTestFinished(() => watch.end())
  clock.wall += 60_300
  clock.monotonic += 60_000
  expect(watch.setSince(0)).toBe(0)
  clock.wall += 3_600_000
  expect(watch.setSince(0)).toBe(3_600_000)
  const later = performance.now()
  expect(watch.setSince(later + 1)).toBe(0)
  clock.wall -= 7_200_000
  expect(watch.setSince(later)).toBe(-7_200_000)
})
