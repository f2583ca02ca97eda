import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  concurrency,
  connectReceiver,
  findMissingOfReceiver,
  ownEventsOf,
  OwnEventsProblem,
  forecastReceiver,
  type OwnEvent,
} from '../../harness/receiver/index.js'
import { unreadable } from '../../harness/parsing.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { accessOf, accessWords, refuseSignedHeaders } from '../cli/access.js'
import { quoted, secretWord } from '../cli/command-line.js'
import { paceOf } from '../run/service-target.js'
import { runSession } from '../run/session.js'
import { profileOf, schemeOf, schemeSecret } from '../cli/scheme.js'
import { headerFamilies } from '../cli/option-values.js'
import { readFile, readSettings, type Settings } from '../cli/settings.js'
import { httpUrl, oneOf, positiveNumber, signingSecret, UsageError } from '../cli/usage.js'

const sends = 'It posts signed, forged, stale and malformed deliveries to the URL; the largest body is half a megabyte.'

/** Load where only one of `--rps` and `--duration` is given. */
const defaultLoad = { perSecond: '10', seconds: '10' }

/** `conformance receiver`: judges a webhook endpoint. Resolves to the exit code. */
export async function receiver(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('receiver', flags)
  const url = settings.text('url')
  const secret = settings.text('secret')
  if (url === undefined)
    throw new UsageError(
      'receiver needs a target: --url <url> (or CONFORMANCE_URL, or endpoint.url of the configuration)',
    )
  httpUrl('--url', url)
  const scheme = schemeOf(settings)
  if (secret === undefined)
    throw new UsageError(
      `receiver needs the secret the endpoint was given: --secret ${scheme === undefined ? 'whsec_…' : '<secret>'} (or CONFORMANCE_SECRET)`,
    )
  if (scheme === undefined) signingSecret(secret)
  else schemeSecret(scheme, secret)
  const access = accessOf(settings, url)
  refuseSignedHeaders(access.headers ?? {})
  const { maxRps } = paceOf(settings)
  const load = loadOf(settings)
  const profile = profileOf(settings, scheme)
  const eventsPath = settings.path('events')
  const ownEvents = eventsPath === undefined ? [] : eventsAt(eventsPath, scheme === undefined)
  const headerNames = oneOf('--header-names', settings.text('header-names') ?? 'webhook', headerFamilies)
  const handledUrl = handledUrlOf(settings.text('handled-url'))
  const { origin, pathname } = new URL(url)
  const wanted = {
    load,
    profile,
    ownEvents,
    ...(handledUrl === undefined ? {} : { handledUrl }),
    ...(scheme === undefined ? {} : { scheme }),
  }
  return runSession({
    settings,
    catalogue: receiverCases,
    target: { kind: 'receiver', name: `${origin}${pathname}` },
    connect: (signal) =>
      connectReceiver(
        {
          url,
          secret,
          access,
          maxRps,
          headerNames,
          keepsConcurrency: settings.text('concurrency') !== undefined,
          ...wanted,
          ...(scheme === undefined ? {} : { schemeWord: settings.text('scheme') ?? scheme.name }),
        },
        { checksDelivery: true, signal },
      ),
    planned: () => ({
      findMissing: (need) => findMissingOfReceiver(need, wanted),
      concurrency,
      forecast: forecastReceiver(wanted),
    }),
    again: [
      // A query may contain a token: then the whole URL is a variable.
      `conformance receiver --url ${new URL(url).search === '' ? quoted(url) : secretWord('CONFORMANCE_URL')}`,
      `--secret ${secretWord('CONFORMANCE_SECRET')}`,
      ...accessWords(settings),
      ...(load === undefined ? [] : [`--rps ${load.perSecond} --duration ${load.seconds}`]),
      ...(profile === 'interface' || scheme !== undefined ? [] : [`--profile ${profile}`]),
      ...(scheme === undefined ? [] : [`--scheme ${quoted(settings.text('scheme') ?? scheme.name)}`]),
      ...(eventsPath === undefined ? [] : [`--events ${quoted(eventsPath)}`]),
      ...(headerNames === 'webhook' ? [] : [`--header-names ${headerNames}`]),
      ...(handledUrl === undefined
        ? []
        : [
            `--handled-url ${new URL(handledUrl).search === '' ? quoted(handledUrl) : secretWord('CONFORMANCE_HANDLED_URL')}`,
          ]),
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

function handledUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  httpUrl('--handled-url', text.replaceAll('{id}', 'evt_1'))
  if (!text.includes('{id}'))
    throw new UsageError(`--handled-url ${text}: expected {id} instead of the event id; quote the URL for the shell`)
  return text
}

/** The event bodies of a file, or of every file of a folder in the order of their names. */
function eventsAt(path: string, isIdCut: boolean): readonly OwnEvent[] {
  try {
    const isFolder = statSync(path).isDirectory()
    const names = isFolder ? readdirSync(path, { withFileTypes: true }).filter((dirent) => dirent.isFile()) : []
    const files = names.map((dirent) => dirent.name).filter((name) => !name.startsWith('.'))
    const events = isFolder
      ? files.toSorted().flatMap((name) => ownEventsOf(name, readFile('--events', join(path, name)), { isIdCut }))
      : ownEventsOf(path, readFile('--events', path), { isIdCut })
    if (events.length === 0) throw new UsageError(`--events ${path}: the folder contains no files`)
    return events
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof OwnEventsProblem) throw new UsageError(`--events: ${error.message}`)
    throw new UsageError(`--events ${path}: ${unreadable(path, error)}`)
  }
}
