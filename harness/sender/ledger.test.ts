import { describe, expect, it } from 'vitest'
import { ownScheme } from '../schemes/scheme.js'
import { status, type Answer } from '../sink/answer.js'
import { Attempt } from '../sink/attempt.js'
import { Ledger } from './ledger.js'

/** An attempt of the event `id`, and what it was answered with. */
function attemptOf(
  id: string,
  signedAt: number,
  indent = 0,
): { readonly attempt: Attempt; readonly answers: Answer[] } {
  const answers: Answer[] = []
  const body = JSON.stringify({ id, type: 'message.received', data: { message_id: `msg_${id}` } }, null, indent)
  const record = {
    method: 'POST',
    path: '/webhooks',
    rawHeaders: ['webhook-id', id, 'webhook-timestamp', String(signedAt), 'webhook-signature', `v1,${signedAt}`],
    bodyBase64: Buffer.from(body).toString('base64'),
    arrivedAt: Date.now(),
  }
  return {
    attempt: Attempt.received(record, { answer: undefined, send: (answer) => void answers.push(answer) }),
    answers,
  }
}

/** Returns a ledger with the event `evt_1` triggered, and its first attempt answered with `answer`. */
function afterFirst(answer: Answer) {
  const ledger = new Ledger({ scheme: ownScheme, idField: 'id' })
  const want = () => ledger.want({ type: 'message.received', answers: () => [answer, status(200)], mark: 'moved' })
  want()
  ledger.take(attemptOf('evt_1', 1).attempt)
  ledger.unwant()
  return { ledger, want }
}

describe('an attempt that arrives while the case waits for another event', () => {
  it('is a retry of the event it carries, though no case watches that event any more', () => {
    const { ledger, want } = afterFirst(status(500))
    ledger.events[0]?.release()
    want()
    const retry = attemptOf('evt_1', 6)
    ledger.take(retry.attempt)
    expect(ledger.events.map(({ seen }) => seen.length)).toEqual([2])
    expect(retry.answers).toEqual([status(200)])
    ledger.take(attemptOf('evt_2', 7).attempt)
    expect(ledger.found?.seen.map(({ values }) => values.id)).toEqual(['evt_2'])
    ledger.unwant()
  })

  it('is held where its event has succeeded: the id may be used twice', () => {
    const { ledger, want } = afterFirst(status(200))
    ledger.events[0]?.release()
    want()
    const again = attemptOf('evt_1', 6)
    ledger.take(again.attempt)
    expect(ledger.events.map(({ seen }) => seen.length)).toEqual([1])
    expect(again.answers).toEqual([])
    ledger.unwant()
  })

  it('is a retry where it is of another type than the one that is wanted, written anew or not', () => {
    const { ledger } = afterFirst(status(500))
    ledger.want({ type: 'sending.paused', answers: () => [status(200)], mark: 'moved' })
    ledger.take(attemptOf('evt_1', 6, 2).attempt)
    expect(ledger.events.map(({ seen }) => seen.length)).toEqual([2])
    ledger.unwant()
  })
})

describe('a request whose connection ended without an answer', () => {
  const reset: Answer = { kind: 'reset' }

  it('is not counted twice where it arrives again at once, signed at the same second', () => {
    const { ledger } = afterFirst(reset)
    const again = attemptOf('evt_1', 1)
    ledger.take(again.attempt)
    expect(ledger.events.map(({ seen }) => seen.length)).toEqual([1])
    expect(again.answers).toEqual([reset])
  })

  it('is another one where it arrives a third time, or is signed anew', () => {
    const { ledger } = afterFirst(reset)
    for (const signedAt of [1, 1]) ledger.take(attemptOf('evt_1', signedAt).attempt)
    expect(ledger.events.map(({ seen }) => seen.length)).toEqual([2])
    const anew = afterFirst(reset).ledger
    anew.take(attemptOf('evt_1', 2).attempt)
    expect(anew.events.map(({ seen }) => seen.length)).toEqual([2])
  })
})
