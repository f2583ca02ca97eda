// The rules on results as data; bin/blackbox/diagnosis.test.ts shows them on endpoints with the mistakes.
import { describe, expect, it } from 'vitest'
import type { RequirementId } from '../../spec/index.js'
import type { CaseResult } from '../result.js'
import { explained, likelyCauses } from './likely-causes.js'
import { inReadingOrder } from './reading-order.js'

function result(name: string, rest: Partial<CaseResult> = {}): CaseResult {
  const base = { suite: 'service/webhooks', title: name, level: 'must', known_failure: false, duration_ms: 1 } as const
  return { ...base, id: `service/webhooks/${name}`, requirements: ['WHK-001'], status: 'passed', ...rest }
}

function failed(
  name: string,
  check: { what?: string; expected?: string; got: string; crashed?: true; decided?: 'accepted' },
  id: RequirementId,
) {
  const mismatch = { kind: 'compared' as const, what: 'status of POST /v1/webhooks', expected: '201', ...check }
  return result(name, { status: 'failed', violates: [id], checks: [mismatch], message: 'failed' })
}

const causesOf = (results: readonly CaseResult[]) => likelyCauses('service', results).map((each) => each.cause)

describe('a cause is told', () => {
  it('where the same answer fails several cases, whatever ids and numbers it holds', () => {
    const alike = ['a', 'b', 'c'].map((name) => failed(name, { got: `200 {"id":"whk_${name}1"}` }, 'WHK-001'))
    const [cause] = likelyCauses('service', [...alike, failed('d', { got: '404' }, 'WHK-002')])
    expect(cause).toMatchObject({ cause: 'same-answer', cases: alike.map((each) => each.id) })
    expect(cause?.text).toBe(
      '3 cases fail alike (WHK-001): status of POST /v1/webhooks: expected 201, got 200 {"id":"whk_…"}.',
    )
  })

  it('where only the times differ: those of a moment are left out, measured ones are rounded', () => {
    const alike = ['03:46:19.854', '03:46:21.001', '03:47:00.000'].map((time, index) => {
      const expected = `5 s after the attempt (2026-11-25T${time}Z to 2026-11-25T${time}Z)`
      return failed(`t${index}`, { expected, got: `${9.9 + index / 10} s after it (2026-11-25T${time}Z)` }, 'RTY-010')
    })
    expect(likelyCauses('service', alike)[0]?.text).toContain('expected 5 s after the attempt, got 10 s after it.')
  })

  it('where one reason kept several cases from being asked', () => {
    const errored = ['a', 'b', 'c'].map((name) =>
      result(name, { status: 'errored', reason: 'the service limits the rate' }),
    )
    expect(likelyCauses('service', errored)[0]?.text).toContain('the service limits the rate')
  })

  it('where signatures are wrong in one way', () => {
    const check = {
      what: 'signature',
      expected: 'a v1 entry that equals the computed signature',
      got: 'Only the body is signed.',
    }
    const [cause] = likelyCauses(
      'service',
      ['a', 'b'].map((name) => failed(name, check, 'SIG-004')),
    )
    expect(cause?.text).toBe('Deliveries are not signed as they must be: Only the body is signed.')
  })

  it('where others rest on a failure, and once', () => {
    const base = failed('a', { what: 'attempts at whk_1a2b', expected: '1', got: '0' }, 'RTY-001')
    const resting = ['b', 'c'].map((name) =>
      result(name, { status: 'skipped', not_judged: { see: 'RTY-001', failed_in: base.id } }),
    )
    expect(likelyCauses('service', [...resting, base])).toMatchObject([
      {
        text: '2 cases could not be judged, since they rest on service/webhooks/a, which failed: attempts at whk_…: expected 1, got 0. Begin there.',
        cases: [base.id, ...resting.map((each) => each.id)],
      },
    ])
  })

  it('with the remedy that the failures have in common, and none where they differ', () => {
    const alike = (...ids: readonly RequirementId[]) =>
      likelyCauses(
        'receiver',
        ids.map((id, at) => failed(`${at}`, { got: '401' }, id)),
      )[0]
    expect(alike('RCV-010', 'RCV-010', 'RCV-011')?.remedy).toContain('accept when any of them is equal')
    expect(alike('RCV-010', 'RCV-010', 'RCV-004')).not.toHaveProperty('remedy')
  })

  it('where an age is not checked, and on which side', () => {
    const took = (...ids: readonly RequirementId[]) =>
      likelyCauses(
        'verifier',
        ids.map((id, at) => failed(`${at}`, { expected: '"refused"', got: '"accepted"', decided: 'accepted' }, id)),
      )[0]?.text
    expect(took('VFY-006', 'VFY-007')).toContain('ones signed long ago, and ones from the future, are taken')
    expect(took('VFY-007', 'VFY-007')).toContain('in the future: ones signed ahead of the clock are taken')
    expect(took('VFY-006', 'VFY-006')).toContain('in the past: ones signed long ago are taken')
  })

  it('for each sentence by itself, where a delivery is decided on wrongly', () => {
    const accepted = (...ids: readonly RequirementId[]) =>
      ids.map((id, at) => failed(`${id}${at}`, { expected: '"refused"', got: '"accepted"', decided: 'accepted' }, id))
    const causes = likelyCauses('verifier', accepted('VFY-012', 'VFY-001', 'VFY-012', 'VFY-012', 'VFY-009'))
    expect(causes).toMatchObject([{ cause: 'same-answer', remedy: expect.stringContaining('digits alone') }])
    expect(causes[0]?.cases).toHaveLength(3)
  })

  it('where the target falls over', () => {
    expect(
      causesOf(['a', 'b', 'c'].map((name) => failed(name, { got: `500 ${name}`, crashed: true }, 'WHK-001'))),
    ).toEqual(['falls-over'])
  })
})

describe('no cause is told', () => {
  it('where each failure stands for itself, or is accepted', () => {
    const few = ['a', 'b'].map((name) => failed(name, { got: '200' }, 'WHK-001'))
    expect(causesOf(few)).toEqual([])
    const known = ['a', 'b', 'c'].map((name) => ({ ...failed(name, { got: '200' }, 'WHK-001'), known_failure: true }))
    expect(causesOf(known)).toEqual([])
    expect(explained('service', few)).not.toHaveProperty('likely_causes')
  })
})

it('what others rest on is read first, what is accepted last', () => {
  const known = { ...failed('known', { got: '200' }, 'WHK-001'), known_failure: true }
  const should = { ...failed('should', { got: '200' }, 'WHK-001'), level: 'should' as const }
  const errored = result('errored', { status: 'errored', reason: 'no answer' })
  const must = failed('must', { got: '200' }, 'WHK-001')
  const base = failed('base', { got: '200' }, 'RTY-001')
  const resting = result('rests', { status: 'skipped', not_judged: { see: 'RTY-001', failed_in: base.id } })
  const read = inReadingOrder([known, errored, should, must, resting, base])
  expect(read.map((each) => each.title)).toEqual(['base', 'must', 'should', 'errored', 'known'])
})

it('a failure whose mistake is known has its remedy', () => {
  const { cases } = explained('receiver', [
    failed('a', { got: '200' }, 'RCV-006'),
    failed('b', { got: '200' }, 'WHK-001'),
  ])
  expect(cases[0]?.remedy).toContain('more than 300 seconds')
  expect(cases[1]).not.toHaveProperty('remedy')
})
