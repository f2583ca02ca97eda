import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { diagnose } from './diagnose.js'
import { readRequest } from './request.js'

const secret = 'whsec_cmVwb3J0cy1yZXBvcnRzLXJlcG9ydHMtcmVwb3J0cyE='

function diagnoseFile(name: string) {
  const request = readRequest(readFileSync(new URL(`../../fixtures/diagnose/${name}.http`, import.meta.url)))
  return diagnose(request, { secrets: [secret], now: 1_790_000_000 })
}

it.each([
  ['blank-after-comma', 'signature-format', 'a blank follows the comma'],
  ['date-zeros-trimmed', 'body-rewritten', '3 digits after the second'],
  ['escape-in-capitals', 'body-rewritten', 'control characters as escapes in capitals'],
  ['escape-javascript', 'body-encoded', 'backslashes before them'],
  ['go-sum-of-body', 'hash', 'Sum of Go appends'],
  ['signed-as-json-string', 'body-encoded', 'JSON once more'],
  ['signed-as-jsonb', 'body-rewritten', 'jsonb of Postgres'],
  ['slash-and-ampersand', 'body-rewritten', 'slashes escaped, & as'],
])('a request with %s is explained by %s alone', (name, cause, words) => {
  const { verifies, causes, notes } = diagnoseFile(name)
  expect(verifies).toBe(false)
  expect(causes.map((found) => found.cause)).toEqual([cause])
  expect(causes[0]?.explanation).toContain(words)
  expect(notes).toEqual([])
})

it('a Content-Length in characters is a note, not a cause', () => {
  const { verifies, notes } = diagnoseFile('sniffed-on-the-wire')
  expect(verifies).toBe(true)
  expect(notes).toEqual([expect.stringContaining('it counts characters, not bytes')])
})

it('other entries and a second family of headers are notes', () => {
  const request = readRequest(
    readFileSync(new URL('../../fixtures/diagnose/sniffed-on-the-wire.http', import.meta.url)),
  )
  const headers = request.headers.map(([name, value]) =>
    name === 'webhook-signature' ? ([name, `v1,AAAA ${value}`] as const) : ([name, value] as const),
  )
  const odd = { ...request, headers: [...headers, ['svix-signature', 'v1,x'] as const] }
  const { verifies, notes } = diagnose(odd, { secrets: [secret], now: 1_790_000_000 })
  expect(verifies).toBe(true)
  expect(notes.join('\n')).toMatch(/2 entries[^]*also has svix-signature/)
})
