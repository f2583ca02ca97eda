// Unregistered secrets that a target shows: real processes, and everything that they write.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { command, execute } from '../../harness/testing/hostile/command.js'
import { startHostile } from '../../harness/testing/hostile/proxy.js'
import {
  formed,
  namedPlaces,
  plainPlaces,
  planted,
  type PlantedMessage,
} from '../../harness/testing/planted-secrets.js'

const limit = { timeout: 180_000 }
const reporters = ['junit', 'ctrf', 'html', 'markdown', 'github', 'tap', 'har', 'interface']

/** Every secret in every place that shows it, one a message. */
const messages: readonly PlantedMessage[] = [
  ...Object.values(namedPlaces).flatMap((put) => planted.map(put)),
  ...Object.values(plainPlaces).flatMap((put) => formed.map(put)),
]
/** A step that has no factor in common with their number, so that each of a run's messages differs from its neighbours. */
const step = 241

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The secrets that a text shows, with the escapes of JSON, URLs and HTML taken off. */
function shownIn(text: string): string[] {
  const plain = text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+\//g, '/')
  return planted.filter((secret) => `${text}\n${plain}`.includes(secret.replace(/^whsec_/, '')))
}

const filesIn = (folder: string) => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))

test('the search finds every planted secret', () => {
  expect(shownIn(messages.map((message) => JSON.stringify(message)).join('\n'))).toEqual(planted)
})

test('service: reports, journal, list of known failures and output', limit, async () => {
  let count = 0
  const service = await startHostile({
    behaviour: ({ socket }) => {
      const { headers = {}, body = '{}' } = messages[(count++ * step) % messages.length] ?? {}
      const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      socket.write(
        `HTTP/1.1 ${[200, 201, 400, 500][count % 4]} OK\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    },
  })
  onTestFinished(() => service.close())
  const folder = place()
  const suites = ['errors', 'webhooks', 'malformed-requests'].flatMap((suite) => ['--suite', `service/${suite}`])
  const end = await command(
    [
      'run',
      '--base-url',
      service.url,
      '--api-key',
      'key_of_the_run_0123456789',
      '--timeout',
      '2500',
      '--verbose',
      ...suites,
      '--journal',
      join(folder, 'journal'),
      '--write-known-failures',
      join(folder, 'known.yaml'),
    ],
    { reporters },
  )
  expect([1, 3]).toContain(end.code)
  expect(count).toBeGreaterThan(50)
  expect(end.reports['har']).toContain('[redacted]')
  for (const [name, text] of Object.entries(end.reports)) expect(shownIn(text), name).toEqual([])
  expect(shownIn([end.out, end.err, ...filesIn(folder)].join('\n'))).toEqual([])
})

test('receiver: reports and output', limit, async () => {
  let count = 0
  const endpoint = await startHostile({
    behaviour: ({ socket }) => {
      const { headers = {}, body = '{}' } = messages[(count++ * step) % messages.length] ?? {}
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(
        `HTTP/1.1 ${[200, 400, 500][count % 3]} OK\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    },
  })
  onTestFinished(() => endpoint.close())
  const secret = `whsec_${Buffer.from('the secret of the run itself').toString('base64')}`
  const end = await command(
    ['receiver', '--url', `${endpoint.url}/hooks`, '--secret', secret, '--case', 'receiver/signature/*', '--verbose'],
    { reporters },
  )
  expect([1, 3]).toContain(end.code)
  for (const [name, text] of Object.entries(end.reports)) expect(shownIn(text), name).toEqual([])
  expect(shownIn(`${end.out}\n${end.err}`)).toEqual([])
})

test('traffic: reports of a HAR file', limit, async () => {
  const url = 'https://api.example/v1/webhooks'
  const entries = messages.map(({ headers = {}, body = '{}' }, index) => {
    const listed = Object.entries(headers).map(([name, value]) => ({ name, value }))
    const content = { mimeType: 'application/json', text: body, size: body.length }
    return {
      startedDateTime: new Date(1_700_000_000_000 + index * 1_000).toISOString(),
      time: 5,
      request: {
        method: 'GET',
        url,
        httpVersion: 'HTTP/1.1',
        headers: [{ name: 'authorization', value: 'Bearer key_of_an_org_1' }],
        queryString: [],
      },
      response: { status: [200, 500][index % 2], httpVersion: 'HTTP/1.1', headers: listed, content },
    }
  })
  const folder = place()
  const har = join(folder, 'traffic.har')
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', entries } }))
  const end = await command(['observe', '--from', har, '--base-url', 'https://api.example', '--verbose'], {
    reporters: reporters.filter((name) => name !== 'har' && name !== 'interface'),
  })
  expect([1, 3], end.err).toContain(end.code)
  for (const [name, text] of Object.entries(end.reports)) expect(shownIn(text), name).toEqual([])
  expect(shownIn(`${end.out}\n${end.err}`)).toEqual([])
})

test('diagnose: text and JSON', limit, async () => {
  const folder = place()
  const file = join(folder, 'delivery.http')
  const secret = `whsec_${Buffer.from('the secret of the run itself').toString('base64')}`
  const fields = planted.map((value, index) => `"api_key_${index}_token":"${value}"`)
  const headers = planted.map((value, index) => `x-${index}-token: ${value}`)
  writeFileSync(
    file,
    [
      'POST /hooks HTTP/1.1',
      'webhook-id: evt_1',
      'webhook-timestamp: 1700000000',
      `webhook-signature: v1,${formed[0]}`,
      ...headers,
      '',
      `{${fields.join()}}`,
    ].join('\r\n'),
  )
  for (const format of ['text', 'json']) {
    const end = await execute(['diagnose', '--secret', secret, '--request', file, '--format', format])
    expect(end.code, end.err).toBe(1)
    expect(shownIn(`${end.out}\n${end.err}`)).toEqual([])
  }
})

test.each([
  ['verifier', '--driver', 'node driver.mjs --api-key Zq7Wv3xK9mTb2LrYc8'],
  ['client', '--driver', `CLIENT_TOKEN=${formed[0]} ./driver`],
  ['sender', '--trigger', "curl -H 'Authorization: Bearer Zq7Wv3xK9mTb2LrYc8' http://127.0.0.1/"],
])('init writes no secret of the command of a %s', limit, async (subject, option, value) => {
  const folder = place()
  const end = await execute(['init', '--subject', subject, option, value, '--yes'], { cwd: folder })
  expect(end.code).toBe(2)
  expect(end.err).toMatch(/contains what looks like a secret.*write that as \$NAME/)
  expect(readdirSync(folder)).toEqual([])
  expect(shownIn(`${end.out}${end.err}`)).toEqual([])
  const variable = value.replace(/Zq7Wv3xK9mTb2LrYc8|sk_live_\w+/, '$API_KEY')
  expect((await execute(['init', '--subject', subject, option, variable, '--yes'], { cwd: folder })).code).toBe(0)
})
