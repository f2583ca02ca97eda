import { randomUUID } from 'node:crypto'
import {
  createdAtMember,
  dataMember,
  idMember,
  orgMember,
  timestampMember,
  typeMember,
} from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Ids from a counter of the server's own, from 1. */
function counter(name: (number: number) => string): () => string {
  let number = 0
  return () => name(++number)
}

/** Deviations in polling. */
export const pollingMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/numbers-ids-without-padding',
    title: 'ids are numbers compared as text, so the tenth sorts before the second',
    breaks: ['POL-010', 'POL-001', 'POL-003', 'POL-008'],
    policy: { eventId: counter((number) => `evt_${number}`) },
  }),
  defineMutant({
    id: 'server/makes-random-ids',
    title: 'ids are random, and lists are ordered by them',
    breaks: ['POL-010', 'POL-001', 'POL-003', 'POL-008'],
    policy: { eventId: () => `evt_${randomUUID()}` },
  }),
  defineMutant({
    id: 'server/orders-ids-by-the-second',
    title: 'ids begin with the second, so events of one second have no order',
    breaks: ['POL-010', 'POL-001', 'POL-003', 'POL-008'],
    policy: { eventId: () => `evt_${Math.floor(Date.now() / 1000)}${randomUUID().slice(0, 8)}` },
  }),
  defineMutant({
    id: 'server/counts-ids-down',
    title: 'a newer event has a smaller id',
    breaks: ['POL-010', 'POL-001', 'POL-003'],
    policy: { eventId: (sequence) => `evt_${String(Number.MAX_SAFE_INTEGER - sequence).padStart(16, '0')}` },
  }),
  defineMutant({
    id: 'server/polls-twenty',
    title: 'the default page of events has 20',
    breaks: ['POL-004'],
    policy: { pollDefaultLimit: 20 },
  }),
  defineMutant({
    id: 'server/polls-a-hundred',
    title: 'the default page of events has 100',
    breaks: ['POL-004'],
    policy: { pollDefaultLimit: 100 },
  }),
  defineMutant({
    id: 'server/polls-at-most-fifty',
    title: 'limit of the list of events is at most 50',
    breaks: ['POL-005', 'POL-006'],
    policy: { pollMaxLimit: 50 },
  }),
  defineMutant({
    id: 'server/polls-any-number',
    title: 'limit of the list of events has no maximum',
    breaks: ['POL-006'],
    policy: { pollMaxLimit: 100_000 },
  }),
  defineMutant({
    id: 'server/answers-events-and-cursor',
    title: 'the fields of a page have other names',
    breaks: ['POL-007'],
    policy: {
      pollEnvelope: (rows, next) => `{"events":[${rows}],"cursor":${JSON.stringify(next) ?? 'null'}}`,
    },
  }),
  defineMutant({
    id: 'server/answers-without-a-cursor',
    title: 'next_after is always null',
    breaks: ['POL-007', 'POL-008'],
    policy: { nextAfter: () => null },
  }),
  defineMutant({
    id: 'server/polls-timestamp',
    title: 'events of the list have timestamp instead of created_at',
    breaks: ['POL-009'],
    policy: {
      pollMembers: [idMember, typeMember, orgMember, timestampMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/polls-without-org',
    title: 'events of the list have no org_id',
    breaks: ['POL-009'],
    policy: {
      pollMembers: [idMember, typeMember, createdAtMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/polls-timestamp-too',
    title: 'events of the list have timestamp as well as created_at',
    breaks: ['POL-009'],
    policy: {
      pollMembers: [idMember, typeMember, orgMember, createdAtMember, timestampMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/numbers-events-from-20',
    title: 'ids are decimals without leading zeros, so the hundredth sorts first',
    breaks: ['POL-010', 'POL-001'],
    policy: { eventId: counter((number) => `evt_${number + 19}`) },
  }),
]
