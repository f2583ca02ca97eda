import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import * as library from '../library/index.js'
import { loadSchema } from '../../fixtures/index.js'
import { at, created, delivery, event, har, listed, page, secret, stream } from '../../harness/testing/traffic/har.js'
import { program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'observe-'))

/** Writes a file and returns its path. */
function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function observe(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'observe', ...args], { cwd: folder }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

const [e1, e2, e3] = [event(1), event(2), event(3)]
const client = file(
  'client.har',
  har([
    created(0),
    page(
      5,
      undefined,
      [e1, e2, e3].map((event) => listed(event)),
    ),
  ]),
)
const lossy = file(
  'stream.har',
  har([
    stream(0.5, [
      [1.1, e1],
      [3.1, e3],
    ]),
  ]),
)
const receiver = file('receiver.har', har([delivery(1.1, e1), delivery(2.1, e2)]))
const forged = file('forged.har', har([delivery(1.1, e1, { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' })]))
const header = { capture: 'conformance-capture/1', tool: { name: 'x', version: '0' }, started_at: at(0) }

test('several files are one capture: what one holds is judged by what another does', async () => {
  const report = join(folder, 'report.json')
  const right = await observe('--from', client, receiver, '--reporter', `json=${report}`)
  expect(right.code, right.err).toBe(0)
  expect(right.out).not.toContain('seed')
  const { verdict, subject, cases, requirements } = JSON.parse(readFileSync(report, 'utf8'))
  expect({ verdict, kind: subject.kind }).toEqual({ verdict: 'partial', kind: 'traffic' })
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  expect(ajv.validate(loadSchema('report'), JSON.parse(readFileSync(report, 'utf8'))), ajv.errorsText()).toBe(true)
  const signed = cases.find((result: { id: string }) => result.id === 'observe/deliveries/are-signed')
  expect(signed).toMatchObject({ status: 'passed', measurements: { seen: { 'SIG-004': 2 } } })
  expect(requirements.find((requirement: { id: string }) => requirement.id === 'SIG-004').status).toBe('verified')
  expect(readFileSync(report, 'utf8')).not.toContain(secret.slice('whsec_'.length))
  expect((await observe('--from', client, '--from', forged)).code).toBe(1)
  const lost = await observe('--from', client, '--from', lossy)
  expect(lost.code).toBe(1)
  expect(lost.out).toContain('evt_0002')
})

test('a capture of another program, all bodies in base64 and secrets by their names alone', async () => {
  const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  const webhook = { id: 'whk_1', url: 'https://hooks.customer.example/in', event_types: [], inbox_id: null }
  const secretName = 'secret_0123456789ab'
  const headers = [
    ['webhook-id', String(e1?.['id'])],
    ['webhook-timestamp', '1767322801'],
    ['webhook-signature', 'v1,aGVsbG8='],
  ]
  const lines = [
    header,
    {
      kind: 'exchange',
      at: at(0),
      duration_ms: 5,
      service: 'api.mail.example',
      method: 'POST',
      path: '/v1/webhooks',
      request: { headers: [], body_base64: coded({ url: webhook.url }) },
      response: { status: 201, headers: [], body_base64: coded({ ...webhook, secret: secretName }) },
    },
    {
      kind: 'delivery',
      at: at(1),
      duration_ms: 5,
      url: webhook.url,
      method: 'POST',
      request: { headers, body_base64: coded(e1) },
      response: { status: 200, headers: [] },
      signature: { verdict: 'right', secret: secretName, by: 'url' },
    },
  ]
  const run = await observe('--from', file('coded.ndjson', lines.map((line) => JSON.stringify(line)).join('\n')))
  expect(run.code, run.out).toBe(0)
  expect(run.out).toContain('0 failed')
})

test.skipIf(process.platform === 'win32')('a pipe, and a byte order mark in front, are read like a file', async () => {
  const marked = file('marked.ndjson', `\ufeff${JSON.stringify(header)}\n`)
  for (const [path, prints] of [
    [client, /0 failed/],
    [marked, /no verdict|none/],
  ] as const) {
    const { out, err } = await new Promise<{ out: string; err: string }>((resolve) => {
      const piped = 'cat "$1" | "$2" "$3" observe --from /dev/stdin'
      execFile('sh', ['-c', piped, 'sh', path, process.execPath, program], { cwd: folder }, (_, out, err) =>
        resolve({ out, err }),
      )
    })
    expect(err).toBe('')
    expect(out).toMatch(prints)
  }
})

test.each([
  ['a HAR cut off', JSON.stringify(har([page(1, undefined, [])])).slice(0, -40), /cut off/],
  [
    'a capture of another version',
    JSON.stringify({ ...header, capture: 'conformance-capture/2' }),
    /conformance-capture\/2/,
  ],
  ['a HAR of another version', JSON.stringify({ log: { version: '2.0', entries: [] } }), /version 2\.0/],
  ['a JSON file that is neither', '{"a":1}', /neither a capture nor a HAR file/],
  ['an empty file', '', /empty/],
  ['a broken line', `${JSON.stringify(header)}\n{"kind":"frame"}\n{}\n`, /line 2 /],
])('%s gets one line and exit code 2', async (name, content, prints) => {
  const { code, err, out } = await observe('--from', file(`${name.replaceAll(' ', '-')}.txt`, content))
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(prints)
  expect(err.trim().split('\n')).toHaveLength(1)
})

test('no traffic gives no verdict; a missing file or no source is wrong usage', async () => {
  expect((await observe('--from', file('empty.har', har([])))).code).toBe(3)
  expect((await observe('--from', join(folder, 'nowhere.har'))).err).toMatch(/ENOENT/)
  expect((await observe()).code).toBe(2)
})

test('the library judges the same files to the same verdict', async () => {
  expect((await library.observe({ from: [client, receiver] })).verdict).toBe('partial')
  expect((await library.observe({ from: [client, lossy] })).verdict).toBe('nonconformant')
})

test('only the host of --base-url is the service', async () => {
  expect((await observe('--from', client, lossy, '--base-url', 'https://other.example/v1')).code).toBe(3)
  expect((await observe('--from', client, lossy, '--base-url', 'https://api.mail.example/v1')).code).toBe(1)
})
