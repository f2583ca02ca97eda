// VFY-016  "A verified delivery returns the parsed event."
//
// Reading: a value keeps its JSON type, even if it looks like another one. The texts are in fields where an event has a text, and
// everything else in `stats`, whose type is not shown; a library with types of its own need not keep members that the interface does not
// have, nor those that are null.

import { instantOf, memberOf, verifierCase } from '../../harness/authoring.js'
import { blanks, controls, plainTexts } from '../shared/texts.js'
import { decides, delivery } from './deliveries.js'

const texts = [...plainTexts, ...blanks, ...controls, 'one\u0000two', 'Long. '.repeat(2_000)]

/** What an object of any members may hold. */
const stats = {
  numbers: [-1, -0.5, 3_000_000_000, 1e-7, 1_700_000_000_123],
  lists: [[], [[]], [[1], [2]], ['a', 'a'], ['b', 'a'], ['one'], [true, 'true', 1, '1']],
  object: { '': 'no name', 'a.b': 1, 'a-b': 2, Upper: 3, _a: 4 },
  deep: { a: { a: { a: { a: { a: { a: { a: { a: ['deep'] } } } } } } } },
} as const

/** Objects that are lists to a language which has one thing for both. */
const objectsLikeLists = { none: {}, inList: [{}], numbered: { '0': 'a', '1': 'b' } } as const

const paused = {
  workspace_id: 'wsp_1',
  status: 'paused',
  reason: 'none',
  paused_at: '2026-01-02T03:04:05.678Z',
} as const

const message = { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', to: ['bob@recipient.example'], cc: [] }

const handedOver = {
  message_id: 'msg_1',
  inbox_id: 'ibx_1',
  thread_id: 'thr_1',
  recipient: 'bob@recipient.example',
  response: '250 OK',
  bounce_classification: null,
  permanent: false,
  status: 'delivered',
}

/** Values around the data: ids in usual formats, moments with a zero part. */
const heads = [
  { type: 'message.delivered', mark: (mark: string) => mark.toUpperCase(), timestamp: '2026-01-02T03:04:05.000Z' },
  { type: 'message.deferred', mark: (mark: string) => `00-${mark}`, timestamp: '2026-12-31T23:59:59.999Z' },
  { type: 'message.complained', mark: (mark: string) => `${mark}_aB`, timestamp: '2026-01-02T00:00:00.100Z' },
  { type: 'message.failed', mark: (mark: string) => `${mark}-evt_1`, timestamp: '2024-02-29T12:00:00.001Z' },
] as const

export const values = [
  verifierCase({
    id: 'verifier/state/returns-what-stands-around-the-data',
    requirements: ['VFY-016'],
    level: 'must',
    title: 'id and type are returned unchanged, and the timestamp is the same moment',
    async run({ verify, check, unique, skip }) {
      for (const { type, mark, timestamp } of heads) {
        const id = `evt_${mark(unique())}`
        const payload = Buffer.from(JSON.stringify({ id, type, timestamp, data: handedOver }))
        const verdict = await verify(delivery(unique(), { id, payload }))
        decides(check, verdict, { due: 'accepted', what: `verdict on ${type}` })
        if (verdict.kind !== 'accepted') return
        if (verdict.event == null) skip('the driver returns no event: it answers "ok" alone')
        const reported = ['id', 'type'].map((name) => memberOf(verdict.event, name))
        check.equal(`id and type of ${type}`, reported, [id, type])
        // A library with date objects for texts may write them differently.
        const moment = instantOf(memberOf(verdict.event, 'timestamp'))
        check.equal(`timestamp of ${type}`, moment, Date.parse(timestamp))
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/returns-values-that-look-like-others',
    requirements: ['VFY-016'],
    level: 'must',
    title: 'strings that look like numbers or JSON stay strings; numbers, lists and objects keep their types',
    async run({ verify, check, unique, skip }) {
      const events = [
        ...texts.map((subject) => ({
          type: 'message.queued',
          data: { ...message, subject },
          name: 'subject' as const,
        })),
        {
          type: 'message.received',
          data: { ...message, from: 'Ada <Ada@Sender.example>', subject: '' },
          name: 'from' as const,
        },
        {
          type: 'sending.paused',
          data: { ...paused, stats },
          name: 'stats' as const,
        },
      ]
      for (const { type, data, name } of events) {
        const id = `evt_${unique()}`
        const payload = Buffer.from(JSON.stringify({ id, type, timestamp: '2026-01-02T03:04:05.678Z', data }))
        const verdict = await verify(delivery(unique(), { id, payload }))
        const given = memberOf(data, name)
        const what = `${name} ${(JSON.stringify(given) ?? '').slice(0, 60)} of ${type}`
        decides(check, verdict, { due: 'accepted', what: `verdict on ${what}` })
        if (verdict.kind !== 'accepted') return
        if (verdict.event == null) skip('the driver returns no event: it answers "ok" alone')
        check.equal(what, memberOf(memberOf(verdict.event, 'data'), name), given)
      }
    },
  }),

  verifierCase({
    id: 'verifier/state/returns-objects-like-lists-as-objects',
    requirements: ['VFY-016'],
    // A language with one type for a list and for an object without names cannot distinguish them.
    level: 'should',
    title: 'an object without members, and one whose names are numbers, are returned as objects',
    async run({ verify, check, require, unique, skip }) {
      const data = { ...paused, stats: objectsLikeLists }
      const event = { id: `evt_${unique()}`, type: 'sending.paused', timestamp: '2026-01-02T03:04:05.678Z', data }
      const verdict = await verify(delivery(unique(), { id: event.id, payload: Buffer.from(JSON.stringify(event)) }))
      decides(require, verdict, { due: 'accepted', what: 'verdict' })
      if (verdict.kind !== 'accepted') return
      if (verdict.event == null) skip('the driver returns no event: it answers "ok" alone')
      check.equal('stats', memberOf(memberOf(verdict.event, 'data'), 'stats'), objectsLikeLists)
    },
  }),
]
