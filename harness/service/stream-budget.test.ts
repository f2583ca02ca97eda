import { describe, expect, it } from 'vitest'
import { StreamBudget } from './stream-budget.js'

const wholeMs = 10_000

/** Returns the budget, the time and the lengths of `count` waits that timed out, each as long as the budget allows. */
function afterSilence(count: number, heardMs?: number) {
  const budget = new StreamBudget()
  let now = 0
  const lengths: number[] = []
  if (heardMs !== undefined) {
    budget.waitMs(wholeMs, now)
    budget.waited(now, false, (now += heardMs))
  }
  for (let done = 0; done < count; done++) {
    const length = budget.waitMs(wholeMs, now)
    lengths.push(length)
    budget.waited(now, true, (now += length))
  }
  return { budget, now, lengths }
}

describe('waits for streams that stay silent', () => {
  it('are short after eight and a minute, but one in twenty', () => {
    const { lengths } = afterSilence(25)
    expect(lengths.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => wholeMs))
    expect(lengths.slice(8, 20)).toEqual(Array.from({ length: 12 }, () => 2_000))
    expect(lengths[20]).toBe(wholeMs)
  })

  it('are never short within a minute: a target may pause for a moment', () => {
    const budget = new StreamBudget()
    for (let count = 0; count < 30; count++) {
      expect(budget.waitMs(wholeMs, 10_000)).toBe(wholeMs)
      budget.waited(0, true, 10_000)
    }
  })

  it('are longer than any successful one, and whole again after one', () => {
    const { budget, now, lengths } = afterSilence(12, 1_500)
    expect(lengths.at(-1)).toBe(4_500)
    budget.waited(now, false, now + 100)
    expect(budget.waitMs(wholeMs, now + 100)).toBe(wholeMs)
  })
})
