// One delivery at the shell: signed, sent, verified, or led on to where it is worked on.
import { diagnose as diagnosisOf, diagnoseByScheme, readDelivery } from '../../harness/diagnose/index.js'
import { asText, memberOf, parseJson } from '../../harness/reading.js'
import type { SignatureScheme } from '../../harness/schemes/index.js'
import { Secrets, shortened, visible } from '../../harness/showing.js'
import { accessOf, refuseSignedHeaders } from '../cli/access.js'
import { watchSignals } from '../cli/interrupt.js'
import { listening } from '../cli/listening.js'
import { writeOutput } from '../cli/output.js'
import { schemeOf } from '../cli/scheme.js'
import { readSettings } from '../cli/settings.js'
import { deliveryOf } from '../cli/signed-delivery.js'
import { exitCodes, hostAndPort, httpUrl, oneOf, signingSecret, UsageError } from '../cli/usage.js'
import { textFormats } from '../cli/words.js'
import type { Passed } from '../observe/passed.js'

type Flags = Readonly<Record<string, unknown>>

/** Longest part of an answer that is shown, in characters. */
const maxShown = 500
/** Longest wait for an answer, in milliseconds: beyond it a sender has given the attempt up. */
const answersWithinMs = 15_000

/** `conformance sign`: the three headers of a body. */
export async function sign(flags: Flags): Promise<number> {
  const settings = readSettings('sign', flags)
  const delivery = await deliveryOf(settings, 'sign')
  const headers = Object.entries(delivery.headers).filter(([name]) => name !== 'content-type')
  const format = oneOf('--format', settings.text('format') ?? 'text', textFormats)
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join('')
  writeOutput(format === 'json' ? `${JSON.stringify(Object.fromEntries(headers), null, 2)}\n` : lines)
  return exitCodes.conformant
}

/** `conformance send`: one valid delivery to an endpoint; 0 where it is answered with a 2xx. */
export async function send(flags: Flags): Promise<number> {
  const settings = readSettings('send', flags)
  const url = settings.text('url')
  if (url === undefined) throw new UsageError('send needs an endpoint: --url <url>')
  httpUrl('--url', url)
  const delivery = await deliveryOf(settings, 'send')
  const access = accessOf(settings, url)
  refuseSignedHeaders(access.headers ?? {})
  const secrets = new Secrets()
  secrets.add(delivery.fields.secret)
  for (const value of Object.values(access.headers ?? {})) secrets.addHeader(value)
  const { HttpClient } = await import('../../harness/calling.js')
  const http = new HttpClient({ access })
  try {
    const { headers, fields } = delivery
    const request = { method: 'POST', url, headers, body: fields.body, timeoutMs: answersWithinMs } as const
    const { status, failure, text, durationMs } = await http.send({ ...request, kind: 'receiver', statusOnly: true })
    const said = status === undefined ? (failure ?? 'no answer') : String(status)
    const body = text.trim() === '' ? '' : `\n${shortened(text.trim(), maxShown)}`
    writeOutput(`${visible(secrets.redact(`${fields.id}  ${said} after ${Math.round(durationMs)} ms${body}`))}\n`)
    if (status === undefined) return exitCodes.noVerdict
    return status >= 200 && status < 300 ? exitCodes.conformant : exitCodes.nonconformant
  } finally {
    await http.close()
  }
}

/** `conformance listen --forward-to`: receives deliveries, prints each, and forwards it unchanged, until it is interrupted. */
export async function listen(flags: Flags): Promise<number> {
  const settings = readSettings('listen', flags)
  const to = settings.text('forward-to')
  if (to === undefined) throw new UsageError('listen needs to know where deliveries go: --forward-to <url>')
  const receiver = new URL(httpUrl('--forward-to', to))
  const secret = settings.text('secret')
  const scheme = schemeOf(settings)
  if (secret !== undefined && scheme === undefined) signingSecret(secret)
  const place = settings.text('listen') ?? '127.0.0.1:8443'
  const { openGateway } = await import('../observe/passing.js')
  const interrupt = watchSignals()
  const tell = (passed: Passed) => writeOutput(`${visible(toldOf(passed, secret, scheme))}\n`)
  const nothing = () => {}
  const watch = { creating: nothing, exchange: nothing, streamOpened: nothing, frame: nothing, streamEnded: nothing }
  const at = { ...hostAndPort('--listen', place), tls: undefined }
  const listener = await listening('--listen', at, () => openGateway(at, receiver, { ...watch, delivery: tell }))
  writeOutput(
    `Listening on https://${listener.address} (and http://), forwarding to ${receiver.href}\nInterrupt to stop.\n`,
  )
  await interrupt.come
  await listener.close()
  return exitCodes.conformant
}

/** Formats one line on a delivery: time, answer, event, and whether its signature verifies. */
function toldOf(
  { startedAt, endedAt, headers, body, answer, note }: Passed,
  secret: string | undefined,
  scheme: SignatureScheme | undefined,
): string {
  const event = body === undefined ? undefined : parseJson(Buffer.from(body).toString())
  const ownId = headers.find(([name]) => /^(?:webhook|svix)-id$/i.test(name))?.[1]
  const id =
    (scheme === undefined ? ownId : readDelivery(scheme, { headers, body: body ?? Buffer.alloc(0) }).id) ??
    'without an id'
  const words = [
    new Date(startedAt).toISOString(),
    answer === undefined ? (note ?? 'no answer') : `${answer.status} after ${endedAt - startedAt} ms`,
    asText(memberOf(event, 'type') ?? ''),
    id,
  ]
  if (secret === undefined || body === undefined) return words.join('  ')
  const now = Math.floor(startedAt / 1000)
  const request = { headers, body, notes: [] }
  const { verifies, causes } =
    scheme === undefined
      ? diagnosisOf(request, { secrets: [secret], now, budget: 20_000_000 })
      : diagnoseByScheme(scheme, request, { secrets: [secret], now })
  const why = causes.map(({ explanation }) => `\n  ${explanation}`).join('')
  return `${words.join('  ')}  ${verifies ? 'verifies' : `does not verify${why}`}`
}
