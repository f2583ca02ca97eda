import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import SwaggerParser from '@apidevtools/swagger-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { dataFields, eventTypes, openPoints, pausedFields, requirements } from './index.js'
import { controlDocument, openapiDocument, type JsonObject } from './generated/documents.js'

const ajv = new Ajv2020({ strict: false })
ajv.addSchema(openapiDocument, 'interface').addSchema(controlDocument, 'control')

/** Whether a value satisfies a component schema. */
function isValid(component: string, value: unknown, document = 'interface'): boolean {
  return ajv.compile({ $ref: `${document}#/components/schemas/${component}` })(value)
}

/** Every value of a member called `name`, anywhere in a document. */
function membersCalled(name: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...membersCalled(name, value),
  ])
}

const at = '2026-01-01T00:00:00.000Z'
const ids = { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1' }
const delivery = { ...ids, recipient: 'a@b.example', response: null, bounce_classification: null, permanent: false }
const samples: Readonly<Record<keyof typeof eventTypes, JsonObject>> = {
  'message.received': { ...ids, from: { address: 'a@b.example' }, subject: null },
  'message.queued': { ...ids, inbox_id: null, thread_id: null, to: 'a@b.example', cc: [], subject: 's' },
  'message.delivered': { ...delivery, status: 'delivered' },
  'message.deferred': { ...delivery, status: 'deferred' },
  'message.bounced': { ...delivery, status: 'bounced' },
  'message.complained': { ...delivery, status: 'complained' },
  'message.failed': { ...delivery, status: 'failed' },
  'sending.paused': { workspace_id: 'w', status: 'paused', reason: 'r', paused_at: at, stats: {} },
  'sending.resumed': { workspace_id: 'w', status: 'active' },
}
const sampleEvents = Object.entries(samples).map(([type, data]) => ({ id: 'evt_1', type, timestamp: at, data }))
const polledForm = ({ timestamp, ...rest }: (typeof sampleEvents)[number]) => ({
  ...rest,
  org_id: 'o',
  created_at: timestamp,
})

const verbs = [
  ['createWebhook', 'listWebhooks', 'deleteWebhook', 'listDeliveries', 'replayDelivery', 'pollEvents', 'streamEvents'],
  ['sendEmail', 'sendBatch', 'getEmail', 'listEmails', 'updateEmail', 'cancelEmail'],
].flat()

describe('the documents', () => {
  it.each([
    ['openapi.yaml', openapiDocument],
    ['control.yaml', controlDocument],
  ])('%s is valid OpenAPI and its operation ids are unique', async (_, document) => {
    await SwaggerParser.validate(structuredClone(document) as never)
    const operationIds = membersCalled('operationId', document)
    expect(operationIds.length).toBeGreaterThan(7)
    expect(new Set(operationIds).size).toBe(operationIds.length)
  })

  it('openapi.yaml has the verbs used in code', () => {
    expect(membersCalled('operationId', openapiDocument['paths']).sort()).toEqual(verbs.sort())
  })

  it('generated files are fresh', async () => {
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL('generate.js', import.meta.url)), '--check'])
  })

  it('name requirements, open points and headings that exist', () => {
    const named = membersCalled('x-requirement', openapiDocument)
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((id) => !Object.hasOwn(requirements, String(id)))).toEqual([])
    const open = membersCalled('x-open-point', openapiDocument)
    expect(open.filter((id) => !Object.hasOwn(openPoints, String(id)))).toEqual([])
    const headings = readFileSync(new URL('interface.md', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .map(anchorOf)
    const sources = JSON.stringify(openapiDocument).match(/(?<=Source:? |, )#[a-z-]+/g) ?? []
    expect(sources.length).toBeGreaterThan(20)
    expect(sources.filter((anchor) => !headings.includes(anchor))).toEqual([])
  })
})

describe('events', () => {
  it.each(sampleEvents)('$type has a schema of its own, pushed and polled', (event) => {
    expect(isValid('Event', event)).toBe(true)
    expect(isValid('PolledEvent', polledForm(event))).toBe(true)
    const mapping = membersCalled('mapping', openapiDocument)[0] as Record<string, string>
    const component = mapping[event.type]?.split('/').at(-1) ?? ''
    expect(isValid(component, event)).toBe(true)
    expect(isValid(component, { ...event, type: 'message.other' })).toBe(false)
  })

  it.each(sampleEvents)('$type needs every field of its data kind', (event) => {
    const type = event.type as keyof typeof eventTypes
    const fields = [...dataFields[eventTypes[type]], ...(type === 'sending.paused' ? pausedFields : [])]
    // Whether a message without a copy has `cc`, one of no inbox or thread their ids, and one that did not bounce a classification, is not shown.
    const mayLack = [
      'cc',
      ...(type === 'message.received' ? [] : ['inbox_id', 'thread_id']),
      ...(type === 'message.bounced' ? [] : ['bounce_classification']),
    ]
    for (const field of fields.filter((field) => !mayLack.includes(field))) {
      const data = Object.fromEntries(Object.entries(event.data).filter(([name]) => name !== field))
      expect(isValid('Event', { ...event, data }), field).toBe(false)
      expect(isValid('PolledEvent', polledForm({ ...event, data })), field).toBe(false)
    }
  })

  it.each(['id', 'type', 'timestamp', 'data'])('%s is required', (field) => {
    for (const event of sampleEvents) {
      const partial = Object.fromEntries(Object.entries(event).filter(([name]) => name !== field))
      expect(isValid('Event', partial)).toBe(false)
    }
  })

  it('leaves unknown types and unknown fields open', () => {
    expect(isValid('Event', { id: 'evt_1', type: 'message.scheduled', timestamp: at, data: {} })).toBe(true)
    expect(isValid('PolledEvent', { id: 'evt_1', type: 'x', org_id: 'o', created_at: at, data: {} })).toBe(true)
    for (const event of sampleEvents) {
      expect(isValid('Event', { ...event, extra: 1, data: { ...event.data, extra: 1 } })).toBe(true)
    }
  })

  it('takes a reason instead of the delivery fields from message.failed alone', () => {
    const failed = { id: 'evt_1', type: 'message.failed', timestamp: at, data: { reason: 'refused' } }
    expect(isValid('Event', failed)).toBe(true)
    expect(isValid('Event', { ...failed, data: { reason: 'refused', ...ids } })).toBe(true)
    expect(isValid('Event', { ...failed, data: {} })).toBe(false)
    expect(isValid('Event', { ...failed, type: 'message.bounced' })).toBe(false)
  })

  it.each([
    ['2026-01-01T00:00:00.000+00:00', true],
    ['2026-01-01T00:00:00Z', false],
    ['2026-01-01T00:00:00.000000Z', false],
    ['2026-01-01T01:00:00.000+01:00', false],
    [1_767_225_600, false],
  ])('timestamp %s', (timestamp, expected) => {
    expect(isValid('Event', { ...sampleEvents[0], timestamp })).toBe(expected)
  })

  const folder = new URL('../fixtures/events/', import.meta.url)
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  it('every sample of fixtures/events validates, and each of the nine types has one', () => {
    const read = files.flatMap((name): JsonObject[] => {
      const value: unknown = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
      return Array.isArray(value) ? value : [value as JsonObject]
    })
    expect(read.filter((event) => !isValid('Event', event))).toEqual([])
    expect([...new Set(read.map((event) => event['type']))]).toEqual(expect.arrayContaining(Object.keys(eventTypes)))
  })
})

describe('answers', () => {
  const created = { id: 'whk_1', url: 'u', event_types: [], inbox_id: null, secret: 'whsec_c2VjcmV0' }
  it.each([
    [{}, true],
    [{ extra: true, event_types: ['*'], inbox_id: 'ibx_1', secret: 'whsec_YWJj+/==' }, true],
    [{ id: 'wh_1' }, false],
    [{ secret: 'whsec_' }, false],
    [{ secret: 'c2VjcmV0' }, false],
    [{ secret: undefined }, false],
    [{ inbox_id: undefined }, false],
    [{ event_types: null }, false],
  ])('created webhook with %j', (change, expected) => {
    expect(isValid('CreatedWebhook', JSON.parse(JSON.stringify({ ...created, ...change })))).toBe(expected)
  })

  it.each([
    [{ id: 'd', status: 'pending', attempt: 0 }, true],
    [{ id: 'd', status: 'failed', attempt: 7, response_code: null, next_attempt_at: null, replay_of: null }, true],
    [{ id: 'd', status: 'done', attempt: 1 }, false],
    [{ id: 'd', status: 'pending' }, false],
    [{ id: 'd', status: 'pending', attempt: '1' }, false],
    [{ id: 'd', status: 'pending', attempt: 1, response_body_snippet: '\u{1F600}'.repeat(500) }, true],
    [{ id: 'd', status: 'pending', attempt: 1, response_body_snippet: 'x'.repeat(501) }, false],
  ])('delivery %#', (delivered, expected) => {
    expect(isValid('Delivery', delivered)).toBe(expected)
  })

  const fields = { code: 'c', message: 'm', fix: 'f' }
  it.each([
    [fields, true],
    [{ error: { ...fields, status: 400 } }, true],
    [{ ...fields, code: 'invalid_batch', errors: [{ index: 0 }] }, true],
    [{ error: 'bad', message: 'm' }, false],
    [{ code: 'c', error: { message: 'm', fix: 'f' } }, false],
    [[fields], false],
  ])('error %j', (body, expected) => {
    expect(isValid('Error', body)).toBe(expected)
  })

  const [event] = sampleEvents.map(polledForm)
  it.each([
    [{ data: [event], next_after: 'evt_1' }, true],
    [{ data: [], next_after: null }, true],
    [{ data: [] }, true],
    [{ data: [event] }, false],
    [{ data: [event], next_after: null }, false],
    [{ next_after: 'evt_1' }, false],
    [{ data: [{ ...event, org_id: undefined }], next_after: 'evt_1' }, false],
  ])('page %#', (page, expected) => {
    expect(isValid('EventPage', JSON.parse(JSON.stringify(page)))).toBe(expected)
  })

  it('workspace of the control interface', () => {
    const inbox = { id: 'ibx_1', address: 'a@b.example', api_key: 'k' }
    const project = { org_id: 'o', api_key: 'k', domain: 'b.example', inboxes: [inbox] }
    expect(isValid('Workspace', { workspace_id: 'w', projects: [project] }, 'control')).toBe(true)
    expect(isValid('Workspace', { workspace_id: 'w', projects: [] }, 'control')).toBe(false)
  })
})

/** The anchor of a Markdown heading, as code hosts make it. */
function anchorOf(line: string): string {
  const words = line.replace(/^#+ /, '').toLowerCase()
  return `#${words.replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-')}`
}
