// Runs each command of the README and of the pages in docs/, with the addresses and files that a reader would have.
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { captureFormat, type CaptureHeader, type DeliveryLine } from '../../harness/observe/record.js'
import { har, page } from '../../harness/testing/traffic/har.js'
import { mutants } from '../../proof/mutants/index.js'
import { startReferenceReceiver } from '../../reference/receiver/index.js'
import { startReferenceServer } from '../../reference/server/index.js'
import type { CommandEntry } from '../cli/option.js'
import { commands } from '../cli/options.js'
import { commandHere, executed, program } from '../testing/command.js'
import { root } from '../testing/source-tree.js'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const folder = mkdtempSync(join(tmpdir(), 'readme-'))

/** Pages of `docs/`; the generated ones are tested where they are made. */
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md') && !['libraries.md', 'options.md'].includes(name))
  .map((name) => readFileSync(join(root, 'docs', name), 'utf8'))
const documents = [readme, ...pages]

/** Their command lines, without `npx conformance`; a line that ends in a backslash continues in the next. */
const lines = new Set(
  documents.flatMap((text) =>
    [...text.replaceAll('\\\n', ' ').matchAll(/^ {4}npx conformance (.*)$/gm)].map(([, line = '']) => line),
  ),
)

let server: Awaited<ReturnType<typeof startReferenceServer>>
let receiver: Awaited<ReturnType<typeof startReferenceReceiver>>
beforeAll(async () => {
  server = await startReferenceServer({ control: true })
  receiver = await startReferenceReceiver({ secret })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const body = '{"id":"evt_1","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z","data":{}}'
  const seconds = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`evt_1.${seconds}.${body}`).digest('base64')
  const head = `webhook-id: evt_1\nwebhook-timestamp: ${seconds}\nwebhook-signature: v1,${signature}\n`
  write('body.json', body)
  write('headers.txt', head)
  write('request.txt', `POST /webhooks HTTP/1.1\nhost: 127.0.0.1\n${head}\n${body}`)
  for (const name of ['traffic.ndjson', 'browser.har']) write(name, JSON.stringify(har([page(0, undefined, [])])))
  write('deliveries.ndjson', captureOf(receiver.url, head, body))
  mkdirSync(join(folder, 'samples'))
  write('samples/one.json', body)
})
afterAll(async () => {
  await Promise.all([server.close(), receiver.close()])
  rmSync(folder, { recursive: true, force: true })
})

/** Returns a capture with one delivery, as `listen --record` writes it. */
function captureOf(url: string, head: string, body: string): string {
  const at = new Date().toISOString()
  const headers = head
    .trimEnd()
    .split('\n')
    .map((line) => line.split(': ') as [string, string])
  const delivery: DeliveryLine = {
    kind: 'delivery',
    at,
    duration_ms: 1,
    url,
    method: 'POST',
    request: { headers, body },
    signature: { verdict: 'right' },
  }
  const first: CaptureHeader = {
    capture: captureFormat,
    tool: { name: 'conformance', version: '1.0.0' },
    started_at: at,
  }
  return `${JSON.stringify(first)}\n${JSON.stringify(delivery)}\n`
}

/** Returns the line with a reader's own values instead of those of the README. */
function ofReader(line: string): string {
  const places: readonly (readonly [shown: string, own: string])[] = [
    ['https://api.staging.example', server.url],
    ['https://api.example/', server.url],
    ['http://127.0.0.1:8080', server.url],
    ['http://127.0.0.1:3000/webhooks', receiver.url],
    ['http://127.0.0.1:3000/hooks', receiver.url],
    ['"$SERVICE_API_KEY"', server.apiKey],
    ['"$KEY"', server.apiKey],
    ['"$SIGNING_SECRET"', secret],
    ['"$STRIPE_WEBHOOK_SECRET"', secret],
    ['"$CONTROL_KEY"', server.controlKey ?? ''],
    ['whsec_...', secret],
    ['python3 my_driver.py', `python3 ${join(root, 'fixtures/drivers/verifier.py')}`],
    ['node my_driver.mjs', `node ${join(root, 'fixtures/drivers/client.mjs')}`],
  ]
  const own = places.reduce((text, [shown, mine]) => text.replaceAll(shown, mine), line)
  // Ports that may be taken here.
  return own.replace(/(listen) 127\.0\.0\.1:\d+/g, '$1 127.0.0.1:0').replace(/--port \d+/, '--port 0')
}

const environment = (line: string) => ({
  NO_COLOR: '1',
  XDG_STATE_HOME: join(folder, 'state'),
  // Captures are of another service.
  ...(/^observe/.test(line) ? {} : { CONFORMANCE_BASE_URL: server.url, CONFORMANCE_API_KEY: server.apiKey }),
})

/** The words that a shell makes of a line. */
async function wordsOf(line: string): Promise<readonly string[]> {
  expect(line, 'a redirection').not.toMatch(/[<>|;&]/)
  const { out } = await executed('sh', ['-c', `printf '%s\\0' ${line}`], { cwd: folder, env: environment(line) })
  return out.split('\0').slice(0, -1)
}

/** Starts the line, waits until it prints its address, and interrupts it; resolves to its output. */
function begun(line: string): Promise<string> {
  return new Promise((done) => {
    const child = spawn('sh', ['-c', `exec '${process.execPath}' '${program}' ${ofReader(line)}`], {
      cwd: folder,
      env: { ...process.env, ...environment(line) },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (/https?:\/\/127\.0\.0\.1:\d+/.test(text)) child.kill('SIGINT')
      })
    child.once('close', () => done(text))
  })
}

const isLong = (line: string) => /^(ui|serve|listen)\b|^observe .*--listen|--ui\b/.test(line)
const isRun = (line: string) => /^(run|receiver|sender|verifier|client)\b/.test(line)

it('shows commands of every kind', () => {
  expect(lines.size).toBeGreaterThan(20)
})

it.each([...lines].filter((line) => !isLong(line)))('conformance %s', { timeout: 60_000 }, async (line) => {
  // A driver's own words follow --, and a plan contacts no target.
  const planned = isRun(line) ? line.replace(/( --(?= )|$)/, ' --dry-run --quiet$1') : line
  // What it writes is the configuration of every command in that folder.
  const cwd = line.startsWith('init ') ? mkdtempSync(join(folder, 'init-')) : folder
  const { code, out, err } = await commandHere(cwd)(await wordsOf(ofReader(planned)), environment(line))
  expect(err).not.toMatch(/conformance: (unknown|--|missing|\w+ needs)/)
  expect(code, out + err).toBe(0)
})

it.each([...lines].filter(isLong))('conformance %s (until it is interrupted)', { timeout: 60_000 }, async (line) => {
  const text = await begun(line)
  expect(text).toMatch(/https?:\/\/127\.0\.0\.1:\d+/)
  expect(text).not.toMatch(/conformance: (unknown|--|missing|\w+ needs)/)
})

it('names existing options only', () => {
  const entries = Object.values(commands) as readonly CommandEntry[]
  const known = new Set(entries.flatMap(({ options }) => options.map(({ name }) => name)))
  const named = [...documents.join('\n').matchAll(/`[^`\n]*`/g)].flatMap(([code]) => [
    ...code.matchAll(/ ?--([a-z][a-z-]+)/g),
  ])
  expect(named.length).toBeGreaterThan(40)
  expect(named.map(([, name = '']) => name).filter((name) => !known.has(name as never) && name !== 'help')).toEqual([])
})

it('states as much for a URL and a key as the plan of a run', async () => {
  const plan = ['run', '--dry-run', '--no-config', '--base-url', 'http://127.0.0.1:9', '--api-key', 'key_1']
  const { out } = await commandHere(folder)(plan)
  const [, verified, all] = /^(\d+) of (\d+) requirements could be verified/m.exec(out) ?? []
  const share = Number(verified) / Number(all)
  expect(share).toBeGreaterThan(0.29)
  expect(share).toBeLessThan(0.38)
  const stated = documents.flatMap((text) => /A URL and a key[^.]*of the interface[^.]*\./.exec(text) ?? [])
  expect(stated).toHaveLength(2)
  for (const sentence of stated)
    expect(sentence).toContain('about a third of the interface, if your account has events and emails')
})

it('states the number of mutants within 20 %', () => {
  const stated = Number(/in more than ([\d,]+) ways/.exec(readme)?.[1]?.replace(',', ''))
  expect(stated).toBeLessThan(mutants.length)
  expect(stated).toBeGreaterThan(mutants.length * 0.8)
})
