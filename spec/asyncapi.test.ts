// Compares spec/asyncapi.yaml with the other descriptions of deliveries and frames. `npm run check:asyncapi` parses it with the parser of
// AsyncAPI.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { loadEventSamples } from '../fixtures/index.js'
import { eventTypes } from './constants.js'
import { asyncapiDocument, openapiDocument, type JsonObject } from './generated/documents.js'

/** What a path of names leads to. */
function at(document: unknown, ...names: readonly string[]): JsonObject {
  return names.reduce<JsonObject>((value, name) => value[name] as JsonObject, document as JsonObject)
}

/** What a reference of the document leads to. */
function resolved(reference: unknown): JsonObject {
  return at(asyncapiDocument, ...String(at(reference, '$ref')).slice(2).split('/'))
}

const messagesOf = (channel: string) =>
  Object.values(at(asyncapiDocument, 'channels', channel, 'messages')).map(resolved)
const types = Object.keys(eventTypes)

it('every reference leads somewhere within it', () => {
  const references = [...JSON.stringify(asyncapiDocument).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  expect(references.length).toBeGreaterThan(60)
  for (const ref of references) {
    expect(ref).toMatch(/^#\//)
    expect(at(asyncapiDocument, ...ref.slice(2).split('/')), ref).toBeDefined()
  }
})

describe.each(['stream', 'deliveries'])('the channel %s', (channel) => {
  it('has every event type, and those that are not listed', () => {
    expect(messagesOf(channel).map((message) => message['name'])).toEqual([...types, 'other'])
  })

  it('has bodies that take the samples, each of its own type alone', () => {
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema(asyncapiDocument, 'asyncapi')
    const samples = loadEventSamples()
    expect(samples.length).toBeGreaterThan(8)
    for (const message of messagesOf(channel)) {
      const validate = ajv.compile({ $ref: `asyncapi${String(at(message['payload'], '$ref'))}` })
      for (const event of samples) {
        const { type } = event
        const isOwn = type === message['name'] || (message['name'] === 'other' && !types.includes(type))
        expect(validate(event), `${String(message['name'])}: ${JSON.stringify(event)}`).toBe(isOwn)
      }
    }
  })
})

it('deliveries carry the headers that the OpenAPI document gives them, frames none', () => {
  const reported = at(asyncapiDocument, 'components', 'messageTraits', 'signed', 'headers')
  const parameters = at(openapiDocument, 'webhooks', 'event', 'post')['parameters'] as readonly JsonObject[]
  const patterns = parameters.map((parameter) => [parameter['name'], at(parameter, 'schema')['pattern']])
  expect(Object.entries(at(reported, 'properties')).map(([name, property]) => [name, at(property)['pattern']])).toEqual(
    patterns,
  )
  expect(reported['required']).toEqual(patterns.map(([name]) => name))
  for (const message of messagesOf('deliveries')) expect(message['traits']).toHaveLength(1)
  for (const message of messagesOf('stream')) expect(message['traits']).toBeUndefined()
})

it('the stream is where the OpenAPI document has it, with its parameters', () => {
  const stream = at(asyncapiDocument, 'channels', 'stream')
  const operation = at(openapiDocument, 'paths', String(stream['address']), 'get')
  expect(operation).toBeDefined()
  expect(Object.keys(at(stream, 'bindings', 'ws', 'query', 'properties')).toSorted()).toEqual(['after', 'token'])
})
