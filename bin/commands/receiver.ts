import { connectReceiver } from '../../harness/receiver/subject.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { quoted, secretWord } from '../command-line.js'
import { paceOf } from '../service-target.js'
import { runSession } from '../session.js'
import { readSettings, type Settings } from '../settings.js'
import { httpUrl, positiveNumber, UsageError } from '../usage.js'

const sends =
  'It posts signed, forged, stale and malformed deliveries to the URL; the largest body has half a megabyte.'

/** Load where only one of `--rps` and `--duration` is given. */
const defaultLoad = { perSecond: '10', seconds: '10' }

/** `conformance receiver`: judges a webhook endpoint. Resolves to the exit code. */
export async function receiver(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings(flags)
  const url = settings.text('url')
  const secret = settings.text('secret')
  if (url === undefined) throw new UsageError('receiver needs a target: --url <url>')
  httpUrl('--url', url)
  if (secret === undefined)
    throw new UsageError('receiver needs the secret the endpoint was given: --secret whsec_… (or CONFORMANCE_SECRET)')
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) throw new UsageError('--secret: expected whsec_ followed by base64')
  const headers = Object.fromEntries(settings.list('header').map(headerOf))
  const { maxRps } = paceOf(settings)
  const load = loadOf(settings)
  const insecure = settings.isOn('insecure')
  const { origin, pathname } = new URL(url)
  return runSession({
    settings,
    catalogue: receiverCases,
    target: { kind: 'receiver', name: `${origin}${pathname}` },
    connect: () => connectReceiver({ url, secret, headers, insecure, maxRps, load }),
    again: [
      // A query may hold a token: then the whole URL stands as a variable.
      `conformance receiver --url ${new URL(url).search === '' ? quoted(url) : secretWord('CONFORMANCE_URL')}`,
      `--secret ${secretWord('CONFORMANCE_SECRET')}`,
      ...Object.keys(headers).map((name) => `--header "${name}: $${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}"`),
      ...(insecure ? ['--insecure'] : []),
      ...(load === undefined ? [] : [`--rps ${load.perSecond} --duration ${load.seconds}`]),
    ].join(' '),
    sends,
  })
}

function loadOf(settings: Settings): { perSecond: number; seconds: number } | undefined {
  const perSecond = settings.text('rps')
  const seconds = settings.text('duration')
  if (perSecond === undefined && seconds === undefined) return undefined
  return {
    perSecond: positiveNumber('--rps', perSecond ?? defaultLoad.perSecond),
    seconds: positiveNumber('--duration', seconds ?? defaultLoad.seconds),
  }
}

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim()
  const value = text.slice(colon + 1).trim()
  if (colon < 1 || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new UsageError(`--header ${text.slice(0, Math.max(colon, 0))}: expected "name: value"`)
  return [name.toLowerCase(), value]
}
