// The services and the client that share no code with the reference, as conforming subjects.
import { freePort } from '../../../harness/webhook-sink.js'
import { connectClient } from '../../../harness/client/index.js'
import { driverCommand } from '../../../harness/driver/index.js'
import { connectService, type ServiceTarget } from '../../../harness/service/index.js'
import type { RequirementId, SubjectKind } from '../../../spec/index.js'
import { clientCases } from '../../../suites/client/index.js'
import { serviceCases } from '../../../suites/service/index.js'
import {
  clientCommand,
  commandOf,
  independentServices,
  startIndependent,
  type IndependentFacts,
  type IndependentService,
} from '../independent-services.js'
import { referenceTarget } from '../../../bin/reference/target.js'
import { startedSubject, type StartedSubject } from './started-subject.js'

/** An independent service, and how much of it a run is let see. */
interface ServiceTrial {
  readonly service: IndependentService
  /** Capabilities of its control interface that are withdrawn. */
  readonly without: readonly string[]
  /** The run knows its org, inboxes and sink from a configuration. */
  readonly isConfigured: boolean
}

/** The independent client, and its decisions on open points. */
interface ClientTrial {
  readonly freedoms: readonly string[]
}

export type IndependentTrial = ServiceTrial | ClientTrial

const capabilities = ['workspaces', 'events', 'sending', 'clock', 'dns', 'egress'] as const
const allBut = (kept: string) => capabilities.filter((capability) => capability !== kept)

/** Each service whole, with each capability withdrawn (without `clock` in real time), and in one shared org in real time. */
const modes: readonly Omit<ServiceTrial, 'service'>[] = [
  { without: [], isConfigured: false },
  ...capabilities.map((capability) => ({ without: [capability], isConfigured: false })),
  { without: capabilities, isConfigured: false },
  { without: allBut('egress'), isConfigured: true },
]

/** The client by default, and all of its other decisions, as many together as possible. */
export const clientFreedoms: readonly (readonly string[])[] = [
  [],
  [
    'full-jitter',
    'keeps-connections',
    'charset',
    'escapes-everything',
    'keys-on-everything',
    'flat-errors',
    'creates-once',
    'phrases-as-they-are',
    'gives-up-after-a-time-out',
  ],
  [
    'long-waits',
    'chunks',
    'absolute-targets',
    'lower-case-headers',
    'empty-objects',
    'lists-recipients',
    'other-codes',
    'nested-errors',
    'whole-seconds',
    'creates-until-answered',
    'local-times',
    'tells-the-status-that-came',
  ],
  ['decorrelated-jitter', 'longer-than-asked', 'one-at-a-time'],
]

/** Returns the trials of the services and of the client that can start here, and the reasons for the others. */
export function independentTrials(): {
  readonly trials: readonly IndependentTrial[]
  readonly missing: readonly string[]
} {
  const commands = independentServices.map((service) => ({ service, command: commandOf(service) }))
  const able = commands.filter(({ command }) => 'argv' in command)
  const client = clientCommand([])
  return {
    trials: [
      ...able.flatMap(({ service }) => modes.map((mode) => ({ service, ...mode }))),
      ...('missing' in client ? [] : clientFreedoms.map((freedoms) => ({ freedoms }))),
    ],
    missing: [
      ...commands.flatMap(({ service, command }) => ('missing' in command ? [`${service}: ${command.missing}`] : [])),
      ...('missing' in client ? [`client: ${client.missing}`] : []),
    ],
  }
}

/** Advice that a service does not follow. */
const ignoredBy: Readonly<Record<IndependentService, readonly RequirementId[]>> = {
  node: [],
  // A key of one inbox is shown the deliveries of every webhook of its project.
  python: ['SCOPE-012'],
}

export function ignoredByIndependent(trial: IndependentTrial): ReadonlySet<RequirementId> {
  if ('service' in trial) return new Set(ignoredBy[trial.service])
  return new Set(trial.freedoms.includes('tells-the-status-that-came') ? ['CLI-035'] : [])
}

export function kindOf(trial: IndependentTrial): SubjectKind {
  return 'service' in trial ? 'service' : 'client'
}

export function nameOf(trial: IndependentTrial): string {
  if ('freedoms' in trial) return ['independent client', ...trial.freedoms].join(' + ')
  const { service, without, isConfigured } = trial
  const missing = without.length === 0 ? '' : ` without ${without.join(', ')}`
  return `independent ${service}${missing}${isConfigured ? ', in a configured org' : ''}`
}

/** Starts it as a process of its own. */
export async function startIndependentTrial(trial: IndependentTrial, seed: number): Promise<StartedSubject> {
  return 'service' in trial ? independentService(trial, seed) : independentClient(trial, seed)
}

async function independentClient({ freedoms }: ClientTrial, seed: number): Promise<StartedSubject> {
  const command = clientCommand(freedoms)
  const [program, ...args] = 'argv' in command ? command.argv : []
  if (program === undefined) throw new Error('the independent client cannot be started')
  return startedSubject(await connectClient(driverCommand({ command: [program, ...args] })), clientCases, { seed })
}

async function independentService(
  { service, without, isConfigured }: ServiceTrial,
  seed: number,
): Promise<StartedSubject> {
  const { facts, close } = await startIndependent(service, without)
  try {
    const configured = isConfigured ? await configuration(facts) : {}
    const subject = await connectService({ ...referenceTarget(facts), name: `independent ${service}`, ...configured })
    return startedSubject(subject, serviceCases, { seed, close })
  } catch (error) {
    await close()
    throw error
  }
}

async function configuration({ domain, inboxes }: IndependentFacts): Promise<Partial<ServiceTarget>> {
  const port = await freePort()
  return {
    from: `Probe <probe@${domain}>`,
    inboxes,
    receiver: { host: '127.0.0.1', port, publicUrl: `https://127.0.0.1:${port}/hooks/` },
  }
}
