// `conformance observe` as a process and in this process, and the peers on both sides of it.
import { spawn, type ChildProcess } from 'node:child_process'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { program, startHere } from './command.js'

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
  const listens = new Promise<void>((resolve) =>
    child.stderr?.on('data', (chunk) => {
      err += chunk
      if (isListening(args, err)) resolve()
    }),
  )
  await Promise.race([listens, closed])
  return {
    ...addressesIn(args, err),
    async end() {
      child.kill('SIGINT')
      return { code: await closed, out, err }
    },
  }
}

/** {@link observeIn}, but in this process: without a start of Node, and its threads end with `ends`. */
export async function observeHere(folder: string, args: readonly string[], ends: (() => unknown)[]): Promise<Running> {
  let err = ''
  let onListening = () => {}
  const listens = new Promise<void>((resolve) => (onListening = resolve))
  const { ended, signal } = startHere(folder, ['observe', ...args], (text) => {
    if (!isListening(args, text)) return
    err = text
    onListening()
  })
  let isOver = false
  const end = () => {
    // A second signal would end this process.
    if (!isOver) signal('SIGINT')
    isOver = true
    return ended
  }
  ends.push(end)
  await Promise.race([listens, ended])
  return { ...addressesIn(args, err), end }
}

/** Whether the output names every address. */
function isListening(args: readonly string[], output: string): boolean {
  const wanted = [args.includes('--base-url'), args.includes('--webhooks')].filter(Boolean).length
  return output.split('Listening on').length > wanted && output.endsWith('\n')
}

function addressesIn(args: readonly string[], output: string): Pick<Running, 'proxy' | 'gateway'> {
  const [proxy = '', gateway = ''] = [...output.matchAll(/Listening on (\S+)/g)].map(([, url]) => url)
  return { proxy, gateway: args.includes('--base-url') ? gateway : proxy }
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
