// A whole service on plain node:http, written from the interface alone. Prints where it is as one line of JSON, serves
// until its standard input ends. `--without clock,dns` withdraws capabilities of the control interface.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { answerFor, notFound, parseJson, readBody, Refusal, writeAnswer, type Answer } from './answers.js'
import { WorkspaceClock } from './clock.js'
import { answerControl, capabilities, newControlKey, type Capability } from './control.js'
import { Egress } from './egress.js'
import { cancel, getEmail, listEmails, reschedule, sendBatch, sendEmail } from './emails.js'
import { openStream, pollEvents } from './events.js'
import { State, type Caller } from './state.js'
import { createWebhook, deleteWebhook, listDeliveries, listWebhooks, replay } from './webhooks.js'

/** Added to each answer, as a machine in the next room would, in milliseconds. */
const answerMs = 4
const controlPath = '/test-control'

const flag = process.argv.indexOf('--without')
const withdrawn = (flag === -1 ? '' : (process.argv[flag + 1] ?? '')).split(',')
const offered = new Set<Capability>(capabilities.filter((capability) => !withdrawn.includes(capability)))
const state = new State()
const egress = new Egress()
const controlKey = newControlKey()
const [home] = state.addWorkspace(new WorkspaceClock(), 1, 2).projects

function bearer(request: IncomingMessage): string | undefined {
  return /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
}

function forbidden(): Refusal {
  return new Refusal(403, 'no_valid_key', { message: 'no valid API key', fix: 'Send Authorization: Bearer <key>.' })
}

interface Asked {
  readonly caller: Caller
  readonly query: URLSearchParams
  readonly ids: readonly string[]
  readonly text: string
  readonly request: IncomingMessage
}

type Route = readonly [method: string, path: RegExp, answer: (asked: Asked) => Answer]

const post = { state, egress }
const routes: readonly Route[] = [
  ['POST', /^\/v1\/webhooks$/, ({ caller, text }) => createWebhook(caller, parseJson(text), egress)],
  ['GET', /^\/v1\/webhooks$/, ({ caller }) => listWebhooks(caller)],
  ['DELETE', /^\/v1\/webhooks\/([^/]+)$/, ({ caller, ids: [id = ''] }) => deleteWebhook(caller, id)],
  [
    'GET',
    /^\/v1\/webhooks\/([^/]+)\/deliveries$/,
    ({ caller, ids: [id = ''], query }) => listDeliveries(caller, id, query),
  ],
  [
    'POST',
    /^\/v1\/webhooks\/([^/]+)\/deliveries\/([^/]+)\/replay$/,
    ({ caller, ids: [id = '', deliveryId = ''] }) => replay(caller, { id, deliveryId }, egress),
  ],
  ['GET', /^\/v1\/events$/, ({ caller, query }) => pollEvents(caller, query)],
  ['POST', /^\/v1\/emails$/, (asked) => once(asked, () => sendEmail(asked.caller, parseJson(asked.text), post))],
  [
    'POST',
    /^\/v1\/emails\/batch$/,
    (asked) => {
      const mode = asked.query.get('batchValidation') ?? asked.query.get('batch_validation') ?? ''
      return once(asked, () => sendBatch(asked.caller, { body: parseJson(asked.text), mode }, post))
    },
  ],
  ['GET', /^\/v1\/emails$/, ({ caller, query }) => listEmails(caller, query)],
  ['GET', /^\/v1\/emails\/([^/]+)$/, ({ caller, ids: [id = ''] }) => getEmail(caller, id)],
  [
    'PATCH',
    /^\/v1\/emails\/([^/]+)$/,
    ({ caller, ids: [id = ''], text }) => reschedule(caller, { id, body: parseJson(text) }),
  ],
  ['POST', /^\/v1\/emails\/([^/]+)\/cancel$/, ({ caller, ids: [id = ''] }) => cancel(caller, id)],
]

/** The first answer to an idempotency key is the answer to all; another body under the same key is refused. */
function once({ caller, request, text }: Asked, answer: () => Answer): Answer {
  const name = request.headers['idempotency-key']
  if (typeof name !== 'string' || name === '') return answer()
  const key = `${request.url ?? ''} ${caller.key} ${name}`
  const first = caller.project.firstAnswers.get(key)
  if (first !== undefined) {
    if (first.body === text) return { status: first.status, value: first.value }
    throw new Refusal(409, 'key_in_use', { message: 'this key stands for another body', fix: 'Use a new key.' })
  }
  const { status, value } = answer()
  caller.project.firstAnswers.set(key, { body: text, status, value })
  return { status, value }
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://service.invalid')
  const text = await readBody(request)
  const method = request.method ?? ''
  if (url.pathname === controlPath || url.pathname.startsWith(`${controlPath}/`)) {
    if (bearer(request) !== controlKey)
      throw new Refusal(401, 'no_control_key', { message: 'no control key', fix: 'Send it as Bearer.' })
    const path = url.pathname.slice(controlPath.length) || '/'
    return answerControl({ state, egress, offered }, { method, path, body: text === '' ? undefined : parseJson(text) })
  }
  const caller = state.callers.get(bearer(request) ?? '')
  if (caller === undefined) throw forbidden()
  const fitting = routes.filter(([, path]) => path.test(url.pathname))
  const route = fitting.find(([verb]) => verb === method)
  if (route === undefined && fitting.length > 0)
    throw new Refusal(405, 'wrong_method', { message: `${method} is not for this`, fix: 'Use another method.' })
  if (route === undefined) throw notFound(`path ${url.pathname}`)
  const ids = route[1].exec(url.pathname)?.slice(1) ?? []
  return route[2]({ caller, query: url.searchParams, ids, text, request })
}

const server = createServer((request, response) => {
  void (async () => {
    const given = await answer(request).catch((error: unknown) => {
      // The control interface answers 400 where the API answers 422.
      const told = answerFor(error)
      const isControl = request.url?.startsWith(controlPath) === true
      return isControl && told.status === 422 ? { ...told, status: 400 } : told
    })
    await pause(answerMs)
    writeAnswer(response, given)
  })().catch(() => response.destroy())
})

server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => socket.destroy())
  const url = new URL(request.url ?? '/', 'http://service.invalid')
  if (url.pathname !== '/v1/events/ws') {
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    return
  }
  const caller = state.callers.get(bearer(request) ?? url.searchParams.get('token') ?? '')
  openStream(request, socket, { head, caller, after: url.searchParams.get('after') })
})

server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const facts = {
    url,
    apiKey: home?.key,
    controlUrl: `${url}${controlPath}`,
    controlKey,
    domain: home?.domain,
    inboxes: home?.inboxes.map(({ id, address, key }) => ({ id, address, apiKey: key })),
  }
  process.stdout.write(`${JSON.stringify(facts)}\n`)
})
process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
