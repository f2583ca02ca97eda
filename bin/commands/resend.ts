// Recorded deliveries, sent again.
import { diagnoseByScheme } from '../../harness/diagnose/index.js'
import { CaptureProblem, isDelivery, readDeliveries, type RecordedDelivery } from '../../harness/observe/index.js'
import { ownScheme, schemeOfHeaders, SignatureScheme } from '../../harness/schemes/index.js'
import { Secrets, visible } from '../../harness/safe-text.js'
import { accessOf, refuseSignedHeaders } from '../cli/access.js'
import { writeError, writeOutput } from '../cli/output.js'
import { postDelivery } from '../cli/post-delivery.js'
import { idOf, inTwo, linesOf, signedNow, type Lines } from '../cli/recorded-delivery.js'
import { schemeOf, schemeSecret } from '../cli/scheme.js'
import type { Settings } from '../cli/settings.js'
import { exitCodes, UsageError } from '../cli/usage.js'

/** A recorded delivery, read by its scheme. */
interface Readable {
  readonly recorded: RecordedDelivery
  readonly scheme: SignatureScheme
  readonly id: string | undefined
}

/** Options that describe a new delivery. */
const ofNewDeliveries = ['secret', 'event', 'body', 'id', 'timestamp', 'header-names'] as const
/** Ids that an error lists, at most. */
const maxListed = 20

/** `conformance send --from`: 0 if each delivery got a 2xx, 1 if one did not, 3 if one got no answer or could not be sent. */
export async function resend(settings: Settings, url: string): Promise<number> {
  const secret = settings.text('sign-with')
  const isAsIs = settings.isOn('as-is')
  for (const name of ofNewDeliveries)
    if (settings.source(name) === 'flag')
      throw new UsageError(
        `--${name} is for a new delivery, and --from for recorded ones: leave one out${name === 'secret' ? ' (the secret for --from is --sign-with)' : ''}`,
      )
  if (isAsIs && secret !== undefined)
    throw new UsageError('--as-is keeps the recorded signature, and --sign-with makes a new one: leave one out')
  if (!isAsIs && secret === undefined)
    throw new UsageError(
      'send --from needs a secret to sign the deliveries now: --sign-with <secret>; or --as-is to send the recorded signature',
    )
  const access = accessOf(settings, url)
  refuseSignedHeaders(access.headers ?? {})
  const deliveries = await chosenDeliveries(settings)
  if (secret !== undefined) for (const { scheme } of deliveries) schemeSecret(scheme, secret, '--sign-with')
  const secrets = new Secrets()
  if (secret !== undefined) secrets.add(secret)
  for (const value of Object.values(access.headers ?? {})) secrets.addHeader(value)
  const { HttpClient } = await import('../../harness/service-calls.js')
  const http = new HttpClient({ access })
  const codes: number[] = []
  try {
    for (const delivery of deliveries) {
      const id = delivery.id ?? 'without an id'
      const { body, missing } = delivery.recorded
      if (body === undefined) {
        writeOutput(`${visible(`${id}  not sent: its body was not recorded (${missing ?? ''})`)}\n`)
        codes.push(exitCodes.noVerdict)
        continue
      }
      const lines = isAsIs
        ? recordedLines(delivery)
        : linesOf(signedNow({ ...delivery, body }, { secret: secret ?? '', url }), delivery.recorded.headers)
      const code = await postDelivery(http, {
        url,
        ...inTwo(lines.headers, access.headers),
        body: lines.body,
        id,
        secrets,
      })
      const why = isAsIs && code === exitCodes.nonconformant ? staleness(delivery) : undefined
      if (why !== undefined) writeOutput(`  ${why}\n`)
      codes.push(code)
    }
  } finally {
    await http.close()
  }
  return codes.find((code) => code === exitCodes.nonconformant) ?? Math.max(...codes)
}

/** Reads the deliveries of `--from`, and chooses those of `--delivery`. */
async function chosenDeliveries(settings: Settings): Promise<readonly Readable[]> {
  const paths = settings.list('from')
  const given = schemeOf(settings)
  const found = await readDeliveries({
    paths,
    isDelivery: (request) =>
      given === undefined
        ? isDelivery(request) || schemeOfHeaders(request.headers) !== undefined
        : request.headers.some(([name]) => name.toLowerCase() === given.data.signature.header),
    onNote: (note) => writeError(`Note: ${visible(note)}.\n`),
  }).catch((error: unknown) => {
    throw error instanceof CaptureProblem ? new UsageError(`--from ${error.message}`) : error
  })
  const deliveries = found.map((recorded): Readable => {
    const found = schemeOfHeaders(recorded.headers)
    const scheme = given ?? (found === undefined ? ownScheme : new SignatureScheme(found))
    return { recorded, scheme, id: idOf({ headers: recorded.headers, body: recorded.body ?? Buffer.alloc(0) }, scheme) }
  })
  const [first] = deliveries
  if (first === undefined)
    throw new UsageError(
      `--from ${paths.join(', ')}: no deliveries in it; record some with listen --record <file>${given === undefined ? ', or name their --scheme' : ''}`,
    )
  const wanted = settings.text('delivery')
  if (wanted === undefined) return deliveries
  const chosen = deliveries.filter(({ id }) => id === wanted)
  if (chosen.length > 0) return chosen
  const ids = [...new Set(deliveries.flatMap(({ id }) => id ?? []))]
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : ''
  const list =
    ids.length === 0 ? 'none of the deliveries has an id' : `expected ${ids.slice(0, maxListed).join(', ')}${more}`
  throw new UsageError(`--delivery ${wanted}: no delivery has this id; ${list}`)
}

/** Returns the delivery as it was recorded. */
function recordedLines({ recorded, id }: Readable): Lines {
  if (recorded.isAltered)
    writeError(
      `Note: ${visible(id ?? 'a delivery')}: secrets in it were hidden when it was recorded, so its signature cannot match; use --sign-with.\n`,
    )
  return { headers: recorded.headers, body: recorded.body ?? Buffer.alloc(0) }
}

/** Explains a refusal of a recorded delivery by its age. */
function staleness({ recorded: { headers, body = Buffer.alloc(0) }, scheme }: Readable): string | undefined {
  const now = Math.floor(Date.now() / 1000)
  const { causes } = diagnoseByScheme(scheme, { headers, body, notes: [] }, { secrets: [], now })
  const stale = causes.find(({ cause }) => cause === 'timestamp-stale')
  return stale === undefined ? undefined : `${stale.explanation} To sign it now, use --sign-with <secret>.`
}
