import { describe, expect, it } from 'vitest'
import { eventPageFaults, checkError } from './rules.js'

const queued = {
  id: 'evt_1',
  type: 'message.queued',
  org_id: 'org_1',
  created_at: '2026-01-01T00:00:00.000Z',
  data: { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', to: ['a@b.example'], cc: [], subject: 'Hi' },
}
const page = (...events: readonly unknown[]) => ({ data: events, next_after: 'evt_1' })
const reported = (answer: unknown) =>
  eventPageFaults(answer).map(({ requirement, where, problem }) => `${requirement} ${where}: ${problem}`)

describe('the faults of a page of events', () => {
  it('is nothing where nothing is', () => {
    expect(reported(page())).toEqual([])
    expect(reported(page(queued, { ...queued, type: 'acme.new', data: {} }))).toEqual([])
  })

  it('are reported by the type of each event, on its own sentence', () => {
    const { subject: _, ...data } = queued.data
    expect(reported(page(queued, { ...queued, data }))).toEqual([
      expect.stringMatching(/^EVT-004 event 2 of 2, MessageQueuedEvent\.data: the member subject/),
    ])
    expect(reported(page({ ...queued, data: { ...queued.data, message_id: 'x' } }))).toEqual([
      expect.stringMatching(/^EVT-015 event 1 of 1, MessageQueuedEvent\.data\.message_id: a text that matches/),
    ])
  })

  it('are reported for the page, for org and time, and for an item that is not an event', () => {
    expect(reported({ data: [queued] })).toEqual([expect.stringMatching(/^POL-007 EventPage: .*next_after/)])
    const { org_id: _, ...others } = queued
    expect(reported(page({ ...others, timestamp: 'now' }, 'evt_2'))).toEqual([
      'POL-009 event 1 of 2, org_id: must be a string',
      'POL-009 event 1 of 2, timestamp: must not be there',
      'POL-007 event 2 of 2, data: must be events',
    ])
    expect(reported({ data: null, next_after: 'evt_1' })).toEqual([expect.stringMatching(/^POL-007 EventPage\.data: /)])
    expect(reported(page({ ...queued, type: 'acme.new', data: null }))).not.toEqual([])
  })

  it('are reported for the first five, however long the page', () => {
    const wrong = Array.from({ length: 100_000 }, () => ({ ...queued, data: {} }))
    expect(reported(page(...wrong.slice(0, 3)))).toHaveLength(5)
    expect(reported({ data: wrong, next_after: 'evt_1' })).toEqual(
      Array.from({ length: 5 }, () => expect.stringMatching(/^EVT-0\d\d event [1-5] of 100000, /)),
    )
  })
})

describe('the faults of an error', () => {
  const brokenBy = (label: string, body: unknown, status = 400) => {
    const broken: string[] = []
    const recorder = { checked: () => {}, violated: (requirement: string) => void broken.push(requirement) }
    checkError(recorder, { status, label, body, text: '' })
    return broken
  }
  const whole = { code: 'c', message: 'm', fix: 'f' }

  it('is each field that it lacks', () => {
    expect(brokenBy('GET /v1/webhooks', whole)).toEqual([])
    expect(brokenBy('GET /v1/webhooks', { code: 'c', fix: '' })).toEqual(['ERR-001', 'ERR-001'])
    expect(brokenBy('GET /v1/webhooks', undefined, 401)).toEqual(['ERR-005', 'ERR-005', 'ERR-005'])
  })

  it('is nothing where a web server refuses a NUL in the path with a page of its own', () => {
    expect(brokenBy('DELETE /v1/webhooks/%00', undefined)).toEqual([])
    expect(brokenBy('DELETE /v1/webhooks/%00', { code: 'c' })).toEqual(['ERR-001', 'ERR-001'])
  })
})
