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
  check: { what?: string; expected?: string; got: string; crashed?: true; decided?: 'accepted' | 'refused' },
  id: RequirementId,
) {
  const mismatch = { kind: 'compared' as const, what: 'status of POST /v1/webhooks', expected: '201', ...check }
  return result(name, { status: 'failed', violates: [id], checks: [mismatch], message: 'failed' })
}

const causesOfKind = (causes: readonly { readonly cause: string }[]) => causes.map(({ cause }) => cause)
const causesOf = (results: readonly CaseResult[]) => likelyCauses('service', results).map((cause) => cause.cause)

describe('a cause is reported', () => {
  it('for the requirement that explains most failures, with those that fail in the same way', () => {
    const equal = ['a', 'b', 'c'].map((name) => failed(name, { got: `200 {"id":"whk_${name}1"}` }, 'WHK-001'))
    const sameAnswer = failed('d', { got: '200 {"id":"whk_d1"}' }, 'WHK-004')
    const other = failed('e', { got: '400' }, 'WHK-002')
    const [first, second] = likelyCauses('service', [other, ...equal, sameAnswer])
    expect(first).toMatchObject({ cause: 'broken-requirement', requirement: 'WHK-001' })
    expect(first?.cases).toEqual([...equal, sameAnswer].map(({ id }) => id))
    expect(second).toMatchObject({ requirement: 'WHK-002', evidence: other.id, cases: [other.id] })
  })

  it('for ids that do not ascend, which explain lost events as well', () => {
    const ids = (...of: readonly string[]) => JSON.stringify(of.map((id) => `evt_${id}`))
    const listed = (name: string, expected: string) => failed(name, { expected, got: ids('a', 'b', 'c') }, 'POL-001')
    const lost = failed('lost', { expected: '6 items', got: '1 item' }, 'POL-003')
    const other = failed('other', { got: '400' }, 'WHK-002')
    const raised = ids('b', 'c', 'a')
    const [first, second] = likelyCauses('service', [other, lost, listed('a', raised), listed('b', raised)])
    expect(first).toMatchObject({ cause: 'ids-do-not-ascend', requirement: 'POL-010' })
    expect(first?.cases.map((id) => id.split('/').at(-1))).toEqual(['lost', 'a', 'b'])
    expect(second?.cases).toEqual([other.id])
    // Ids that ascend, in a list that is in another order, are right.
    const newestFirst = ['c', 'd'].map((name) =>
      failed(name, { expected: ids('a', 'b', 'c'), got: ids('c', 'b', 'a') }, 'POL-001'),
    )
    expect(causesOf(newestFirst)).toEqual(['broken-requirement'])
  })

  it('for the requirement whose other cases fail too, before one whose other cases pass', () => {
    const both = { ...failed('a', { got: '200' }, 'WHK-001'), violates: ['WHK-001', 'WHK-002'] as const }
    const kept = ['b', 'c', 'd'].map((name) => result(name, { requirements: ['WHK-001'] }))
    expect(likelyCauses('service', [both, ...kept])[0]?.requirement).toBe('WHK-002')
  })

  it('for the requirement that a case is named after, where one case failed and all its sentences are kept elsewhere', () => {
    const one = { ...failed('a', { got: '200' }, 'WHK-001'), violates: ['WHK-001', 'WHK-002'] as const }
    const kept = ['b', 'c', 'd', 'e', 'f'].map((name) => result(name, { requirements: ['WHK-001'] }))
    const other = result('g', { requirements: ['WHK-002'] })
    expect(likelyCauses('service', [one, ...kept, other, { ...other, id: 'h' }])[0]?.requirement).toBe('WHK-001')
  })

  it('for the sentence of a case that breaks it alone, before those of a case that breaks several', () => {
    const alone = failed('a', { got: '200 []' }, 'WHK-001')
    const several = ['WHK-002', 'WHK-003', 'WHK-004', 'WHK-005'] as const
    const all = { ...failed('b', { got: '400' }, 'WHK-002'), requirements: several, violates: several }
    expect(likelyCauses('service', [all, alone])[0]?.requirement).toBe('WHK-001')
  })

  it('for a sentence that binds under an option of the run, before a consequence', () => {
    const refused = (name: string, ids: readonly RequirementId[]) => ({
      ...failed(name, { got: '400' }, 'RCV-001'),
      requirements: ids,
      violates: ids,
    })
    const all = [refused('a', ['RCV-013']), refused('b', ['RCV-013']), refused('c', ['RCV-012'])]
    expect(likelyCauses('receiver', all)[0]?.requirement).toBe('RCV-013')
    const signing = [refused('a', ['VFY-018']), refused('b', ['VFY-018']), refused('c', ['VFY-001'])]
    expect(likelyCauses('verifier', signing)[0]?.requirement).toBe('VFY-001')
  })

  it('for a client of which no request arrives', () => {
    const exchange = (kind: 'driver' | 'api', method: string) => ({
      direction: 'sent' as const,
      kind,
      request: { method, url: kind, headers: {}, body: '' },
      started_at: '2026-01-01T00:00:00.000Z',
      duration_ms: 1,
    })
    const lost = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      ...failed(name, { got: 'network_error' }, 'CLI-043'),
      exchanges: [exchange('driver', 'construct'), exchange('driver', 'call')],
    }))
    const [first] = likelyCauses('client', lost)
    expect(first).toMatchObject({ cause: 'no-request', requirement: 'CLI-004', cases: lost.map(({ id }) => id) })
    const reaching = { ...lost[0], id: 'f', exchanges: [exchange('driver', 'call'), exchange('api', 'GET')] }
    expect(causesOfKind(likelyCauses('client', [...lost, reaching as CaseResult]))).not.toContain('no-request')
    const passed = { ...result('g'), id: 'client/emails/emails-get-makes-its-request' }
    expect(causesOfKind(likelyCauses('client', [...lost, passed]))).not.toContain('no-request')
  })

  it('for header names, where a verifier refuses valid deliveries but for one spelling of them', () => {
    const refused = (name: string, id: RequirementId) => {
      const check = { got: 'refused', decided: 'refused' } as const
      return { ...failed(name, check, id), id: `verifier/vectors/${name}`, requirements: [id] }
    }
    const all = [refused('0001-published-example', 'VFY-004'), refused('0252-header-case', 'VFY-019')]
    const title = { ...result('title'), id: 'verifier/vectors/0251-header-case', requirements: ['VFY-019'] as const }
    const [cause] = likelyCauses('verifier', [...all, title])
    expect(cause).toMatchObject({ cause: 'header-names', requirement: 'VFY-019', cases: all.map(({ id }) => id) })
    expect(likelyCauses('verifier', all)[0]?.cause).not.toBe('header-names')
  })

  it('by the title of the one case of a requirement that failed, where others passed and nothing depends on it', () => {
    const only = { ...failed('keeps the query of the url', { got: '200' }, 'WHK-001') }
    const kept = result('a')
    const text = 'Keeps the query of the url.'
    expect(likelyCauses('service', [only, kept])).toMatchObject([{ cause: 'one-case', requirement: 'WHK-001', text }])
    const followed = result('b', { status: 'skipped', not_judged: { see: 'WHK-001', failed_in: only.id } })
    const random = { ...only, counterexample: {} }
    for (const results of [[only], [only, kept, followed], [random, kept]])
      expect(likelyCauses('service', results)[0]?.cause).toBe('broken-requirement')
  })

  it('in one line for a missing operation, on the sentence that requires it', () => {
    const what = 'status of POST /v1/emails/batch'
    const missing = ['a', 'b'].map((name) => failed(name, { what, expected: '200', got: '404 not found' }, 'AUTH-001'))
    expect(likelyCauses('service', missing)).toMatchObject([
      { cause: 'no-operation', requirement: 'SND-004', text: 'There is no POST /v1/emails/batch here (404).' },
    ])
    const served = result('c', { requirements: ['SND-004'] })
    expect(likelyCauses('service', [...missing, served])[0]?.cause).toBe('broken-requirement')
    for (const [status, cause] of [
      [401, 'no-operation'],
      [200, 'broken-requirement'],
    ] as const) {
      const exchange = {
        kind: 'api',
        direction: 'sent',
        duration_ms: 1,
        started_at: '2026-01-01T00:00:00.000Z',
        request: { method: 'POST', url: 'http://127.0.0.1/v1/emails/batch', headers: {} },
        response: { status, headers: {} },
      } as const
      const answered = failed('c', { what, expected: '200', got: String(status) }, 'AUTH-001')
      expect(likelyCauses('service', [...missing, { ...answered, exchanges: [exchange] }])[0]?.cause).toBe(cause)
    }
  })

  it('where one reason kept several cases from running', () => {
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

  it('with the cases that were not evaluated because of it', () => {
    const base = failed('a', { what: 'attempts at whk_1a2b', expected: '1', got: '0' }, 'RTY-001')
    const resting = ['b', 'c'].map((name) =>
      result(name, { status: 'skipped', not_judged: { see: 'RTY-001', failed_in: base.id } }),
    )
    const ids = [base, ...resting].map(({ id }) => id)
    expect(likelyCauses('service', [...resting, base])).toMatchObject([{ requirement: 'RTY-001', cases: ids }])
  })

  it('with the remedy that the failures have in common, and none where they differ', () => {
    const equal = (...ids: readonly RequirementId[]) =>
      likelyCauses(
        'receiver',
        ids.map((id, at) => failed(`${at}`, { got: '401' }, id)),
      )[0]
    expect(equal('RCV-010', 'RCV-010', 'RCV-011')?.remedy).toContain('accept if any of them matches')
    expect(equal('RCV-010', 'RCV-010', 'RCV-004')).not.toHaveProperty('remedy')
  })

  it('where an age is not checked, and on which side', () => {
    const took = (...ids: readonly RequirementId[]) =>
      likelyCauses(
        'verifier',
        ids.map((id, at) => failed(`${at}`, { expected: '"refused"', got: '"accepted"', decided: 'accepted' }, id)),
      )[0]?.text
    expect(took('VFY-006', 'VFY-007')).toContain('ones signed too long ago, and too far in the future, are accepted')
    expect(took('VFY-007', 'VFY-007')).toContain('ones signed too far in the future are accepted')
    expect(took('VFY-006', 'VFY-006')).toContain('ones signed too long ago are accepted')
  })

  it('for each sentence by itself, where a delivery is decided on wrongly', () => {
    const accepted = (...ids: readonly RequirementId[]) =>
      ids.map((id, at) => failed(`${id}${at}`, { expected: '"refused"', got: '"accepted"', decided: 'accepted' }, id))
    const causes = likelyCauses('verifier', accepted('VFY-012', 'VFY-001', 'VFY-012', 'VFY-012', 'VFY-009'))
    expect(causes[0]).toMatchObject({
      requirement: 'VFY-012',
      remedy: expect.stringContaining('only if it consists of digits'),
    })
    expect(causes.map(({ cases }) => cases.length)).toEqual([3, 1, 1])
  })

  it('where a verifier computes another signature, by the forgery that it accepts', () => {
    const refused = Array.from({ length: 20 }, (_, at) => ({
      ...failed(`valid${at}`, { expected: '"accepted"', got: '"refused"', decided: 'refused' }, 'VFY-004'),
      ...(at === 0 ? { id: 'verifier/vectors/0001-published-example' } : {}),
    }))
    const forged = failed('forged', { expected: '"refused"', got: '"accepted"', decided: 'accepted' }, 'VFY-002')
    const [cause] = likelyCauses('verifier', [...refused, forged])
    expect(cause).toMatchObject({ cause: 'valid-refused', requirement: 'VFY-002', evidence: forged.id })
    expect(cause?.remedy).toContain('whsec_')
    expect(likelyCauses('verifier', refused)[0]?.text).not.toContain('It accepts')
  })

  it('with the library whose advice failed, where that is all that failed', () => {
    const advice = (...ids: readonly RequirementId[]) =>
      ids.map((id) => ({ ...failed(id, { got: '"accepted"', decided: 'accepted' }, id), level: 'should' as const }))
    const causes = (results: readonly CaseResult[]) => likelyCauses('receiver', results)
    const [known] = causes(advice('RCV-031', 'RCV-027', 'RCV-030', 'RCV-027'))
    expect(known).toMatchObject({ cause: 'known-library', text: expect.stringContaining('standardwebhooks') })
    expect(known?.cases).toHaveLength(4)
    expect(causes(advice('RCV-027', 'RCV-029', 'RCV-030', 'RCV-031'))[0]?.text).toContain('svix')
    // One difference less or more, or a must failure, matches no library.
    expect(causesOfKind(causes(advice('RCV-027', 'RCV-030')))).not.toContain('known-library')
    expect(causesOfKind(causes(advice('RCV-014', 'RCV-027', 'RCV-030', 'RCV-031')))).not.toContain('known-library')
    const must = failed('must', { got: '"accepted"', decided: 'accepted' }, 'RCV-005')
    const results = [...advice('RCV-027', 'RCV-030', 'RCV-031'), must]
    expect(causesOfKind(causes(results))).not.toContain('known-library')
  })

  it('where parts of the right signature are accepted, and other signatures refused', () => {
    const part = (length: number) => `answer to POST /hooks with the first ${length} characters of the right signature`
    const own = [20, 24, 28].map((length) =>
      failed(`${length}`, { what: part(length), got: '"204"', decided: 'accepted' }, 'RCV-005'),
    )
    const refused = { ...result('other'), id: 'receiver/signature/refuses-another-secret' }
    expect(causesOfKind(likelyCauses('receiver', [...own, refused]))).toEqual(['compared-in-part'])
    const accepted = { ...refused, status: 'failed' as const, violates: ['RCV-020' as const], checks: [] }
    expect(causesOfKind(likelyCauses('receiver', [...own, accepted]))).not.toContain('compared-in-part')
  })

  it('where the target falls over, with a remedy for its kind', () => {
    const crashed = ['a', 'b', 'c'].map((name) => failed(name, { got: `500 ${name}`, crashed: true }, 'WHK-001'))
    const [ofService, ...others] = likelyCauses('service', crashed)
    expect([ofService?.cause, others]).toEqual(['falls-over', []])
    expect(ofService?.remedy).toContain('4xx with code, message and fix')
    expect(likelyCauses('receiver', crashed)[0]?.remedy).toContain('Catch errors of the verification')
  })
})

describe('no cause is reported', () => {
  it('where each failure is accepted', () => {
    const known = ['a', 'b', 'c'].map((name) => ({ ...failed(name, { got: '200' }, 'WHK-001'), known_failure: true }))
    expect(causesOf(known)).toEqual([])
    expect(explained('service', known)).not.toHaveProperty('likely_causes')
  })
})

it('cases that others depend on are read first, accepted failures last', () => {
  const known = { ...failed('known', { got: '200' }, 'WHK-001'), known_failure: true }
  const should = { ...failed('should', { got: '200' }, 'WHK-001'), level: 'should' as const }
  const errored = result('errored', { status: 'errored', reason: 'no answer' })
  const must = failed('must', { got: '200' }, 'WHK-001')
  const base = failed('base', { got: '200' }, 'RTY-001')
  const resting = result('rests', { status: 'skipped', not_judged: { see: 'RTY-001', failed_in: base.id } })
  const read = inReadingOrder([known, errored, should, must, resting, base])
  expect(read.map((result) => result.title)).toEqual(['base', 'must', 'should', 'errored', 'known'])
})

it('a failure whose mistake is known has its remedy', () => {
  const { cases } = explained('receiver', [
    failed('a', { got: '200' }, 'RCV-006'),
    failed('b', { got: '200' }, 'WHK-001'),
  ])
  expect(cases[0]?.remedy).toContain('more than 300 seconds')
  expect(cases[1]).not.toHaveProperty('remedy')
})
