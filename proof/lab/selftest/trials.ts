import { connectClient } from '../../../harness/client/index.js'
import { inProcessDriver } from '../../../harness/driver/index.js'
import { connectReceiver } from '../../../harness/receiver/index.js'
import { connectSender } from '../../../harness/sender/index.js'
import { connectService } from '../../../harness/service/index.js'
import { newSecret } from '../../../harness/signing.js'
import { connectVerifier } from '../../../harness/verifier/index.js'
import type { EventType, RequirementId, SubjectKind } from '../../../spec/index.js'
import {
  clientMutants,
  receiverMutants,
  senderMutants,
  serverMutants,
  verifierMutants,
  type AnyMutant,
} from '../../mutants/index.js'
import { clientCases } from '../../../suites/client/index.js'
import { receiverCases } from '../../../suites/receiver/index.js'
import { senderCases } from '../../../suites/sender/index.js'
import { serviceCases } from '../../../suites/service/index.js'
import { verifierCases } from '../../../suites/verifier/index.js'
import { referenceTarget } from '../../../bin/reference/target.js'
import { startedSubject, type StartedSubject } from './started-subject.js'
import { clientHandler } from './client-driver.js'
import { withMutant, type Startable } from '../../../bin/reference/deviations.js'
import type { MutantTrial } from './mutants.js'
import { verifierHandler } from './verifier-driver.js'

/** The reference server. */
export async function startService({ entry, policy }: Startable<'server'>, seed: number): Promise<StartedSubject> {
  const server = await entry.startReferenceServer({ control: true, policy })
  const close = () => server.close()
  try {
    const subject = await connectService(referenceTarget(server))
    return startedSubject(subject, serviceCases, { seed, close })
  } catch (error) {
    await close()
    throw error
  }
}

/** The reference receiver. */
export async function startReceiver(
  { entry, policy }: Startable<'receiver'>,
  seed: number,
  { reportsHandled = false } = {},
): Promise<StartedSubject> {
  const secret = newSecret()
  const server = await entry.startReferenceReceiver({ secret, policy, handledPath: '/handled/' })
  const subject = await connectReceiver({
    url: server.url,
    secret,
    access: { insecure: false },
    maxRps: Number.POSITIVE_INFINITY,
    load: undefined,
    ...(reportsHandled && server.handledUrl !== undefined ? { handledUrl: server.handledUrl } : {}),
  })
  return startedSubject(subject, receiverCases, { seed, close: () => server.close() })
}

/** Starts the reference verifier with the driver protocol. */
export async function startVerifier({ entry }: Startable<'verifier'>, seed: number): Promise<StartedSubject> {
  const source = inProcessDriver('reference', () => verifierHandler(entry))
  return startedSubject(await connectVerifier(source), verifierCases, { seed })
}

/** Starts the reference client with the driver protocol. */
export async function startClient({ entry, policy }: Startable<'client'>, seed: number): Promise<StartedSubject> {
  const source = inProcessDriver('reference', () => clientHandler(entry, policy))
  return startedSubject(await connectClient(source), clientCases, { seed })
}

/** Delays that a selftest can wait for, in milliseconds; those of the interface take hours. */
const shortSchedule = [2_000, 2_500] as const

/** The reference sender, in real time. */
export async function startSender({ entry, policy }: Startable<'sender'>, seed: number): Promise<StartedSubject> {
  const secret = newSecret()
  const sender = entry.startReferenceSender({ secret, policy: { schedule: shortSchedule, ...policy } })
  const subject = await connectSender({
    secret,
    listen: { host: '127.0.0.1', port: 0 },
    profile: 'interface',
    schedule: shortSchedule,
    retryDepth: shortSchedule.length + 1,
    headerNames: 'webhook',
    trigger: ({ type, url }) => void sender.send(url.replace(/^https:/, 'http:'), type as EventType),
  })
  return startedSubject(subject, senderCases, { seed, close: async () => sender.close() })
}

/** Every mutant of every kind. */
export function mutantTrials(seed: number): readonly MutantTrial[] {
  return [
    ...serverMutants.map((mutant) =>
      trial('service', mutant, async () => startService(await withMutant('server', mutant), seed)),
    ),
    ...receiverMutants.map((mutant) =>
      trial('receiver', mutant, async () =>
        startReceiver(await withMutant('receiver', mutant), seed, { reportsHandled: isAboutEffects(mutant) }),
      ),
    ),
    ...verifierMutants.map((mutant) =>
      trial('verifier', mutant, async () => startVerifier(await withMutant('verifier', mutant), seed)),
    ),
    ...senderMutants.map((mutant) =>
      trial('sender', mutant, async () => startSender(await withMutant('sender', mutant), seed)),
    ),
    ...clientMutants.map((mutant) =>
      trial('client', mutant, async () => startClient(await withMutant('client', mutant), seed)),
    ),
  ]
}

/** Requirements that only a count of handled events can settle. */
const effects: readonly RequirementId[] = ['RCV-019', 'RCV-024', 'RCV-025']

function isAboutEffects({ breaks }: AnyMutant): boolean {
  return breaks.some((requirement) => effects.includes(requirement))
}

function trial(kind: SubjectKind, { id, title, breaks }: AnyMutant, start: () => Promise<StartedSubject>): MutantTrial {
  return { id, kind, title, breaks, start }
}
