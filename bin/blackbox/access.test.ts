// Real deployments between the run and a service: a gateway that requires a header, a company's own authority, a client certificate, a
// proxy. Each is a real server before the reference server.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer, request as httpRequest, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sinkCertificate } from '../../harness/webhook-sink.js'
import { startReferenceServer, type ReferenceServer } from '../../reference/server/index.js'
import { keyMark } from '../run/journal.js'
import { ownIdentity } from '../run/process-identity.js'
import { commandHere, judgeHere, type Judged } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'access-'))
const caFile = join(folder, 'ca.pem')
const certFile = join(folder, 'cert.pem')
const keyFile = join(folder, 'key.pem')
const open: { close(): unknown }[] = []
let reference: ReferenceServer
let caller: { readonly cert: string; readonly private: string }
let tls: { readonly ca: string; readonly key: string; readonly cert: string }

beforeAll(async () => {
  reference = await startReferenceServer({ control: true })
  tls = await sinkCertificate()
  writeFileSync(caFile, tls.ca)
  caller = await generate([{ name: 'commonName', value: 'caller' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'extKeyUsage', clientAuth: true }],
  })
  writeFileSync(certFile, caller.cert)
  writeFileSync(keyFile, caller.private)
})
afterAll(async () => {
  for (const server of open) server.close()
  await reference.close()
})

interface Gateway {
  readonly isSecure?: boolean
  /** Refuses requests without this header. */
  readonly wants?: string
  /** Refuses connections without a certificate. */
  readonly wantsCertificate?: boolean
}

/** Passes requests and upgrades on to the reference server; resolves to its port. */
async function gateway({ isSecure = false, wants, wantsCertificate = false }: Gateway): Promise<number> {
  const { hostname, port } = new URL(reference.url)
  const options = wantsCertificate ? { requestCert: true, rejectUnauthorized: true, ca: caller.cert } : {}
  const server = isSecure ? createSecureServer({ ...tls, ...options }) : createPlainServer()
  const isWelcome = (value: unknown) => wants === undefined || value === wants
  server.on('request', (request, response) => {
    if (!isWelcome(request.headers['x-gateway'])) return void response.writeHead(407).end()
    const { method, url: path, headers } = request
    const onward = httpRequest({ host: hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  server.on('upgrade', (request, socket: Socket | TLSSocket) => {
    if (!isWelcome(request.headers['x-gateway'])) return void socket.end('HTTP/1.1 407 No\r\n\r\n')
    const onward = connect(Number(port), hostname, () => {
      const lines = request.rawHeaders.flatMap((part, index, all) =>
        index % 2 === 0 ? [`${part}: ${all[index + 1]}`] : [],
      )
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [socket, onward]) end.on('error', () => onward.destroy())
  })
  return listening(server)
}

/** A proxy that connects every CONNECT to one port of this machine, and records its host. */
async function proxy(port: number): Promise<{ readonly url: string; readonly calledUrls: string[] }> {
  const calledUrls: string[] = []
  const server = createPlainServer()
  server.on('connect', (request, socket: Socket) => {
    calledUrls.push(request.url ?? '')
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [socket, onward]) end.on('error', () => onward.destroy())
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, calledUrls }
}

async function listening(server: Server): Promise<number> {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A few requests and a stream. */
const cases = ['service/webhooks/creates-with-201', 'service/stream-auth/*'].flatMap((pattern) => ['--case', pattern])

function judge(
  baseUrl: string,
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Judged> {
  const path = new URL(reference.controlUrl ?? '').pathname
  const control = ['--control-url', `${baseUrl}${path}`, '--control-key', reference.controlKey ?? '']
  return judgeHere()(['run', '--base-url', baseUrl, ...control, ...cases, ...options], { env })
}

/** The run checked cases, and none failed or errored. */
function expectJudged({ report, err }: Judged): void {
  expect(err).toBe('')
  expect(report?.summary.cases['failed']).toBe(0)
  expect(report?.summary.cases['errored']).toBe(0)
  expect(report?.summary.cases['passed']).toBeGreaterThan(1)
}

describe('a gateway that requires a header', () => {
  it('receives it on requests and streams, and no report contains its value', async () => {
    const url = `http://127.0.0.1:${await gateway({ wants: 'open-sesame-4711' })}`
    const ended = await judge(url, ['--header', 'X-Gateway: open-sesame-4711'])
    expectJudged(ended)
    expect(ended.out + ended.reports['json']).not.toContain('open-sesame-4711')
  })

  it('fails the run without it', async () => {
    const { code } = await judge(`http://127.0.0.1:${await gateway({ wants: 'x' })}`, [])
    expect(code).not.toBe(0)
  })

  it.each([
    ['authorization: Bearer x', /the key is given by --api-key/],
    ['content-type: text/plain', /sets this header itself/],
    ['nonsense', /expected "name: value"/],
  ])('cannot be given %s', async (header, message) => {
    const { code, err } = await judge('http://127.0.0.1:9', ['--header', header])
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('what a killed run left on a service that is reached through a gateway', () => {
  /** A webhook, and the journal of a run that is over and made it there. */
  async function left(baseUrl: string): Promise<string> {
    const { url, apiKey } = reference
    const made = await fetch(`${url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.com/left' }),
    })
    const { id } = (await made.json()) as { id: string }
    const mark = 'abcdefghij'
    const process = { ...ownIdentity(), started: 1 }
    const head = { journal: 2, base_url: baseUrl, mark, process, key: keyMark(apiKey, mark) }
    const file = join(folder, `${id}.jsonl`)
    writeFileSync(file, `${JSON.stringify(head)}\n${JSON.stringify({ made: { kind: 'webhook', id } })}\n`)
    return file
  }

  it.each([
    [{ wants: 'open-sesame-4711' }, ['--header', 'X-Gateway: open-sesame-4711']],
    [{ isSecure: true }, ['--ca', caFile]],
  ])('is removed through the gateway: %j', async (between, options) => {
    const port = await gateway(between)
    const url = `${'isSecure' in between ? 'https' : 'http'}://127.0.0.1:${port}`
    const args = ['cleanup', '--base-url', url, '--api-key', reference.apiKey, '--journal', await left(url)]
    const cleanup = commandHere(folder)
    expect((await cleanup(args)).code).toBe(3)
    const { code, out, err } = await cleanup([...args, ...options])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('removed 1 of 1')
  })
})

describe('a certificate that is not publicly trusted', () => {
  it('is accepted with --ca or --insecure only', async () => {
    const url = `https://127.0.0.1:${await gateway({ isSecure: true })}`
    expectJudged(await judge(url, ['--ca', caFile]))
    expectJudged(await judge(url, ['--insecure']))
    const refused = await judge(url, [])
    expect([refused.code, refused.report?.verdict]).toEqual([3, 'none'])
  })

  it('may require a client certificate', async () => {
    const url = `https://127.0.0.1:${await gateway({ isSecure: true, wantsCertificate: true })}`
    expectJudged(await judge(url, ['--ca', caFile, '--client-cert', certFile, '--client-key', keyFile]))
    expect((await judge(url, ['--ca', caFile])).code).toBe(3)
  })

  it.each([
    [['--client-cert', certFile], /belong together/],
    [['--ca', '/nowhere.pem'], /--ca \/nowhere\.pem: cannot be read/],
    [['--ca', import.meta.filename], /expected a file in PEM/],
    [['--client-cert', certFile, '--client-key', caFile], /does not belong to the certificate/],
  ])('is refused in one line: %j', async (options, message) => {
    const { code, err } = await judge('https://127.0.0.1:9', options)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('HTTPS_PROXY', () => {
  it('is used for requests and streams, unless NO_PROXY names the host', async () => {
    const { url, calledUrls } = await proxy(await gateway({ isSecure: true }))
    const through = { HTTPS_PROXY: url, NO_PROXY: '' }
    expectJudged(await judge('https://localhost:8443', ['--ca', caFile], through))
    expect(new Set(calledUrls)).toEqual(new Set(['localhost:8443']))
    calledUrls.length = 0
    const { code } = await judge('https://localhost:9', ['--ca', caFile], { HTTPS_PROXY: url, NO_PROXY: 'localhost' })
    expect([code, calledUrls]).toEqual([3, []])
  })

  it('is named if it cannot be reached', async () => {
    const { code, report } = await judge('https://localhost:8443', [], {
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '',
    })
    expect([code, report?.note]).toEqual([3, expect.stringContaining('through the proxy 127.0.0.1:9')])
  })
})
