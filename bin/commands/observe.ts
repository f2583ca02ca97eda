import { createKnownFailures, type Report } from '../../harness/index.js'
import {
  CaptureProblem,
  judgeFiles,
  markedPath,
  nameOf,
  TrafficJudge,
  trafficReport,
  type JudgedTraffic,
  type MarkedPath,
} from '../../harness/observe/index.js'
import { memberOf, normalizeBaseUrl } from '../../harness/parsing.js'
import { trafficCases } from '../../suites/traffic/index.js'
import { sanitize, writeError } from '../cli/output.js'
import { quoted } from '../cli/command-line.js'
import { commandName, tool } from '../cli/package.js'
import { readSettings, type Settings } from '../cli/settings.js'
import { isStandardOutputBroken } from '../cli/standard-output.js'
import { listenerTls } from '../cli/tls.js'
import type { FromThread } from '../observe/judging.js'
import type { LiveOptions } from '../observe/live.js'
import { hostAndPort, httpUrl, positiveNumber, rootUrl, signingSecret, UsageError } from '../cli/usage.js'
import { entriesOfRun, readKnownFailures } from '../run/known-failures-file.js'
import { requestedReporters, openReporters, type ReporterGroup } from '../run/reporting.js'
import { exitCodeOf } from '../run/session.js'

/** `conformance observe`: judges traffic, in passing or from captures. Resolves to the exit code. */
export async function observe(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('observe', flags, { isService: needsFile(flags) })
  const from = settings.list('from')
  const requested = requestedReporters(settings)
  const knownPath = settings.path('known-failures')
  // The catalogue is half of what the command would load.
  const entries =
    knownPath === undefined ? [] : readKnownFailures(knownPath, (await import('../run/catalogue.js')).catalogue)
  const known = createKnownFailures(
    await entriesOfRun(entries, trafficCases, []),
    new Date().toISOString().slice(0, 10),
  )
  const startedAt = new Date()
  const notes: string[] = []
  const name = from.length > 0 ? from.join(', ') : (baseUrlOf(settings) ?? settings.text('webhooks') ?? '')
  const live = from.length > 0 ? undefined : liveOptions(settings)
  // Before anything is watched: what hours have shown is not lost for want of a place to write it to.
  const reporters = await openReporters(requested, settings)
  try {
    const seen: JudgedTraffic & Partial<FromThread> =
      live === undefined ? await judgeCaptures({ settings, from, notes }) : await watchTraffic(live)
    const report = trafficReport(seen, {
      cases: trafficCases,
      tool: tool(),
      name,
      startedAt,
      knownFailures: known,
      notes,
      failure: seen.failure,
      ...(from.length === 0 ? {} : { reproduce: `${commandName()} observe --from ${from.map(quoted).join(' ')}` }),
    })
    const problems = known.problems(report.cases, new Set(trafficCases.map((testCase) => testCase.id)))
    const whole: Report = problems.length === 0 ? report : { ...report, known_failure_problems: problems }
    notify(reporters, whole)
    const isReported = reporters.close() && !isStandardOutputBroken()
    if (seen.unwritten !== undefined)
      throw new UsageError(`--record ${live?.record ?? ''}: cannot be written (${seen.unwritten})`)
    return exitCodeOf(whole, { isStrict: settings.isOn('strict'), isReported })
  } finally {
    reporters.close()
  }
}

/** Observes traffic until the signal. Resolves to the observations. */
async function watchTraffic(options: LiveOptions): Promise<FromThread> {
  const { watchLive } = await import('../observe/live.js')
  return watchLive(options)
}

/** Returns where to listen and what to keep. Throws `UsageError` for invalid options. */
function liveOptions(settings: Settings): LiveOptions {
  const baseUrl = baseUrlOf(settings)
  const webhooks = settings.text('webhooks')
  if (baseUrl === undefined && webhooks === undefined)
    throw new UsageError('observe needs traffic: --base-url <url> of a service, or --from <file> of a capture')
  if (webhooks === undefined && settings.text('webhook-listen') !== undefined)
    throw new UsageError('--webhook-listen: say where deliveries are forwarded to: --webhooks <receiver url>')
  if (baseUrl === undefined && settings.source('listen') === 'flag')
    throw new UsageError('--listen: say where requests are forwarded to: --base-url <url>')
  if (webhooks !== undefined) httpUrl('--webhooks', webhooks)
  const at = (option: 'listen' | 'webhook-listen') => hostAndPort(`--${option}`, settings.text(option) ?? '127.0.0.1:0')
  const duration = settings.text('duration')
  return {
    secrets: secretsOf(settings),
    scopes: scopesOf(settings),
    proxy: baseUrl === undefined ? undefined : { at: at('listen'), to: new URL(baseUrl) },
    gateway: webhooks === undefined ? undefined : { at: at('webhook-listen'), to: new URL(webhooks) },
    record: settings.path('record'),
    tls: listenerTls(settings),
    marked: markedPaths(settings),
    durationMs: duration === undefined ? undefined : positiveNumber('--duration', duration) * 1_000,
    print: (line) => writeError(`${sanitize(line)}\n`),
  }
}

/** Returns whether the settings file is needed: it is expanded only if its service matters. */
function needsFile(flags: Readonly<Record<string, unknown>>): boolean {
  return flags['config'] !== undefined || flags['from'] === undefined
}

/** The base URL, without `/v1`; undefined where none is given. */
function baseUrlOf(settings: Settings): string | undefined {
  const url = settings.text('base-url')
  return url === undefined ? undefined : normalizeBaseUrl(rootUrl('--base-url', url))
}

/** The inboxes to which keys of the configuration are limited. */
function scopesOf(settings: Settings): ReadonlyMap<string, string> {
  const inboxes = memberOf(settings.file, 'inboxes')
  const scopes = new Map<string, string>()
  for (const inbox of Array.isArray(inboxes) ? inboxes : []) {
    const [id, key] = [memberOf(inbox, 'id'), memberOf(inbox, 'api_key')]
    if (typeof id === 'string' && typeof key === 'string') scopes.set(nameOf('key', key), id)
  }
  return scopes
}

/** `--redact`, path by path. */
function markedPaths(settings: Settings): readonly MarkedPath[] {
  return settings.list('redact').map((text) => {
    const path = markedPath(text)
    if (path === undefined) throw new UsageError(`--redact ${text}: expected a JSON path, such as $.data.subject`)
    return path
  })
}

async function judgeCaptures({
  settings,
  from,
  notes,
}: {
  readonly settings: Settings
  readonly from: readonly string[]
  readonly notes: string[]
}): Promise<JudgedTraffic> {
  const ofPassing = [
    'listen',
    'webhooks',
    'webhook-listen',
    'record',
    'duration',
    'tls-cert',
    'tls-key',
    'ca-out',
  ] as const
  for (const option of ofPassing)
    if (settings.source(option) === 'flag')
      throw new UsageError(`--${option} is for live traffic, and --from for captures: give one of them`)
  // The base URL of the configuration is that of another run: captures are judged by the user's options here.
  const baseUrl = settings.source('base-url') === 'file' ? undefined : baseUrlOf(settings)
  const url = baseUrl === undefined ? undefined : new URL(baseUrl)
  const judge = new TrafficJudge({ scopes: scopesOf(settings) })
  const reading = judgeFiles(judge, {
    paths: from,
    address: url === undefined ? undefined : { host: url.host, prefix: url.pathname.replace(/\/$/, '') },
    secrets: secretsOf(settings),
    marked: markedPaths(settings),
    onNote: (note) => notes.push(note),
  })
  await reading.catch((error: unknown) => {
    throw error instanceof CaptureProblem ? new UsageError(`--from ${error.message}`) : error
  })
  judge.finish()
  return judge.ledger
}

function secretsOf(settings: Settings): readonly string[] {
  return settings.list('secret').map(signingSecret)
}

function notify(reporters: ReporterGroup, report: Report): void {
  reporters.each((reporter) => {
    reporter.onRunStart?.({ subject: report.subject, cases: report.cases.length, seed: report.seed })
    for (const result of report.cases) reporter.onCaseEnd?.(result)
    reporter.onRunEnd?.(report)
  })
}
