import type { Journal } from '../../harness/service-calls.js'
import { installLoopbackGuard } from '../../harness/loopback.js'
import { plannedSources, forecastService } from '../../harness/planning.js'
import { concurrency, connectService, type ServiceTarget } from '../../harness/service/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { accessWords } from '../cli/access.js'
import { quoted, secretWord } from '../cli/command-line.js'
import { controlCommandOf, unstartedControl, withControlCommand } from '../control/command.js'
import { paceOf, serviceTarget } from '../run/service-target.js'
import { openJournal, type JournalFile } from '../run/journal.js'
import { referenceTarget } from '../reference/target.js'
import { startReferenceThread, type ReferenceThread } from '../reference/thread.js'
import type { Planned } from '../run/plan.js'
import { limitsOf } from '../run/run-options.js'
import { usableAddress } from '../cli/listening.js'
import { runSession } from '../run/session.js'
import { openState } from '../run/state-file.js'
import { watchedPath } from '../run/watch.js'
import { isGiven, readSettings, type Settings } from '../cli/settings.js'
import { exitCodes, UsageError } from '../cli/usage.js'
import { endingSignals } from '../cli/interrupt.js'
import { invocation } from '../cli/invocation.js'

const sends =
  'It creates and deletes webhooks, raises events, sends emails where it may, requests webhooks on addresses that must be refused, and sends malformed requests, all to the base URL only.'

/** `conformance run`: judges a service. Resolves to the exit code. */
export async function run(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const isReference = wantsReference(readSettings('run', flags))
  const settings = readSettings('run', flags, { isService: !isReference })
  if (isReference) return runOnReference(settings)
  if (settings.source('mutant') === 'flag')
    throw new UsageError('--mutant: only the reference server has mistakes to choose from: give --reference')
  if (settings.isOn('dry-run'))
    return runOnService(settings, controlCommandOf(settings) === undefined ? undefined : unstartedControl)
  return withControlCommand(settings, (control) => runOnService(settings, control))
}

async function runOnService(settings: Settings, control: ServiceTarget['control']): Promise<number> {
  const target = serviceTarget(settings, control)
  const statePath = statePathOf(settings)
  const journals = settings.isOn('dry-run') ? {} : openJournals(settings.path('journal'), target)
  try {
    return await runRemote(settings, { target, statePath, journals })
  } finally {
    journals.journal?.end()
    journals.secondJournal?.end()
  }
}

/** Returns the path of the saved progress. Manual reruns must really run: their progress is not saved. */
function statePathOf(settings: Settings): string | undefined {
  const path = settings.path('state')
  const byHand = settings.isOn('ui') ? 'the page' : watchedPath(settings) === undefined ? undefined : '--watch'
  if (path === undefined || byHand === undefined) return path
  if (settings.source('state') !== 'file')
    throw new UsageError(`--state: ${byHand} reruns cases, but a state is for one pass: leave one of them out`)
  return undefined
}

/** One for each key that creates something. */
interface Journals<Each extends Journal = Journal> {
  readonly journal?: Each
  readonly secondJournal?: Each
}

function openJournals(path: string | undefined, target: ServiceTarget): Journals<JournalFile> {
  const { secondApiKey } = target
  const journal = openJournal(path, target)
  const second =
    secondApiKey === undefined ? undefined : openJournal(path, { ...target, apiKey: secondApiKey }, { isSecond: true })
  return {
    ...(journal === undefined ? {} : { journal }),
    ...(second === undefined ? {} : { secondJournal: second }),
  }
}

interface RemoteRun {
  readonly target: ServiceTarget
  readonly statePath: string | undefined
  readonly journals: Journals
}

function runRemote(settings: Settings, { target, statePath, journals }: RemoteRun): Promise<number> {
  if (statePath === undefined || settings.isOn('dry-run'))
    return runOn(settings, { target, again: againOf(settings), journals })
  return runResumably(settings, { target, path: statePath, journals })
}

/** A flag names the target before a variable does, and a variable before the file. */
function wantsReference(settings: Settings): boolean {
  if (!settings.isOn('reference')) return false
  const isFlag = settings.source('reference') === 'flag'
  const isTwice = settings.source('base-url') === settings.source('reference')
  if (isTwice) throw new UsageError('--reference and --base-url name two targets: give one of them')
  if (!isFlag) return settings.source('base-url') !== 'flag'
  const useless = (
    [
      'api-key',
      'second-api-key',
      'control-url',
      'control-key',
      'control-command',
      'header',
      'insecure',
      'ca',
      'client-cert',
      'client-key',
    ] as const
  ).find((name) => settings.source(name) === 'flag')
  if (useless !== undefined) throw new UsageError(`--${useless}: --reference makes its own; leave it out`)
  if (settings.source('state') === 'flag')
    throw new UsageError('--state: the reference server ends with its run, so there is nothing to resume; leave it out')
  if (settings.source('journal') === 'flag')
    throw new UsageError(
      '--journal: the reference server ends with its run, and all that was created on it; leave it out',
    )
  return true
}

interface PlainRun {
  readonly target: ServiceTarget
  /** Starts the target, if it is not there yet; called only when the arguments make sense. */
  readonly start?: () => Promise<ServiceTarget>
  readonly again: string
  readonly journals: Journals
}

function runOn(settings: Settings, { target, start, again, journals }: PlainRun): Promise<number> {
  const { timeoutMs: answerMs } = limitsOf(settings)
  return runSession({
    settings,
    catalogue: serviceCases,
    target: { kind: 'service', name: target.name ?? target.baseUrl },
    connect: async (signal) => {
      const started = (await start?.()) ?? target
      return usableAddress(() => connectService(started, { signal, answerMs, ...journals }))
    },
    again,
    planned: () => plannedRun(target),
    sends,
  })
}

/** Returns the plan from the configuration alone, trusting the control interface: no target is contacted. */
function plannedRun(target: ServiceTarget): Planned {
  const forecast = forecastService(plannedSources(target))
  const hasControl = target.control !== undefined
  return {
    findMissing: forecast.findMissingWith([]),
    concurrency: hasControl ? concurrency.isolated : concurrency.shared,
    forecast,
    assumes: hasControl
      ? 'The control interface was not contacted: the plan assumes that it offers everything.'
      : 'The org was not contacted: the plan assumes that it already has events, emails and a hundred deliveries of one webhook, where the run cannot create them.',
  }
}

/** A run that keeps what it has learnt in a file, and goes on from there where it was stopped. */
async function runResumably(
  settings: Settings,
  { target, path, journals }: { target: ServiceTarget; path: string; journals: Journals },
): Promise<number> {
  const resumable = new Set(
    serviceCases.filter((testCase) => testCase.isResumable === true).map((testCase) => testCase.id),
  )
  const state = openState(path, { baseUrl: target.baseUrl, resumable })
  const { checkpoint } = state
  const { timeoutMs: answerMs } = limitsOf(settings)
  const onSignal = () => checkpoint.interrupt()
  const { signals } = invocation()
  for (const name of endingSignals) signals.on(name, onSignal)
  let code: number = exitCodes.noVerdict
  try {
    code = await runSession({
      settings,
      catalogue: serviceCases,
      target: { kind: 'service', name: target.baseUrl },
      connect: (signal) => usableAddress(() => connectService(target, { signal, checkpoint, answerMs, ...journals })),
      again: againOf(settings),
      planned: () => plannedRun(target),
      sends,
      ...(state.seed === undefined ? {} : { seed: state.seed }),
      onBegin: (seed) => state.begin(seed),
    })
    return code
  } finally {
    for (const name of endingSignals) signals.off(name, onSignal)
    state.end({ isComplete: code === exitCodes.conformant || code === exitCodes.nonconformant })
  }
}

/** Where the reference server would be, until it has started. */
const unstarted = { url: 'http://127.0.0.1', apiKey: 'key', controlUrl: 'http://127.0.0.1/_control', controlKey: 'key' }

/** The reference server in a thread of this process; nothing but loopback can be reached meanwhile. */
async function runOnReference(settings: Settings): Promise<number> {
  const mutant = settings.text('mutant')
  if (mutant !== undefined) await (await import('../reference/served.js')).checkMutant('server', mutant)
  const kind = { ...paceOf(settings), ...(mutant === undefined ? {} : { mutant }) }
  const again = ['conformance run --reference', ...(mutant === undefined ? [] : [`--mutant ${quoted(mutant)}`])].join(
    ' ',
  )
  installLoopbackGuard()
  let server: Promise<ReferenceThread> | undefined
  const start = async () => {
    server ??= startReferenceThread(mutant)
    return referenceTarget((await server).facts, kind)
  }
  try {
    return await runOn(settings, { target: referenceTarget(unstarted, kind), start, again, journals: {} })
  } finally {
    await (await server)?.close()
  }
}

/** Returns the command for the same target; keys are variables, and values of the file are found there again. */
function againOf(settings: Settings): string {
  const words = [`conformance run --base-url ${quoted(settings.text('base-url') ?? '')}`]
  if (isGiven(settings, 'api-key')) words.push(`--api-key ${secretWord('CONFORMANCE_API_KEY')}`)
  if (isGiven(settings, 'second-api-key')) words.push(`--second-api-key ${secretWord('CONFORMANCE_SECOND_API_KEY')}`)
  if (isGiven(settings, 'control-url')) words.push(`--control-url ${quoted(settings.text('control-url') ?? '')}`)
  if (isGiven(settings, 'control-key')) words.push(`--control-key ${secretWord('CONFORMANCE_CONTROL_KEY')}`)
  const command = isGiven(settings, 'control-command') ? controlCommandOf(settings) : undefined
  if (command !== undefined) words.push(`--control-command ${command.shown}`)
  return [...words, ...accessWords(settings)].join(' ')
}
