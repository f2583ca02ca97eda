// Bodies in HAR files: left out, declared empty, encoded, or read in another charset. A value that a file lacks is not a fault.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { TrafficJudge, judgeFiles } from '../../harness/observe/index.js'
import { created, delivery, event, har, listed, page, type Entry } from '../../harness/testing/traffic/har.js'

interface Message {
  headers: { name: string; value: string }[]
  bodySize?: number
  postData?: Record<string, unknown>
  content?: Record<string, unknown>
}

const greeting = event(1, { data: { ...(event(1)['data'] as object), subject: 'Grüße' } })
const folder = mkdtempSync(join(tmpdir(), 'har-bodies-'))

/** A conversation whose messages are written as a tool writes them: deliveries are `requests`, answers of the API `answers`. */
async function judged(asWritten: {
  request?: (request: Message) => void
  response?: (response: Message) => void
  wrong?: boolean
}): Promise<{ broken: readonly string[]; counts: ReadonlyMap<string, number> }> {
  const other = { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }
  const entries: Entry[] = [
    created(0),
    delivery(1.1, greeting, asWritten.wrong === true ? other : {}),
    page(5, undefined, [listed(greeting)]),
  ].map((entry) => structuredClone(entry))
  asWritten.request?.(entries[1]?.['request'] as Message)
  asWritten.response?.(entries[2]?.['response'] as Message)
  const path = join(folder, 'traffic.har')
  writeFileSync(path, JSON.stringify(har(entries)))
  const judge = new TrafficJudge()
  await judgeFiles(judge, { paths: [path], address: undefined, secrets: [], onNote: () => undefined })
  judge.finish()
  return { broken: [...judge.ledger.findings.keys()], counts: judge.ledger.counts }
}

const textOf = (message: Message) => String((message.postData ?? message.content)?.['text'])
const misread = (message: Message) => Buffer.from(textOf(message)).toString('latin1')

test.each<[string, (request: Message) => void]>([
  ['left out, with its size', (request) => Object.assign(request, { postData: undefined, bodySize: 231 })],
  ['left out, its size not known', (request) => Object.assign(request, { postData: undefined, bodySize: -1 })],
  ['empty, with a size', (request) => Object.assign(request, { postData: { text: '' }, bodySize: 231 })],
  ['in parameters alone', (request) => Object.assign(request, { postData: { params: [] }, bodySize: -1 })],
  [
    'read in another charset',
    (request) =>
      Object.assign(request, { bodySize: Buffer.byteLength(textOf(request)), postData: { text: misread(request) } }),
  ],
])('a delivery whose body is %s has no fault', async (_form, request) => {
  const { broken, counts } = await judged({ request })
  expect(broken).toEqual([])
  expect(counts.get('SIG-004')).toBeUndefined()
})

test.each<[string, (response: Message) => void]>([
  ['left out, as if it were empty', (response) => Object.assign(response, { content: { size: 0 }, bodySize: -1 })],
  ['left out, with a length', (response) => Object.assign(response, { content: { size: 0 }, bodySize: 320 })],
  ['encoded in an unknown way', ({ content }) => Object.assign(content ?? {}, { encoding: 'br', text: 'eJx' })],
  [
    'read in another charset',
    (response) =>
      Object.assign(response.content ?? {}, { size: Buffer.byteLength(textOf(response)), text: misread(response) }),
  ],
])('an answer whose body is %s has no fault', async (_form, response) => {
  expect((await judged({ response })).broken).toEqual([])
})

test('base64 is known in capitals too, in lines as well', async () => {
  const coded = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')
  const response = (message: Message) =>
    Object.assign(message.content ?? {}, { text: coded(textOf(message)), encoding: 'BASE64' })
  const { broken, counts } = await judged({ response })
  expect(broken).toEqual([])
  expect(counts.get('POL-009')).toBe(1)
})

test('what a file holds is judged: an answer that is empty, a signature that is wrong', async () => {
  const empty = (response: Message) => Object.assign(response, { content: { size: 0 }, bodySize: 0 })
  expect((await judged({ response: empty })).broken).toEqual(['POL-007'])
  expect((await judged({ wrong: true })).broken).toEqual(['SIG-004'])
})

test('a size that counts letters is not a fault of a text', async () => {
  const request = (message: Message) => Object.assign(message, { bodySize: textOf(message).length })
  const { broken, counts } = await judged({ request })
  expect(broken).toEqual([])
  expect(counts.get('SIG-004')).toBe(1)
})

test('each sentence on events counts the events that were checked', async () => {
  const { counts } = await judged({})
  expect(['EVT-001', 'EVT-002', 'EVT-003', 'EVT-004', 'DLV-002'].map((id) => counts.get(id))).toEqual([
    2,
    1,
    2,
    undefined,
    1,
  ])
})

test.each<[string, (text: string) => Buffer]>([
  ['gzip', (text) => gzipSync(text)],
  ['x-gzip', (text) => gzipSync(text)],
  ['deflate', (text) => deflateSync(text)],
  ['br', (text) => brotliCompressSync(text)],
  ['br, gzip', (text) => gzipSync(brotliCompressSync(text))],
])('an answer that a tool left in %s is decoded and judged', async (coding, compress) => {
  const response = (message: Message) => {
    message.headers.push({ name: 'content-encoding', value: coding })
    Object.assign(message.content ?? {}, { text: compress(textOf(message)).toString('base64'), encoding: 'base64' })
  }
  const { broken, counts } = await judged({ response })
  expect(broken).toEqual([])
  expect(counts.get('POL-009')).toBe(1)
})

test.each([
  ['an unknown coding', 'zstd-2', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58])],
  ['the coding of other bytes', 'gzip', Buffer.from([0xff, 0xfe, 0xfd, 0xfc])],
])('an answer in %s is not judged', async (_form, coding, bytes) => {
  const response = (message: Message) => {
    message.headers.push({ name: 'content-encoding', value: coding })
    Object.assign(message.content ?? {}, { text: bytes.toString('base64'), encoding: 'base64' })
  }
  const { broken, counts } = await judged({ response })
  expect(broken).toEqual([])
  expect(counts.get('POL-009')).toBeUndefined()
})

test('a body that a tool cut off is not judged; invalid JSON of the right size is', async () => {
  const cut = (request: Message) =>
    Object.assign(request, { bodySize: textOf(request).length, postData: { text: textOf(request).slice(0, 40) } })
  const { broken, counts } = await judged({ request: cut })
  expect(broken).toEqual([])
  expect(counts.get('DLV-002')).toBeUndefined()
  const invalid = (request: Message) =>
    Object.assign(request, { bodySize: 40, postData: { text: textOf(request).slice(0, 40) } })
  expect((await judged({ request: invalid })).broken).toContain('DLV-002')
})

test('an entry without a time is counted, and the others are judged', async () => {
  const path = join(folder, 'unreadable.har')
  const wrong = delivery(1.1, greeting, { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' })
  writeFileSync(path, JSON.stringify(har([{ ...created(0), startedDateTime: 'yesterday' }, created(0.1), wrong])))
  const judge = new TrafficJudge()
  const notes: string[] = []
  await judgeFiles(judge, {
    paths: [path],
    address: undefined,
    secrets: [],
    onNote: (note) => void notes.push(note),
  })
  judge.finish()
  expect(notes).toEqual([expect.stringMatching(/^1 of 3 entries of .* were not read: .*entry 1\)$/)])
  expect([...judge.ledger.findings.keys()]).toEqual(['SIG-004'])
})
