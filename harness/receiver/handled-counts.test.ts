import { describe, expect, it } from 'vitest'
import type { Exchange } from '../wire/exchange.js'
import { HandledCounts } from './handled-counts.js'

const answer = (status: number, json?: unknown) => ({ status, json, excerpt: '' }) as Exchange

describe('the counts of handled events', () => {
  it.each(['', '.', '..'])('sends no request for the id "%s", whose address would be another one', async (id) => {
    const requested: string[] = []
    const counts = new HandledCounts('http://127.0.0.1/handled/{id}', (url) => {
      requested.push(url)
      return Promise.resolve(answer(200))
    })
    expect(await counts.of(id)).toBe(0)
    expect(requested).toEqual([])
  })

  it('requests the count of any other id, escaped', async () => {
    const requested: string[] = []
    const counts = new HandledCounts('http://127.0.0.1/handled/{id}', (url) => {
      requested.push(url)
      return Promise.resolve(answer(200, { count: 2 }))
    })
    expect(await counts.of('../evt 1')).toBe(2)
    expect(requested).toEqual(['http://127.0.0.1/handled/..%2Fevt%201'])
  })
})
