import {
  concurrency,
  connectSender,
  findMissingOfSender,
  type SenderProfile,
  type SenderTarget,
} from '../../harness/sender/index.js'
import { retryDelaysMs } from '../../spec/index.js'
import { senderCases } from '../../suites/sender/index.js'
import { quoted, secretWord } from '../cli/command-line.js'
import { listening } from '../cli/listening.js'
import { sanitize } from '../cli/output.js'
import { profileOf, schemeKey, schemeOf } from '../cli/scheme.js'
import { headerFamilies } from '../cli/option-values.js'
import { scheduleOf } from '../cli/schedule.js'
import { readSettings, type Settings } from '../cli/settings.js'
import { listenerTls } from '../cli/tls.js'
import { hostAndPort, httpUrl, oneOf, signingSecret, UsageError, wholeNumber } from '../cli/usage.js'
import { runSession } from '../run/session.js'
import { writeError } from '../cli/output.js'

const defaultListen = '127.0.0.1:8443'
const sends =
  'It listens, runs the trigger or prompts for each event, and answers deliveries with every kind of status.'

/** `conformance sender`: judges a program by the webhooks it sends. Resolves to the exit code. */
export async function sender(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('sender', flags)
  const target = targetOf(settings)
  const listen = settings.text('listen') ?? defaultListen
  const print = (line: string) => writeError(`${sanitize(line)}\n`)
  return runSession({
    settings: fewAtOnce(settings, target),
    catalogue: senderCases,
    target: { kind: 'sender', name: `the sender at ${target.publicUrl ?? listen}` },
    connect: async () => {
      const place = hostAndPort('--listen', listen)
      const subject = await listening('--listen', place, () => connectSender({ ...target, print }))
      print(`Listening. Register ${subject.name}`)
      return subject
    },
    planned: () => ({
      findMissing: (need) => findMissingOfSender(need, target),
      concurrency,
      forecast: {
        additions: target.schedule === undefined ? ['--schedule'] : [`--retry-depth ${target.schedule.length + 1}`],
        findMissingWith: (added) => (need) =>
          findMissingOfSender(
            need,
            added.length === 0 ? target : { ...target, schedule: target.schedule ?? [5_000, 5_000], retryDepth: 100 },
          ),
      },
    }),
    again: [
      `conformance sender --secret ${secretWord('CONFORMANCE_SECRET')}`,
      ...(
        [
          'listen',
          'public-url',
          'trigger',
          'tls-cert',
          'tls-key',
          'ca-out',
          'profile',
          'schedule',
          'header-names',
          'scheme',
        ] as const
      ).flatMap((name) => {
        const value = settings.source(name) === 'file' ? undefined : settings.text(name)
        return value === undefined ? [] : [`--${name} ${quoted(value)}`]
      }),
      ...(settings.isOn('wait') ? ['--wait'] : []),
    ].join(' '),
    sends,
  })
}

/** Cases side by side where a person causes each event: the others wait for their turn. */
function fewAtOnce(settings: Settings, { trigger }: SenderTarget): Settings {
  if (trigger !== undefined || settings.text('concurrency') !== undefined) return settings
  return { ...settings, text: (name) => (name === 'concurrency' ? '4' : settings.text(name)) }
}

function targetOf(settings: Settings): SenderTarget {
  const secret = settings.text('secret')
  const scheme = schemeOf(settings)
  if (secret === undefined)
    throw new UsageError(
      `sender needs the secret the sender signs with: --secret ${scheme === undefined ? 'whsec_…' : '<secret>'} (or CONFORMANCE_SECRET)`,
    )
  if (scheme === undefined) signingSecret(secret)
  else schemeKey(scheme, secret)
  if (scheme !== undefined && settings.text('header-names') !== undefined)
    throw new UsageError(`--header-names: the scheme ${scheme.name} names its headers itself; leave out --header-names`)
  const listen = hostAndPort('--listen', settings.text('listen') ?? defaultListen)
  const publicUrl = settings.text('public-url')
  if (publicUrl !== undefined) httpUrl('--public-url', publicUrl)
  const trigger = settings.text('trigger')
  if (trigger !== undefined && settings.isOn('wait'))
    throw new UsageError('--trigger and --wait are two ways to cause an event: give one')
  const profile = profileOf(settings, scheme)
  const given = settings.text('schedule')
  const schedule = given === undefined ? usualSchedule(profile) : scheduleOf(given)
  const attempts = (schedule?.length ?? retryDelaysMs.length - 1) + 1
  const depth = settings.text('retry-depth')
  const timeout = settings.text('timeout')
  const { own: tls, onAuthority } = listenerTls(settings)
  return {
    secret,
    listen,
    profile,
    retryDepth: depth === undefined ? Math.min(2, attempts) : wholeNumber('--retry-depth', depth, 1, attempts),
    headerNames: oneOf('--header-names', settings.text('header-names') ?? 'webhook', headerFamilies),
    ...(scheme === undefined ? {} : { scheme }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(trigger === undefined ? {} : { trigger }),
    ...(tls === undefined ? {} : { tls }),
    ...(onAuthority === undefined ? {} : { onAuthority }),
    ...(timeout === undefined ? {} : { patienceMs: wholeNumber('--timeout', timeout, 1, 0x7fffffff) }),
  }
}

function usualSchedule(profile: SenderProfile): readonly number[] | undefined {
  return profile === 'interface' ? retryDelaysMs.slice(1) : undefined
}
