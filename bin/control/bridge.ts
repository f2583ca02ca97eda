import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DriverProcess, type DriverReply } from '../../harness/driver/index.js'
import { parseJson } from '../../harness/parsing.js'

/** A control interface on loopback whose calls a program answers. */
export interface ControlBridge {
  readonly url: string
  readonly key: string
  close(): Promise<void>
}

/** Longest time the program may take for one call, in milliseconds: an advance makes every attempt that falls due. */
const answersMs = 45_000
/** Longest body of a call, in bytes. */
const maxBytes = 1024 * 1024

/**
 * Runs a shell command that answers the calls of the control interface over standard input: one JSON object a line,
 * `{"id":1,"method":"POST","path":"/events","body":{…}}`, answered by `{"id":1,"status":201,"body":{…}}`, in any order. The key is the
 * bridge's own: the program gets only authorised calls.
 */
export async function bridgeControl(command: string, onStderr: (line: string) => void): Promise<ControlBridge> {
  const program = new DriverProcess({ command: ['sh', '-c', command], label: command, onStderr })
  const key = randomBytes(24).toString('base64url')
  const server = createServer((request, response) => {
    void answer(program, key, request, response).catch((error: unknown) =>
      reply(response, 502, problem(error instanceof Error ? error.message : String(error))),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await program.close()
    },
  }
}

async function answer(
  program: DriverProcess,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.headers.authorization !== `Bearer ${key}`) return reply(response, 401, problem('no control key'))
  const text = await bodyOf(request)
  const body = text === '' ? undefined : parseJson(text)
  const { method = 'GET', url = '/' } = request
  const controlRequest = { method, path: url, ...(body === undefined ? {} : { body }) }
  const outcome = await program.call(controlRequest, answersMs)
  const status = outcome.kind === 'answer' ? outcome.fields['status'] : undefined
  if (
    outcome.kind === 'answer' &&
    typeof status === 'number' &&
    Number.isInteger(status) &&
    status >= 200 &&
    status < 600
  )
    return reply(response, status, outcome.fields['body'])
  return reply(response, 502, problem(`control.command: ${method} ${url}: ${why(outcome)}`))
}

function why(outcome: DriverReply): string {
  if (outcome.kind === 'answer')
    return `expected an answer with a "status", got ${JSON.stringify(outcome.fields).slice(0, 120)}`
  if (outcome.kind === 'unsupported') return `unsupported: ${outcome.why}; leave it out of the capabilities`
  if (outcome.kind === 'silent') return `no answer within ${outcome.afterMs / 1000} s`
  if (outcome.kind === 'garbage')
    return `expected one JSON object a line with the id, got ${outcome.line.slice(0, 120)}`
  return `the command ${outcome.how}${outcome.stderr === '' ? '' : `: ${outcome.stderr.trim().slice(-200)}`}`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new Error('the body is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, text === '' || status === 204 ? {} : { 'content-type': 'application/json' })
  response.end(status === 204 ? undefined : text)
}

function problem(message: string): object {
  return { code: 'control_command', message, fix: 'Look at the command that answers the control interface.' }
}
