// `serve sender`: a correct sender of webhooks, which sends one event for each POST it gets.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventTypes, retryDelaysMs, type EventType } from '../../spec/index.js'
import { installLoopbackGuard, isLoopback } from '../../harness/loopback.js'
import { newSecret } from '../../harness/signing.js'
import { startReferenceSender, type AttemptEnd, type AttemptFacts } from '../../reference/sender/index.js'
import { quoted } from '../cli/command-line.js'
import { writeOutput } from '../cli/output.js'
import { addressText } from '../cli/listening.js'
import { scheduleOf } from '../cli/schedule.js'
import type { Settings } from '../cli/settings.js'
import { httpUrl, signingSecret, UsageError } from '../cli/usage.js'

/** The default address of `conformance sender`. */
const defaultUrl = 'http://127.0.0.1:8443/webhooks'
const types = Object.keys(eventTypes) as EventType[]

export interface SenderPlace {
  readonly host: string
  readonly port: number
  /** PEM of an authority to trust. */
  readonly ca: string | undefined
}

/** Serves until it is closed. Rejects with the system's error where the port cannot be had. */
export async function startSender({ host, port, ca }: SenderPlace, settings: Settings) {
  const secret = signingSecret(settings.text('secret') ?? newSecret())
  const target = targetOf(settings)
  const given = settings.text('schedule')
  const schedule = given === undefined ? retryDelaysMs.slice(1) : scheduleOf(given)
  const sender = startReferenceSender({
    secret,
    policy: { schedule },
    onAttempt: (facts, end) => writeOutput(attemptLine(facts, end, settings.isOn('json'))),
    ...(ca === undefined ? {} : { ca }),
  })
  const server = createServer((request, response) => answer(request, response, (type) => sender.send(target, type)))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const own = (server.address() as AddressInfo).port
  const url = `http://${addressText({ host, port: own })}`
  const trigger = `curl -fsS -X POST ${url}/send/$CONFORMANCE_EVENT_TYPE`
  const listen = new URL(target).host
  const lines = [
    `Reference sender   ${url}`,
    `Secret             ${secret}`,
    `Sends to           ${target}`,
    `One event          curl -fsS -X POST ${url}/send/message.received`,
    `Judge it           conformance sender --secret ${secret} --listen ${listen} --trigger ${quoted(trigger)}${given === undefined ? '' : ` --schedule ${given}`}`,
    'Interrupt to stop.',
  ]
  return {
    facts: { url, secret, target, trigger },
    lines,
    async close() {
      sender.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** `--url`, on loopback unless `--public-egress` is given. */
function targetOf(settings: Settings): string {
  const target = httpUrl('--url', settings.text('url') ?? defaultUrl)
  if (settings.isOn('public-egress')) return target
  if (!isLoopback(new URL(target).hostname))
    throw new UsageError(
      `--url ${target}: deliveries go to loopback addresses only; --public-egress lifts this for a receiver of yours`,
    )
  installLoopbackGuard()
  return target
}

/** `POST /send/<type>`; without a type it is `message.received`. */
function answer(request: IncomingMessage, response: ServerResponse, send: (type: EventType) => string): void {
  const print = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
  request.resume()
  const [, name] = /^\/send(?:\/([a-z.]*))?$/.exec(request.url?.split('?')[0] ?? '') ?? [undefined, undefined]
  const type = name === undefined || name === '' ? 'message.received' : types.find((known) => known === name)
  if (!/^\/send(?:\/|$)/.test(request.url ?? '')) print(404, { message: 'POST /send/<event type> sends one event' })
  else if (request.method !== 'POST') print(405, { message: 'expected POST' })
  else if (type === undefined) print(400, { message: `no such event type; expected ${types.join(', ')}` })
  else print(202, { id: send(type), type })
}

function attemptLine({ event, number }: AttemptFacts, end: AttemptEnd, isJson: boolean): string {
  const sentAt = new Date().toISOString()
  const result = end.kind === 'answered' ? String(end.status) : end.kind === 'timeout' ? 'no answer' : 'no connection'
  if (isJson)
    return `${JSON.stringify({ sent_at: sentAt, webhook_id: event.id, type: event.type, attempt: number, result })}\n`
  return `${sentAt}  ${result}  ${event.type}  ${event.id}  attempt ${number}\n`
}
