import { senderPolicy } from '../../../reference/sender/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { body, headers, signed } = senderPolicy

/** Deviations in what an attempt carries: method, url, headers, signature and body. */
export const contents: readonly Mutant<'sender'>[] = [
  defineMutant({ id: 'sender/uses-put', title: 'deliveries are PUTs', breaks: ['SDR-001'], policy: { method: 'PUT' } }),
  defineMutant({
    id: 'sender/sends-no-id',
    title: 'the header webhook-id is missing',
    breaks: ['SDR-002'],
    policy: { headers: (three) => headers(without(three, 'webhook-id')) },
  }),
  defineMutant({
    id: 'sender/sends-no-timestamp',
    title: 'the header webhook-timestamp is missing',
    breaks: ['SDR-002'],
    policy: { headers: (three) => headers(without(three, 'webhook-timestamp')) },
  }),
  defineMutant({
    id: 'sender/sends-milliseconds',
    title: 'the timestamp is in milliseconds',
    breaks: ['SDR-003'],
    policy: { headerTimestamp: ({ now }) => String(now) },
  }),
  defineMutant({
    id: 'sender/signs-with-a-slow-clock',
    title: 'the timestamp is six minutes old',
    breaks: ['SDR-003'],
    policy: { headerTimestamp: ({ now }) => String(Math.floor(now / 1000) - 360) },
  }),
  defineMutant({
    id: 'sender/writes-local-time-as-utc',
    title: 'writes the timestamp of a zone nine hours ahead with a Z',
    breaks: ['SDR-008'],
    policy: {
      body: (facts) => {
        const local = new Date(Date.parse(facts.event.timestamp) + 9 * 3_600_000).toISOString()
        return body({ ...facts, event: { ...facts.event, timestamp: local } })
      },
    },
  }),
  defineMutant({
    id: 'sender/writes-the-time-of-new-york-as-utc',
    title: 'writes the timestamp of a zone five hours west with a Z',
    breaks: ['SDR-008'],
    policy: {
      body: (facts) => {
        const local = new Date(Date.parse(facts.event.timestamp) - 5 * 3_600_000).toISOString()
        return body({ ...facts, event: { ...facts.event, timestamp: local } })
      },
    },
  }),
  defineMutant({
    id: 'sender/writes-no-version',
    title: 'the signature has no version prefix',
    breaks: ['SDR-004'],
    policy: { signature: (mac) => mac },
  }),
  defineMutant({
    id: 'sender/writes-hex',
    title: 'the signature is hexadecimal',
    breaks: ['SDR-004'],
    policy: { signature: (mac) => `v1,${Buffer.from(mac, 'base64').toString('hex')}` },
  }),
  defineMutant({
    id: 'sender/joins-entries-with-commas',
    title: 'separates two entries with a comma',
    breaks: ['SDR-004'],
    policy: { signature: (mac) => `v1,${mac},v1,${mac}` },
  }),
  defineMutant({
    id: 'sender/signs-the-body-alone',
    title: 'only the body is signed',
    breaks: ['SDR-005'],
    policy: { signed: ({ body: text }) => text },
  }),
  defineMutant({
    id: 'sender/signs-without-the-id',
    title: 'the id is not signed',
    breaks: ['SDR-005'],
    policy: { signed: ({ timestamp, body: text }) => `${timestamp}.${text}` },
  }),
  defineMutant({
    id: 'sender/uses-the-secret-as-text',
    title: 'the key is the text of the secret',
    breaks: ['SDR-005'],
    policy: { key: (secret) => Buffer.from(secret) },
  }),
  defineMutant({
    id: 'sender/signs-another-spelling',
    title: 'the body is written again after it was signed',
    breaks: ['SDR-005'],
    policy: { signed: (parts) => signed({ ...parts, body: JSON.stringify(JSON.parse(parts.body), null, 1) }) },
  }),
  defineMutant({
    id: 'sender/names-the-delivery',
    title: 'webhook-id is that of the delivery, not of the event',
    breaks: ['SDR-006'],
    policy: { headerId: ({ event }) => event.id.replace('evt_', 'dlv_') },
  }),
  defineMutant({
    id: 'sender/has-one-id-for-all',
    title: 'every event has the same id',
    breaks: ['SDR-007'],
    policy: {
      headerId: () => 'evt_1',
      body: (facts) => body({ ...facts, event: { ...facts.event, id: 'evt_1' } }),
    },
  }),
  defineMutant({
    id: 'sender/cuts-milliseconds',
    title: 'the timestamp in the body has no milliseconds',
    breaks: ['SDR-008'],
    policy: {
      body: (facts) =>
        body({ ...facts, event: { ...facts.event, timestamp: facts.event.timestamp.replace(/\.\d+/, '') } }),
    },
  }),
  defineMutant({
    id: 'sender/sends-a-form',
    title: 'the body is a form',
    breaks: ['SDR-009'],
    policy: { body: ({ event }) => new URLSearchParams({ id: event.id, type: event.type }).toString() },
  }),
  defineMutant({
    id: 'sender/begins-with-a-mark',
    title: 'sends and signs a byte order mark before the JSON',
    breaks: ['SDR-009'],
    policy: { body: (facts) => `\uFEFF${body(facts)}` },
  }),
  defineMutant({
    id: 'sender/says-no-content-type',
    title: 'the content type is missing',
    breaks: ['SDR-010'],
    policy: { headers: (three) => three },
  }),
  defineMutant({
    id: 'sender/forgets-the-recipient',
    title: 'events of a delivery lack the recipient',
    breaks: ['SDR-013', 'SDR-014', 'SDR-015', 'SDR-016', 'SDR-017'],
    policy: {
      body: (facts) => body({ ...facts, event: { ...facts.event, data: without(facts.event.data, 'recipient') } }),
    },
  }),
  defineMutant({
    id: 'sender/forgets-the-subject',
    title: 'events of a message lack the subject',
    breaks: ['SDR-011', 'SDR-012'],
    policy: {
      body: (facts) => body({ ...facts, event: { ...facts.event, data: without(facts.event.data, 'subject') } }),
    },
  }),
  defineMutant({
    id: 'sender/forgets-the-status',
    title: 'events of the workspace lack its status',
    breaks: ['SDR-018', 'SDR-019'],
    policy: {
      body: (facts) => body({ ...facts, event: { ...facts.event, data: without(facts.event.data, 'status') } }),
    },
  }),
  defineMutant({
    id: 'sender/calls-every-event-received',
    title: 'every event has the type message.received, whatever its data',
    breaks: ['SDR-011'],
    policy: { body: (facts) => body({ ...facts, event: { ...facts.event, type: 'message.received' } }) },
  }),
]

function without<Value>(fields: Readonly<Record<string, Value>>, name: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
}
