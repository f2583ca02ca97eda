// Deliveries that arrive at a developer's machine: printed, recorded and forwarded.
import { diagnose, diagnoseByScheme, readDelivery, type Diagnosis } from '../../harness/diagnose/index.js'
import { nameOf, Recorder } from '../../harness/observe/index.js'
import { asText, memberOf, parseJson } from '../../harness/parsing.js'
import type { SignatureScheme } from '../../harness/schemes/index.js'
import { visible } from '../../harness/safe-text.js'
import { watchSignals } from '../cli/interrupt.js'
import { listening } from '../cli/listening.js'
import { writeOutput } from '../cli/output.js'
import { schemeOf } from '../cli/scheme.js'
import { readSettings, systemReason } from '../cli/settings.js'
import { exitCodes, hostAndPort, httpUrl, signingSecret, UsageError } from '../cli/usage.js'
import { exchangeOf, type ForwardedRequest } from '../observe/forwarded.js'
import type { Answered } from '../serve/inspector.js'

type Flags = Readonly<Record<string, unknown>>

/** Characters of the body of an answer that the page shows. */
const maxAnswer = 16_000

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
  const recordPath = settings.text('record')
  const { openGateway } = await import('../observe/forwarding.js')
  const recording = recordPath === undefined ? undefined : await openRecording(recordPath, secret)
  const { startInspector } = await import('../serve/inspector.js')
  const interrupt = watchSignals()
  const page = await startInspector({ title: 'Listening for deliveries', secret, scheme })
  const take = (passed: ForwardedRequest) => {
    const diagnosis = diagnosePassed(passed, secret, scheme)
    recording?.take(passed, diagnosis)
    const { method, url, headers, body } = passed
    const { pathname, search } = new URL(url)
    const id = idOfPassed(passed, scheme) ?? ''
    const { diagnoseUrl, end } = page.add({ method, path: pathname + search, id, headers, body })
    end(answeredOf(passed, diagnosis))
    writeOutput(`${visible(`${describeDelivery(passed, scheme)}${describeSignature(diagnosis, diagnoseUrl)}`)}\n`)
  }
  const nothing = () => {}
  const watch = { creating: nothing, exchange: nothing, streamOpened: nothing, frame: nothing, streamEnded: nothing }
  const at = { ...hostAndPort('--listen', place), tls: undefined }
  const listener = await listening('--listen', at, () => openGateway(at, receiver, { ...watch, delivery: take }))
  // The page sends the way every delivery takes, so that it is shown, recorded and forwarded.
  const url = `http://${listener.address.replace(/^(?:0\.0\.0\.0|\[::\])(?=:)/, '127.0.0.1')}/`
  page.serves({ url, signedUrl: receiver.href, forwardsTo: receiver.href })
  writeOutput(
    `Listening on https://${listener.address} (and http://), forwarding to ${receiver.href}\nPage: ${page.url}\nInterrupt to stop.\n`,
  )
  await interrupt.come
  await listener.close()
  await page.close()
  const failure = recording?.close()
  if (failure !== undefined) throw new UsageError(`--record ${recordPath ?? ''}: cannot be written (${failure})`)
  return exitCodes.conformant
}

/** Explains the signature of a delivery; undefined without a secret or a body. */
function diagnosePassed(
  { startedAt, headers, body }: ForwardedRequest,
  secret: string | undefined,
  scheme: SignatureScheme | undefined,
): Diagnosis | undefined {
  if (secret === undefined || body === undefined) return undefined
  const now = Math.floor(startedAt / 1000)
  const request = { headers, body, notes: [] }
  return scheme === undefined
    ? diagnose(request, { secrets: [secret], now, budget: 20_000_000 })
    : diagnoseByScheme(scheme, request, { secrets: [secret], now })
}

/** Returns the id of a delivery, if it has one. */
function idOfPassed({ headers, body }: ForwardedRequest, scheme: SignatureScheme | undefined): string | undefined {
  if (scheme !== undefined) return readDelivery(scheme, { headers, body: body ?? Buffer.alloc(0) }).id
  return headers.find(([name]) => /^(?:webhook|svix)-id$/i.test(name))?.[1]
}

/** Returns the result of a delivery for the page. */
function answeredOf(
  { startedAt, endedAt, answer, note }: ForwardedRequest,
  diagnosis: Diagnosis | undefined,
): Answered {
  return {
    ...(answer === undefined ? {} : { status: answer.status }),
    meaning: answer === undefined ? (note ?? 'no answer') : '',
    durationMs: endedAt - startedAt,
    ...(diagnosis === undefined ? {} : { isVerified: diagnosis.verifies }),
    causes: (diagnosis?.causes ?? []).map(({ explanation, remedy }) => `${explanation} ${remedy}`),
    ...(answer === undefined
      ? {}
      : {
          answer: {
            headers: answer.headers,
            body: Buffer.from(answer.body ?? [])
              .toString()
              .slice(0, maxAnswer),
          },
        }),
  }
}

/** Formats one line on a delivery: time, answer and event. */
function describeDelivery(passed: ForwardedRequest, scheme: SignatureScheme | undefined): string {
  const { startedAt, endedAt, body, answer, note } = passed
  const event = body === undefined ? undefined : parseJson(Buffer.from(body).toString())
  const words = [
    new Date(startedAt).toISOString(),
    answer === undefined ? (note ?? 'no answer') : `${answer.status} after ${endedAt - startedAt} ms`,
    asText(memberOf(event, 'type') ?? ''),
    idOfPassed(passed, scheme) ?? 'without an id',
  ]
  return words.join('  ')
}

/** Formats whether the signature verifies; if not, why, and where more is found. */
function describeSignature(diagnosis: Diagnosis | undefined, address: string | undefined): string {
  if (diagnosis === undefined) return ''
  if (diagnosis.verifies) return '  verifies'
  const why = diagnosis.causes.map(({ explanation }) => explanation)
  return ['  does not verify', ...why, ...(address === undefined ? [] : [address])].join('\n  ')
}

interface Recording {
  take(passed: ForwardedRequest, diagnosis: Diagnosis | undefined): void
  /** Returns why the file could not be written, if so. */
  close(): string | undefined
}

/** Opens the capture file of `--record`. */
async function openRecording(path: string, secret: string | undefined): Promise<Recording> {
  const { CaptureFile } = await import('../observe/capture-file.js')
  const recorder = new Recorder(secret === undefined ? [] : [secret])
  const file = openCapture(() => new CaptureFile(path), path)
  return {
    take(passed, diagnosis) {
      const line = recorder.delivery(exchangeOf(passed, ''))
      const name = secret === undefined ? undefined : nameOf('secret', secret)
      // The recorder knows the scheme of the interface alone.
      const signature =
        diagnosis?.verifies === true && name !== undefined
          ? { verdict: 'right' as const, secret: name }
          : line.signature
      file.write({ ...line, signature })
    },
    close() {
      file.close()
      return file.failure === undefined ? undefined : systemReason(file.failure)
    },
  }
}

function openCapture<T>(open: () => T, path: string): T {
  try {
    return open()
  } catch (error) {
    throw new UsageError(`--record ${path}: cannot be written (${systemReason(error)})`)
  }
}
