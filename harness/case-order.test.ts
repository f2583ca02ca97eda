import { expect, test } from 'vitest'
import type { Case } from './case.js'
import { simplestCases, startOrder } from './case-order.js'

function testCase(name: string, more: Partial<Case>): Case {
  return {
    id: `service/order/${name}`,
    subject: 'service',
    requirements: ['RTY-001'],
    level: 'must',
    title: name,
    needs: [],
    run: async () => {},
    ...more,
  }
}

const cases = [
  testCase('short', { requirements: ['RTY-001', 'RTY-002', 'RTY-003'] }),
  testCase('long', { requirements: ['RTY-001'], timeoutMs: 120_000 }),
  testCase('advice', { requirements: ['RTY-001'], level: 'should' }),
  testCase('simple', { requirements: ['RTY-001'] }),
  testCase('basic', { requirements: ['RTY-001', 'RTY-002'], isBasic: true }),
  testCase('waits', { requirements: ['RTY-001'], timeoutMs: 100_000, phase: 'first' }),
]

test('the two simplest must cases of a requirement are ones of usual duration', () => {
  expect(simplestCases(cases).get('RTY-001')).toEqual(['service/order/simple', 'service/order/basic'])
})

test('what only waits starts first, then what others depend on, then the simplest of each requirement, then the longest', () => {
  const order = startOrder(cases).map(({ title }) => title)
  expect(order).toEqual(['waits', 'basic', 'simple', 'short', 'long', 'advice'])
})
