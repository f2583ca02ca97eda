// Endless files and endless lines, wherever a user names a file: little memory, and one clear line.
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { execute } from '../../harness/testing/hostile/command.js'
import { commandHere } from '../testing/command.js'
import { expectPlainError, maxMb } from './testing/intact-run.js'

const limit = { timeout: 120_000 }
const folder = mkdtempSync(join(tmpdir(), 'bounded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const megabyte = 1024 * 1024

/** Writes a file with `start` and this many megabytes of one character. */
function long(name: string, start: string, character: string, megabytes: number): string {
  const path = join(folder, name)
  const descriptor = openSync(path, 'w')
  writeSync(descriptor, start)
  const piece = Buffer.alloc(megabyte, character)
  for (let count = 0; count < megabytes; count++) writeSync(descriptor, piece)
  closeSync(descriptor)
  return path
}

it.each([
  [
    'an endless file',
    () => '/dev/zero',
    /^line 1: the line has more than \d+ bytes: not a file of signature vectors\n/,
  ],
  ['a line of 200 MB', () => long('line.ndjson', '{"', 'x', 200), /^line 1: the line has more than \d+ bytes/],
  [
    'a document of 200 MB',
    () => long('document.json', '{"schema":"signature-vectors/1","groups":[', ' ', 200),
    /^a JSON document of more than \d+ bytes is too large: write it as ndjson\n/,
  ],
])('vectors check of %s', limit, async (_, path, prints) => {
  const { code, out, err, peakMb } = await execute(['vectors', 'check', path()])
  expect(out).toMatch(prints)
  expect(out.split('\n')).toHaveLength(3)
  expect(err).toBe('')
  expect(code).toBe(1)
  expect(peakMb).toBeLessThan(200)
})

it('vectors check of endless noise stops after 10,000 problems', limit, async () => {
  const { code, out, peakMb } = await execute(['vectors', 'check', '/dev/urandom'])
  expect(out).toMatch(/\n\d+ vectors, 10001 problems\n$/)
  expect(code).toBe(1)
  expect(peakMb).toBeLessThan(200)
})

const base = ['--base-url', 'http://127.0.0.1:9', '--api-key', 'key_0123456789']
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='
const zero = '/dev/zero'
const headers = join(folder, 'headers')
writeFileSync(headers, 'webhook-id: evt_1\n')

it.each([
  ['--config', ['run', '--config', zero]],
  ['--known-failures', ['run', ...base, '--known-failures', zero]],
  ['--state', ['run', ...base, '--state', zero]],
  ['--journal', ['cleanup', ...base, '--journal', zero]],
  ['--events', ['receiver', '--url', 'http://127.0.0.1:9/', '--secret', secret, '--events', zero]],
  ['--tls-cert', ['sender', '--secret', secret, '--tls-cert', zero, '--tls-key', zero]],
  ['--ca', ['serve', '--ca', zero]],
  ['--request', ['diagnose', '--secret', secret, '--request', zero]],
  ['--body', ['diagnose', '--secret', secret, '--headers', headers, '--body', zero]],
  ['--from', ['observe', '--from', zero]],
  ['report', ['report', zero]],
])('%s refuses an endless file', limit, async (_, args) => {
  const { code, out, err, peakMb } = await execute(args)
  expectPlainError({ out, err })
  expect(err).toContain(zero)
  expect(code).toBe(2)
  expect(peakMb).toBeLessThan(maxMb)
})

const whole = {
  schema: 'conformance-state/1',
  version: '0.1.0',
  base_url: 'http://127.0.0.1:9',
  seed: 1,
  listening_until: 0,
  memory: { results: {}, watches: {}, observations: { counts: {}, sightings: [] }, absences: [] },
}

it.each([
  ['without its memory', { memory: undefined }],
  ['with an empty memory', { memory: {} }],
  ['with no memory', { memory: null }],
  ['without a seed', { seed: undefined }],
  ['with invalid results', { memory: { ...whole.memory, results: { 'service/webhooks/creates-with-201': 1 } } }],
  ['with an invalid watch', { memory: { ...whole.memory, watches: { a: { hooks: [{}], events: [] } } } }],
  ['with invalid absences', { memory: { ...whole.memory, absences: [1] } }],
])('a state %s is refused', limit, async (_, over) => {
  const path = join(folder, 'state.json')
  writeFileSync(path, JSON.stringify({ ...whole, ...over }))
  const { code, out, err } = await commandHere(folder)([
    'run',
    ...base,
    '--state',
    path,
    '--journal',
    join(folder, 'journal.jsonl'),
  ])
  expectPlainError({ out, err })
  expect(err).toContain(path)
  expect(code).toBe(2)
})
