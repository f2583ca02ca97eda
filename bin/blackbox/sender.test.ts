// conformance sender and conformance diagnose as a person calls them: a sender of a few lines.
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandHere } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'sender-'))
const bare = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const secret = `whsec_${bare}`

/** One event over TLS, whose authority it trusts; `FAULT` signs the `body` alone, or the body `rewritten`. */
writeFileSync(
  join(folder, 'send.mjs'),
  `import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
const id = 'evt_' + randomUUID()
const body = JSON.stringify({ hello: id })
const timestamp = String(Math.floor(Date.now() / 1000))
const rewritten = JSON.stringify(JSON.parse(body), null, 2)
const faults = { body, rewritten: \`\${id}.\${timestamp}.\${rewritten}\` }
const signed = faults[process.env.FAULT] ?? \`\${id}.\${timestamp}.\${body}\`
const mac = createHmac('sha256', Buffer.from('${bare}', 'base64')).update(signed).digest('base64')
const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,' + mac }
const ca = readFileSync('ca.pem')
request(process.env.CONFORMANCE_WEBHOOK_URL, { method: 'POST', headers, ca }, (response) => response.resume()).end(body)
`,
)

/** One event, whose body is written in two pieces nine seconds apart, and given up after ten; `CUT` writes the first alone. */
writeFileSync(
  join(folder, 'slow.mjs'),
  `import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
const id = 'evt_' + randomUUID()
const data = { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', from: 'ada@sender.example', subject: 'Hi' }
const body = JSON.stringify({ id, type: 'message.received', timestamp: new Date().toISOString(), data })
const timestamp = String(Math.floor(Date.now() / 1000))
const mac = createHmac('sha256', Buffer.from('${bare}', 'base64')).update(\`\${id}.\${timestamp}.\${body}\`).digest('base64')
const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,' + mac,
  'content-type': 'application/json', 'content-length': String(body.length) }
const url = process.env.CONFORMANCE_WEBHOOK_URL.replace('https:', 'http:')
const one = request(url, { method: 'POST', headers }, (response) => {
  response.resume()
  clearTimeout(limit)
})
one.on('error', () => {})
const limit = setTimeout(() => one.destroy(), 10_000)
one.write(body.slice(0, 20))
setTimeout(() => (process.env.CUT ? one.destroy() : one.end(body.slice(20))), process.env.CUT ? 500 : 9_000)
`,
)
const inTime = 'sender/answer-time/waits-for-an-answer'

const conformance = commandHere(folder, { CONFORMANCE_SECRET: secret })

const listening = ['sender', '--listen', '127.0.0.1:0', '--reporter', 'json=report.json']

describe('conformance sender', () => {
  const run = [...listening, '--ca-out', 'ca.pem', '--profile', 'standard-webhooks', '--case', 'sender/attempts/*']

  it('passes a sender that trusts the CA file of the run', { timeout: 120_000 }, async () => {
    const { err } = await conformance([...run, '--trigger', 'node send.mjs'])
    expect(err).toMatch(/https:\/\/127\.0\.0\.1:\d+\/webhooks$/m)
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { cases: { status: string }[] }
    const statuses = report.cases.map((result) => result.status)
    expect(statuses.filter((status) => status === 'passed')).toHaveLength(9)
    expect(statuses.filter((status) => status !== 'passed' && status !== 'skipped')).toEqual([])
  })

  it('reports what a wrong signature covers', { timeout: 120_000 }, async () => {
    const { code, out } = await conformance([...run, '--trigger', 'FAULT=body node send.mjs'])
    expect(code).toBe(1)
    expect(out).toContain('Only the body is signed.')
    expect(out).not.toContain(bare)
  })

  it('reports a body that was written again between signing and sending', { timeout: 120_000 }, async () => {
    const { code, out } = await conformance([...run, '--trigger', 'FAULT=rewritten node send.mjs'])
    expect(code).toBe(1)
    expect(out).toContain('The body was parsed and serialized again')
  })

  it('has no verdict if no signature matches the secret', { timeout: 120_000 }, async () => {
    const wrong = ['--secret', `whsec_${Buffer.alloc(24, 'another').toString('base64')}`]
    const { code, out } = await conformance([...run, ...wrong, '--trigger', 'node send.mjs'])
    expect(code).toBe(3)
    expect(out).toContain('the secret may be wrong')
    expect(out).toContain('or the sender signs other bytes than it sends')
    expect(out).toContain(' 0 failed, 1 errored')
  })

  it('skips cases that the trigger cannot cause, with its message', { timeout: 120_000 }, async () => {
    const { code } = await conformance([...listening, '--trigger', 'echo no such queue >&2; exit 7'])
    expect(code).toBe(3)
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
      cases: { status: string; reason: string }[]
    }
    expect(report.cases.every((result) => result.status === 'skipped')).toBe(true)
    expect(report.cases.map((result) => result.reason)).toContain('the trigger exited with 7: no such queue')
  })

  it(
    'counts a body that arrives over nine seconds into the ten seconds for the answer',
    { timeout: 120_000 },
    async () => {
      const { out } = await conformance([...listening, '--case', inTime, '--trigger', 'node slow.mjs'])
      expect(out).toContain('1 passed')
    },
  )

  it('reports a body that broke off', { timeout: 120_000 }, async () => {
    const { code, out } = await conformance([
      ...listening,
      '--case',
      inTime,
      '--trigger',
      'CUT=1 node slow.mjs',
      '--timeout',
      '500',
    ])
    expect(code).toBe(3)
    expect(out).toContain('the latest request broke off after 20 bytes of its body, of the')
  })

  it('has no verdict if nothing arrives', { timeout: 120_000 }, async () => {
    const { code, out } = await conformance([...listening, '--trigger', 'true', '--timeout', '500', '--quiet'])
    expect(code).toBe(3)
    expect(out).toContain('nothing arrived')
  })

  it('has no verdict if the trigger hangs, and ends it', { timeout: 120_000 }, async () => {
    const trigger = 'echo $$ > trigger.pid; exec sleep 600'
    const { code, out } = await conformance([...listening, '--trigger', trigger, '--timeout', '500', '--quiet'])
    expect(code).toBe(3)
    expect(out).toContain('after the trigger was run, which has not ended')
    const pid = Number(readFileSync(join(folder, 'trigger.pid'), 'utf8'))
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
  })

  it('reports in one line that the port is in use', { timeout: 60_000 }, async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((listens) => server.once('listening', listens))
    const { port } = server.address() as AddressInfo
    const { code, err } = await conformance(['sender', '--listen', `127.0.0.1:${port}`, '--trigger', 'true'])
    server.close()
    expect(code).toBe(2)
    expect(err).toBe(
      `conformance: --listen 127.0.0.1:${port} is in use: choose another port, or 0 for any that is free\n`,
    )
  })

  it.each([
    ['--schedule', '5x'],
    ['--retry-depth', '8'],
    ['--tls-cert', '/nowhere'],
    ['--profile', 'mine'],
    ['--header-names', 'mine'],
  ])('refuses %s %s', { timeout: 60_000 }, async (option, value) => {
    const { code, err } = await conformance(['sender', '--trigger', 'true', option, value])
    expect(code).toBe(2)
    expect(err.split('\n')).toHaveLength(2)
    expect(err).toContain(option)
  })
})

describe('conformance diagnose', () => {
  const sign = (body: string) =>
    `v1,${createHmac('sha256', Buffer.from(bare, 'base64')).update(`evt_1.1700000000.${body}`).digest('base64')}`

  function written(body: string, signature: string): readonly string[] {
    const headers = { 'Webhook-Id': 'evt_1', 'Webhook-Timestamp': '1700000000', 'Webhook-Signature': signature }
    writeFileSync(join(folder, 'headers.json'), JSON.stringify(headers))
    writeFileSync(join(folder, 'body'), body)
    return ['diagnose', '--headers', 'headers.json', '--body', 'body', '--format', 'json']
  }

  it('exits with 0, 1 and 2', { timeout: 60_000 }, async () => {
    const good = await conformance(written('{"a":1}', sign('{"a":1}')))
    expect(good.code).toBe(0)
    const bad = await conformance(written('{ "a": 1 }', sign('{"a":1}')))
    expect(bad.code).toBe(1)
    expect((JSON.parse(bad.out) as { causes: { cause: string }[] }).causes[0]?.cause).toBe('body-rewritten')
    expect((await conformance(['diagnose', '--headers', 'headers.json'])).code).toBe(2)
  })

  it('takes a raw request', { timeout: 60_000 }, async () => {
    const lines = ['POST /webhooks HTTP/1.1', 'webhook-id: evt_1', 'webhook-timestamp: 1700000000']
    const head = [...lines, `webhook-signature: ${sign('{}')}`, 'transfer-encoding: chunked']
    writeFileSync(join(folder, 'request'), `${head.join('\r\n')}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)
    const { code, out } = await conformance(['diagnose', '--request', 'request', '--now', '1700000300'])
    expect(code).toBe(0)
    expect(out).toContain('verifies')
    expect((await conformance(['diagnose', '--request', 'request', '--now', '1700000301'])).code).toBe(1)
  })
})
