// `judge()`: what a program of the user's own may choose.
import { describe, expect, it } from 'vitest'
import { judge, type JudgeOptions } from './index.js'

/** The ids of the cases that were put, with their requirements; the driver has none of the operations. */
async function put(options: JudgeOptions) {
  const handler = () => (request: Readonly<Record<string, unknown>>) =>
    Promise.resolve(
      request['op'] === 'hello' ? { name: 'none', version: '1', language: 'none' } : { unsupported: 'it has none' },
    )
  const { cases } = await judge('verifier', { handler }, options)
  return cases.map(({ id, requirements }) => ({ id, requirements }))
}

describe('the cases that are put', () => {
  it('are those that check one of the requirements', async () => {
    const chosen = await put({ requirements: ['VFY-016'] })
    expect(chosen.length).toBeGreaterThan(0)
    expect(chosen.filter(({ requirements }) => !requirements.includes('VFY-016'))).toEqual([])
  })

  it('are exactly those of `only`', async () => {
    const only = 'verifier/state/returns-every-field-of-the-event'
    expect(await put({ suites: ['verifier/state'], only: new Set([only]) })).toEqual([
      { id: only, requirements: expect.anything() as unknown },
    ])
  })

  it('must be there', async () => {
    await expect(put({ requirements: ['VFY-999'] })).rejects.toThrow('--requirement VFY-999 matches nothing')
  })
})
