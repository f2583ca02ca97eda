// What `sign` and `send` sign.
import type { SchemeSample } from '../../fixtures/index.js'
import { memberOf, parseJson } from '../../harness/parsing.js'
import type { SignatureScheme } from '../../harness/schemes/index.js'
import { Delivery, newSecret, sampleData } from '../../harness/signing.js'
import { eventTypes, type EventType } from '../../spec/index.js'
import { schemeOf, schemeSecret } from './scheme.js'
import { readBytes, readStandardInput, type Settings } from './settings.js'
import { oneOf, signingSecret, UsageError, wholeNumber } from './usage.js'
import { headerFamilies } from './option-values.js'

/** A delivery of a body of the user's, or of a sample event of the interface or of the scheme. */
export async function deliveryOf(settings: Settings, command: 'sign' | 'send'): Promise<Delivery> {
  const scheme = schemeOf(settings)
  const secret = secretOf(settings, command, scheme)
  const now = Math.floor(Date.now() / 1000)
  const timestamp = settings.text('timestamp')
  const own = await bodyOf(settings, command)
  const mark = newMark()
  const id = idOf(settings, own, scheme) ?? `evt_${mark}`
  if (!/^[\x21-\x7e]+$/.test(id))
    throw new UsageError(`--id ${id}: expected visible ASCII characters without a space, since it is sent in a header`)
  const names = sampleNames(scheme)
  const first = scheme?.data.samples?.[0]?.name ?? 'message.received'
  const sample = sampleNamed(oneOf('--event', settings.text('event') ?? first, names), scheme, { id, now, mark })
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

/** Returns characters for an id of its own. */
export function newMark(): string {
  return newSecret(9)
    .slice('whsec_'.length)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '0')
}

/** Returns the names of the sample events: of the scheme, or the types of the interface. */
export function sampleNames(scheme: SignatureScheme | undefined): readonly string[] {
  const own = (scheme?.data.samples ?? []).map(({ name }) => name)
  return own.length > 0 ? own : Object.keys(eventTypes)
}

/** Returns the sample event of one of {@link sampleNames}. */
export function sampleNamed(
  name: string,
  scheme: SignatureScheme | undefined,
  { id, now, mark }: { readonly id: string; readonly now: number; readonly mark: string },
): Pick<SchemeSample, 'headers' | 'body'> {
  const own = scheme?.data.samples?.find((sample) => sample.name === name)
  if (own !== undefined) return own
  const data = sampleData(name as EventType, { inboxId: 'ibx_1', workspaceId: 'wsp_1', mark })
  return { body: { id, type: name, timestamp: new Date(now * 1000).toISOString(), data } }
}
