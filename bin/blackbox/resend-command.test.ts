// The shell line that a report has for each delivery: a real shell runs it against an endpoint that verifies by hand, as each provider's
// page shows it, and with nothing of the kit's own signer.
import { execFile, spawnSync } from 'node:child_process'
import { createHmac, createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadScheme, schemeNames } from '../../fixtures/index.js'
import { resendOf } from '../../harness/receiver/resend-command.js'
import { SignatureScheme } from '../../harness/schemes/index.js'
import { Delivery, type DeliveryFields } from '../../harness/receiver/delivery.js'
import { program } from '../testing/command.js'

interface Verifier {
  /** The HMAC or the public key's decision on what the header has. */
  readonly isRight: (body: Buffer, header: (name: string) => string, secret: string) => boolean
  /** Unix seconds of the delivery. */
  readonly time?: (body: Buffer, header: (name: string) => string) => number
}

const hex = (secret: string, ...parts: (string | Buffer)[]) =>
  parts.reduce((mac, part) => mac.update(part), createHmac('sha256', secret)).digest('hex')
const isEd25519 = (raw: Buffer, signed: Buffer, signature: Buffer) => {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
  return verify(null, signed, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
}
const part = (text: string, name: string) => new RegExp(`(?:^|[,;])${name}=([^,;]*)`).exec(text)?.[1] ?? ''
const standard = (family: string): Verifier => ({
  isRight(body, header, secret) {
    const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    mac.update(`${header(`${family}-id`)}.${header(`${family}-timestamp`)}.`).update(body)
    return header(`${family}-signature`) === `v1,${mac.digest('base64')}`
  },
  time: (_, header) => Number(header(`${family}-timestamp`)),
})
const v0 = (signature: string, timestamp: string): Verifier => ({
  isRight: (body, header, secret) => header(signature) === `v0=${hex(secret, `v0:${header(timestamp)}:`, body)}`,
  time: (_, header) => Number(header(timestamp)),
})

const verifiers: Readonly<Record<string, Verifier>> = {
  'standard-webhooks': standard('webhook'),
  svix: standard('svix'),
  'standard-webhooks-v1a': {
    isRight(body, header, key) {
      const signed = Buffer.concat([Buffer.from(`${header('webhook-id')}.${header('webhook-timestamp')}.`), body])
      const [label, signature = ''] = header('webhook-signature').split(',')
      const raw = Buffer.from(key.slice('whpk_'.length), 'base64')
      return label === 'v1a' && isEd25519(raw, signed, Buffer.from(signature, 'base64'))
    },
    time: (_, header) => Number(header('webhook-timestamp')),
  },
  stripe: {
    isRight(body, header, secret) {
      const text = header('stripe-signature')
      return part(text, 'v1') === hex(secret, `${part(text, 't')}.`, body)
    },
    time: (_, header) => Number(part(header('stripe-signature'), 't')),
  },
  paddle: {
    isRight(body, header, secret) {
      const text = header('paddle-signature')
      return part(text, 'h1') === hex(secret, `${part(text, 'ts')}:`, body)
    },
    time: (_, header) => Number(part(header('paddle-signature'), 'ts')),
  },
  github: {
    isRight: (body, header, secret) => header('x-hub-signature-256') === `sha256=${hex(secret, body)}`,
  },
  shopify: {
    isRight: (body, header, secret) =>
      header('x-shopify-hmac-sha256') === createHmac('sha256', secret).update(body).digest('base64'),
  },
  lemonsqueezy: { isRight: (body, header, secret) => header('x-signature') === hex(secret, body) },
  linear: {
    isRight: (body, header, secret) => header('linear-signature') === hex(secret, body),
    time: (body) => (JSON.parse(body.toString()) as { webhookTimestamp: number }).webhookTimestamp / 1000,
  },
  slack: v0('x-slack-signature', 'x-slack-request-timestamp'),
  zoom: v0('x-zm-signature', 'x-zm-request-timestamp'),
  discord: {
    isRight(body, header, key) {
      const signed = Buffer.concat([Buffer.from(header('x-signature-timestamp')), body])
      return isEd25519(Buffer.from(key, 'hex'), signed, Buffer.from(header('x-signature-ed25519'), 'hex'))
    },
    time: (_, header) => Number(header('x-signature-timestamp')),
  },
}

let url: string
let current: { readonly name: string; readonly key: string }
let arrived: { readonly body: Buffer; readonly headers: IncomingHttpHeaders } | undefined
const folder = mkdtempSync(join(tmpdir(), 'resend-command-'))
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    arrived = { body, headers: request.headers }
    const header = (name: string) => String(request.headers[name] ?? '')
    const verifier = verifiers[current.name]
    const isRight = verifier?.isRight(body, header, current.key) === true
    const age = Date.now() / 1000 - (verifier?.time?.(body, header) ?? Date.now() / 1000)
    response.writeHead(!isRight ? 401 : Math.abs(age) > 60 ? 410 : 204).end()
  })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const command = join(folder, 'conformance')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(command, 0o755)
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** Runs a line as it is pasted; resolves to the status that the endpoint answered with. */
async function pasted(line: string, secret: string): Promise<number> {
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}`, CONFORMANCE_SECRET: secret }
  const out = await new Promise<string>((resolve) => {
    execFile('sh', ['-c', line], { cwd: folder, env }, (_, stdout, stderr) => resolve(stdout + stderr))
  })
  return Number(/(?:HTTP\/1\.1 | {2})(\d{3}) /.exec(out)?.[1] ?? `no status in: ${out}`)
}

const bytes = Buffer.from('a secret of 32 bytes for testing')
const now = () => Math.floor(Date.now() / 1000)
/** Texts that a shell or a terminal would change. */
const odd = `it's "q" $HOME \`id\` \\n % ! Grüße\u200b\n\t##[x]`

const hasTools = ['openssl', 'curl'].every(
  (tool) => spawnSync(tool, [tool === 'curl' ? '--version' : 'version']).status === 0,
)

describe.skipIf(!hasTools).each(schemeNames())('the line for a delivery of %s', (name) => {
  const scheme = new SignatureScheme(loadScheme(name))
  const { key, samples = [], timestamp } = scheme.data
  const secret = key.form === 'text' ? "it's a $secret" : (key.prefix ?? '') + bytes.toString(key.form)
  const other = key.form === 'text' ? 'another' : (key.prefix ?? '') + Buffer.alloc(32, 7).toString(key.form)
  const delivery = (changes: Partial<DeliveryFields> = {}) => {
    current = { name, key: scheme.receiverSecret(secret) }
    const body = Buffer.from(JSON.stringify({ ...samples[0]?.body, odd }))
    return new Delivery({ id: 'evt_1', timestamp: now(), secret, body, ...changes }, { scheme, url })
  }
  const lineOf = (made: Delivery, schemeWord = name) =>
    resendOf(made, { url, secret, access: {}, schemeWord, sentAt: now() })

  it('signs it when it runs, in bytes that no shell changes, and has no secret', async () => {
    const made = delivery()
    const line = lineOf(made)
    expect(line).toMatchObject({ sends: 'same' })
    expect(line?.command).not.toContain(secret)
    expect(line?.command).not.toMatch(/[\n\t]/)
    expect(line?.command).not.toContain(made.mac)
    expect(await pasted(line?.command ?? '', secret)).toBe(204)
    expect(arrived?.body.includes(Buffer.from(JSON.stringify(odd)))).toBe(true)
    expect(arrived?.headers['content-type']).toBe('application/json')
    expect(await pasted(line?.command ?? '', other)).toBe(401)
  })

  it.skipIf(timestamp?.past === undefined)('keeps the age of an old delivery', async () => {
    const line = lineOf(delivery({ timestamp: now() - 400 }))
    expect(line).toMatchObject({ sends: 'same' })
    expect(await pasted(line?.command ?? '', secret)).toBe(410)
  })

  it('of a forgery sends the valid delivery that it was made from', async () => {
    const made = delivery()
    const forgeries = [
      made.tampered({ body: Buffer.from('{"amount":1}') }),
      made.with({ signature: made.scheme.entryOf('bm90aGluZw==') }),
      made.with({ secret: other }),
      made.with({ without: ['webhook-signature'] }),
    ]
    for (const forgery of forgeries) expect(lineOf(forgery)).toMatchObject({ sends: 'valid' })
    expect(await pasted(lineOf(forgeries[0] ?? made)?.command ?? '', secret)).toBe(204)
  })
})

it.skipIf(!hasTools)('of bytes that are not text sends these bytes', async () => {
  const scheme = new SignatureScheme(loadScheme('github'))
  current = { name: 'github', key: 'k' }
  const body = Buffer.from([0, 1, 10, 13, 200, 255, 39])
  const made = new Delivery({ id: 'd', timestamp: now(), secret: 'k', body }, { scheme, url })
  const line = resendOf(made, { url, secret: 'k', access: {}, sentAt: now() })
  expect(await pasted(line?.command ?? '', 'k')).toBe(204)
  expect(arrived?.body).toEqual(body)
})

it.skipIf(!hasTools)('without the variable sends nothing and names it', async () => {
  const scheme = new SignatureScheme(loadScheme('github'))
  const made = new Delivery({ id: 'd', timestamp: now(), secret: 'k', body: Buffer.from('{}') }, { scheme, url })
  const line = resendOf(made, {
    url,
    secret: 'k',
    access: { headers: { 'x-gate': 'g' }, insecure: true },
    sentAt: now(),
  })
  expect(line?.command).toContain(' -k -H "x-gate: $X_GATE"')
  arrived = undefined
  await expect(pasted(line?.command ?? '', '')).resolves.toBeNaN()
  expect(arrived).toBeUndefined()
})
