import { afterEach, expect, it, vi } from 'vitest'
import { AnalysisQueue } from './analysis-queue.js'

afterEach(() => void vi.useRealTimers())

it('looks into later ones, one by one, and into no more than wait', () => {
  vi.useFakeTimers()
  const looked: boolean[] = []
  const analysisQueue = new AnalysisQueue()
  for (let count = 0; count < 25; count++) analysisQueue.add((mayAnalyse) => looked.push(mayAnalyse))
  expect(looked).toEqual(Array.from({ length: 5 }, () => false))
  vi.runAllTimers()
  expect(looked.slice(5)).toEqual(Array.from({ length: 20 }, () => true))
  analysisQueue.add((mayAnalyse) => looked.push(mayAnalyse))
  analysisQueue.end()
  expect(looked.at(-1)).toBe(false)
})

it('rests after a look', async () => {
  const analysisQueue = new AnalysisQueue()
  let startedAt = 0
  analysisQueue.add(() => {
    startedAt = performance.now()
    while (performance.now() - startedAt < 20);
  })
  await new Promise<void>((done) => analysisQueue.add(() => done()))
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(75)
})
