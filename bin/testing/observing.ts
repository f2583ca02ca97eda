// `conformance observe` as a process, and the peers on both sides of it.
import { spawn, type ChildProcess } from 'node:child_process'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { program } from './command.js'

export interface Running {
  readonly proxy: string
  readonly gateway: string
  /** Sends SIGINT and resolves to the exit code and the output. */
  end(): Promise<{ code: number | null; out: string; err: string }>
}

/** Starts `conformance observe` in a folder and waits until it listens. */
export async function observeIn(folder: string, args: readonly string[], ends: (() => unknown)[]): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, [program, 'observe', ...args], { cwd: folder })
  ends.push(() => child.kill('SIGKILL'))
  let [out, err] = ['', '']
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stdout?.on('data', (chunk) => (out += chunk))
  const wanted = [args.includes('--base-url'), args.includes('--webhooks')].filter(Boolean).length
  await new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      err += chunk
      if (err.split('Listening on').length > wanted && err.endsWith('\n')) resolve()
    })
    void closed.then(() => resolve())
  })
  const [proxy = '', gateway = ''] = [...err.matchAll(/Listening on (\S+)/g)].map(([, url]) => url)
  return {
    proxy,
    gateway: args.includes('--base-url') ? gateway : proxy,
    async end() {
      child.kill('SIGINT')
      return { code: await closed, out, err }
    },
  }
}

/** Lets a server listen on loopback, until the end of the test. */
export async function serveOn(server: Server, ends: (() => unknown)[]): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Answer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

/** Sends one request on a connection of its own. Rejects where that breaks off. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string; ca?: string } = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const { method = 'GET', headers = {}, body, ca } = options
    const take = (answer: IncomingMessage) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.rawHeaders, body: Buffer.concat(chunks).toString() }),
      )
      answer.on('error', reject)
    }
    const request =
      ca === undefined
        ? httpRequest(url, { method, headers, agent: false }, take)
        : httpsRequest(url, { method, headers, agent: false, ca }, take)
    request.on('error', reject)
    request.end(body)
  })
}
