import { createServer, type Server } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly body?: string
  readonly headers?: Record<string, string>
}

/** How the sink answers a request; `hang` never does, `reset` breaks the connection. */
export type Script = (request: Received, count: number) => Reply | 'hang' | 'reset' | Promise<Reply>

export interface Sink {
  readonly port: number
  /** `127.0.0.1:port`, as egress exemptions name it. */
  readonly pair: string
  readonly url: string
  readonly requests: readonly Received[]
  readonly connections: () => number
  script: Script
  close(): Promise<void>
}

export interface Certificate {
  readonly private: string
  readonly cert: string
}

/** A self-signed certificate for names and addresses; all have the same subject. */
export function newCertificate(hosts: readonly string[]): Promise<Certificate> {
  return generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host })),
      },
    ],
  })
}

const sharedCertificate = newCertificate(['localhost', '*.hooks.example', '127.0.0.1', '127.0.0.2', '::1'])

/** The certificate of a sink that was given none, as PEM: what a server must trust to deliver to it. */
export async function sinkAuthority(): Promise<string> {
  return (await sharedCertificate).cert
}

export interface SinkOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  readonly port?: number
  readonly certificate?: Certificate
}

/** A TLS webhook sink on a loopback address. */
export async function startSink(options: SinkOptions = {}): Promise<Sink> {
  const host = options.host ?? '127.0.0.1'
  const { private: key, cert } = options.certificate ?? (await sharedCertificate)
  const requests: Received[] = []
  let connections = 0
  const server: Server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      requests.push(received)
      void respond()
      async function respond(): Promise<void> {
        const reply = await sink.script(received, requests.length)
        if (reply === 'reset') request.socket.destroy()
        else if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body ?? '')
      }
    })
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, host, resolve))
  const { port } = server.address() as AddressInfo
  const sink: Sink = {
    port,
    pair: `${host}:${port}`,
    url: `https://${host}:${port}/hook`,
    requests,
    connections: () => connections,
    script: () => ({ status: 200, body: 'ok' }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return sink
}
