import { asText } from '../wire/json.js'
import { memberOf } from '../wire/exchange.js'
import type { Vector } from './vector.js'

/** The members of a test in the order of the format; a line of ndjson has `secret` too. */
const members = ['id', 'comment', 'flags', 'now', 'headers', 'payload_base64', 'result'] as const

const rules: Readonly<Record<(typeof members)[number], readonly [what: string, holds: (value: unknown) => boolean]>> = {
  id: ['a positive whole number', (value) => Number.isSafeInteger(value) && Number(value) >= 1],
  comment: ['a string', (value) => typeof value === 'string'],
  flags: ['a list of one or more strings', (value) => isTextList(value) && value.length > 0],
  now: ['a whole number of seconds', (value) => Number.isSafeInteger(value)],
  headers: ['an object of strings', (value) => isObject(value) && isTextList(Object.values(value))],
  payload_base64: ['base64', (value) => typeof value === 'string' && isBase64(value)],
  result: ['valid, invalid or acceptable', (value) => ['valid', 'invalid', 'acceptable'].includes(asText(value))],
}

/** Returns the faults in the form of a test, by the rules of fixtures/schemas/signature-vectors.schema.json. */
export function formProblems(test: unknown, extraMembers: readonly string[] = []): string[] {
  if (!isObject(test)) return ['it is not a JSON object']
  const wrong = members.filter((name) => !rules[name][1](memberOf(test, name)))
  const known: readonly string[] = [...members, ...extraMembers]
  const unknown = Object.keys(test).filter((name) => !known.includes(name))
  return [
    ...wrong.map((name) => `"${name}" is not ${rules[name][0]}`),
    ...unknown.map((name) => `"${name}" is not a member of a test`),
  ]
}

/** A test whose form is right. */
export function isVector(test: unknown, extraMembers: readonly string[] = []): test is Vector {
  return formProblems(test, extraMembers).length === 0
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}

function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text
}
