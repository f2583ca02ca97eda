import { connectReceiver } from '../../harness/receiver/subject.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { runSession } from '../session.js'
import { readSettings } from '../settings.js'
import { httpUrl, positiveNumber, UsageError } from '../usage.js'

const sends =
  'It posts signed, forged, stale and malformed deliveries to the URL; the largest body has half a megabyte.'

/** `conformance receiver`: judges a webhook endpoint. Resolves to the exit code. */
export async function receiver(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings(flags)
  const url = settings.text('url')
  const secret = settings.text('secret')
  if (url === undefined) throw new UsageError('receiver needs a target: --url <url>')
  if (secret === undefined)
    throw new UsageError('receiver needs the secret the endpoint was given: --secret whsec_… (or CONFORMANCE_SECRET)')
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) throw new UsageError('--secret: expected whsec_ followed by base64')
  httpUrl('--url', url)
  const headers = Object.fromEntries(settings.list('header').map(headerOf))
  const maxRps = settings.text('max-rps')
  const perSecond = settings.text('rps')
  const seconds = settings.text('duration')
  const load =
    perSecond === undefined && seconds === undefined
      ? undefined
      : {
          perSecond: positiveNumber('--rps', perSecond ?? '10'),
          seconds: positiveNumber('--duration', seconds ?? '10'),
        }
  const isInsecure = settings.isOn('insecure')
  return runSession({
    settings,
    catalogue: receiverCases,
    connect: () =>
      connectReceiver({
        url,
        secret,
        headers,
        insecure: isInsecure,
        maxRps: maxRps === undefined ? Number.POSITIVE_INFINITY : positiveNumber('--max-rps', maxRps),
        load,
      }),
    again: `conformance receiver --url ${withoutQuery(url)} --secret "$CONFORMANCE_SECRET"${isInsecure ? ' --insecure' : ''}`,
    sends,
  })
}

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim()
  const value = text.slice(colon + 1).trim()
  if (colon < 1 || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || /[\r\n\0]/.test(value))
    throw new UsageError(`--header ${text.slice(0, Math.max(colon, 0))}: expected "name: value"`)
  return [name.toLowerCase(), value]
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
