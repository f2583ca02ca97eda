import { expect, it } from 'vitest'
import { serviceCases } from '../../suites/service/index.js'
import { estimateRun } from '../../harness/planning.js'

const nothingIsMissing = () => undefined
const onlyRealTime = (need: string) => (need === 'clock' ? { reason: 'no clock' } : undefined)

it('adds no waits where the clock can be advanced', () => {
  const { runMs, longestWaitMs } = estimateRun(serviceCases, nothingIsMissing, 24)
  expect(longestWaitMs).toBe(0)
  expect(runMs).toBe(serviceCases.length * 35)
})

it('is at least the longest wait in real time', () => {
  const { runMs, longestWaitMs } = estimateRun(serviceCases, onlyRealTime, 1_000)
  expect(longestWaitMs).toBeGreaterThan(60_000)
  expect(runMs).toBeGreaterThanOrEqual(longestWaitMs)
})

it('counts no case that cannot run', () => {
  expect(estimateRun(serviceCases, () => ({ reason: 'nothing can run' }), 24).runMs).toBe(1_000)
})
