import { expect, it } from 'vitest'
import { contractViolations } from './contract-check.js'
import { longNameIn, refuseLongNames } from './long-names.js'

const long = 'x'.repeat(1_025)

it('an id, secret or cursor beyond 1,024 characters is a failed check, and ends the case before it is used', () => {
  expect(longNameIn({ id: 'whk_1', url: `https://a.example/${long}` })).toBeUndefined()
  expect(longNameIn({ id: long.slice(1) })).toBeUndefined()
  for (const value of [{ id: long }, { data: [{ id: 'evt_1' }, { id: long }] }, [{ id: long }], { next: long }])
    expect(longNameIn(value)?.length).toBe(1_025)
  expect(() => refuseLongNames('POST /v1/webhooks', { id: 'whk_1' })).not.toThrow()
  expect(() => refuseLongNames('POST /v1/webhooks', { id: long })).toThrow(
    /POST \/v1\/webhooks: "id" has 1025 characters/,
  )
  expect(contractViolations('CreatedWebhook', { id: long }, 'WHK-002')).toEqual([
    {
      requirement: 'WHK-002',
      where: 'CreatedWebhook.id',
      problem: 'not more than 1024 characters',
      found: '1025 characters',
    },
  ])
})
