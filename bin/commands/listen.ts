// Deliveries that arrive at a developer's machine: printed, recorded and forwarded.
import { diagnose, diagnoseByScheme, readDelivery, type Diagnosis } from '../../harness/diagnose/index.js'
import { nameOf, Recorder } from '../../harness/observe/index.js'
import { asText, memberOf, parseJson } from '../../harness/reading.js'
import type { SignatureScheme } from '../../harness/schemes/index.js'
import { visible } from '../../harness/showing.js'
import { watchSignals } from '../cli/interrupt.js'
import { listening } from '../cli/listening.js'
import { writeOutput } from '../cli/output.js'
import { schemeOf } from '../cli/scheme.js'
import { readSettings, systemReason } from '../cli/settings.js'
import { exitCodes, hostAndPort, httpUrl, signingSecret, UsageError } from '../cli/usage.js'
import { exchangeOf, type Passed } from '../observe/passed.js'

type Flags = Readonly<Record<string, unknown>>

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
  const { openGateway } = await import('../observe/passing.js')
  const recording = recordPath === undefined ? undefined : await openRecording(recordPath, secret)
  const { startDiagnosePage } = await import('../serve/diagnose-page.js')
  const interrupt = watchSignals()
  const page = await startDiagnosePage({ secrets: secret === undefined ? [] : [secret], scheme: scheme?.data })
  const take = (passed: Passed) => {
    const diagnosis = diagnosePassed(passed, secret, scheme)
    recording?.take(passed, diagnosis)
    const { body, headers } = passed
    const label = describeDelivery(passed, scheme)
    const address = body === undefined ? undefined : page.add({ label, headers, body })
    writeOutput(`${visible(`${label}${describeSignature(diagnosis, address)}`)}\n`)
  }
  const nothing = () => {}
  const watch = { creating: nothing, exchange: nothing, streamOpened: nothing, frame: nothing, streamEnded: nothing }
  const at = { ...hostAndPort('--listen', place), tls: undefined }
  const listener = await listening('--listen', at, () => openGateway(at, receiver, { ...watch, delivery: take }))
  writeOutput(
    `Listening on https://${listener.address} (and http://), forwarding to ${receiver.href}\nEach delivery can be diagnosed at ${page.url}\nInterrupt to stop.\n`,
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
  { startedAt, headers, body }: Passed,
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

/** Formats one line on a delivery: time, answer and event. */
function describeDelivery(
  { startedAt, endedAt, headers, body, answer, note }: Passed,
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
  take(passed: Passed, diagnosis: Diagnosis | undefined): void
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
