// What `sign` and `send` sign.
import type { SchemeSample } from '../../fixtures/index.js'
import { memberOf, parseJson } from '../../harness/reading.js'
import type { SignatureScheme } from '../../harness/schemes/index.js'
import { Delivery, newSecret, sampleData } from '../../harness/signing.js'
import { eventTypes, type EventType } from '../../spec/index.js'
import { schemeOf, schemeSecret } from './scheme.js'
import { readBytes, readStandardInput, type Settings } from './settings.js'
import { oneOf, signingSecret, UsageError, wholeNumber } from './usage.js'
import { headerFamilies } from './words.js'

/** A delivery of a body of the user's, or of a sample event of the interface or of the scheme. */
export async function deliveryOf(settings: Settings, command: 'sign' | 'send'): Promise<Delivery> {
  const scheme = schemeOf(settings)
  const secret = secretOf(settings, command, scheme)
  const now = Math.floor(Date.now() / 1000)
  const timestamp = settings.text('timestamp')
  const own = await bodyOf(settings, command)
  const mark = newSecret(9)
    .slice('whsec_'.length)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '0')
  const id = idOf(settings, own, scheme) ?? `evt_${mark}`
  if (!/^[\x21-\x7e]+$/.test(id))
    throw new UsageError(`--id ${id}: expected visible ASCII characters without a space, since it is sent in a header`)
  const sample = sampleOf(settings, scheme, { id, now, mark })
  const url = settings.text('url')
  return new Delivery(
    {
      id,
      timestamp: timestamp === undefined ? now : wholeNumber('--timestamp', timestamp, 0),
      secret,
      body: own ?? Buffer.from(JSON.stringify(sample.body)),
      // Of a body to sign no byte is changed, wherever the scheme has its id and its timestamp.
      ...(own === undefined || command === 'send' ? {} : { signed: { body: own } }),
      ...(sample.headers === undefined ? {} : { eventHeaders: sample.headers }),
    },
    {
      family: oneOf('--header-names', settings.text('header-names') ?? 'webhook', headerFamilies),
      ...(scheme === undefined ? {} : { scheme }),
      ...(url === undefined ? {} : { url }),
    },
  )
}

function secretOf(settings: Settings, command: string, scheme: SignatureScheme | undefined): string {
  const given = settings.text('secret')
  const form = scheme === undefined ? 'whsec_…' : '<secret>'
  if (given === undefined) throw new UsageError(`${command} needs a secret: --secret ${form} (or CONFORMANCE_SECRET)`)
  return scheme === undefined ? signingSecret(given) : schemeSecret(scheme, given)
}

/** The body of `--body`, if it is given. */
async function bodyOf(settings: Settings, command: string): Promise<Buffer | undefined> {
  const path = settings.text('body')
  if (path !== undefined && settings.source('event') === 'flag')
    throw new UsageError('--event makes its own body: leave out either it or --body')
  if (command === 'sign' && path === undefined)
    throw new UsageError('sign needs the bytes to sign: --body <file>, or --body - for standard input')
  if (path === undefined) return undefined
  return path === '-' ? readStandardInput('--body') : readBytes('--body', path)
}

/** The id of `--id`, or the one in the body. */
function idOf(settings: Settings, body: Buffer | undefined, scheme: SignatureScheme | undefined): string | undefined {
  const field = scheme === undefined ? 'id' : scheme.data.id?.field
  const own = body === undefined || field === undefined ? undefined : memberOf(parseJson(body.toString()), field)
  return settings.text('id') ?? (typeof own === 'string' ? own : undefined)
}

type Sample = Pick<SchemeSample, 'headers' | 'body'>

/** The sample that `--event` names: of the scheme, or of the interface. */
function sampleOf(
  settings: Settings,
  scheme: SignatureScheme | undefined,
  { id, now, mark }: { readonly id: string; readonly now: number; readonly mark: string },
): Sample {
  const samples = scheme?.data.samples ?? []
  const [first] = samples
  if (first !== undefined) {
    const names = samples.map(({ name }) => name)
    return samples[names.indexOf(oneOf('--event', settings.text('event') ?? first.name, names))] ?? first
  }
  const types = Object.keys(eventTypes) as EventType[]
  const type = oneOf('--event', settings.text('event') ?? 'message.received', types)
  const data = sampleData(type, { inboxId: 'ibx_1', workspaceId: 'wsp_1', mark })
  return { body: { id, type, timestamp: new Date(now * 1000).toISOString(), data } }
}
