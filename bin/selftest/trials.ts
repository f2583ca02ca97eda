import { connectClient } from '../../harness/client/subject.js'
import { inProcessDriver } from '../../harness/driver/in-process.js'
import { connectReceiver } from '../../harness/receiver/subject.js'
import { connectService } from '../../harness/service/subject.js'
import { connectVerifier } from '../../harness/verifier/subject.js'
import { newSecret } from '../../harness/wire/signing.js'
import type { ClientPolicy } from '../../reference/client/index.js'
import { clientMutants } from '../../reference/mutants/client.js'
import { receiverMutants } from '../../reference/mutants/receiver.js'
import { serverMutants } from '../../reference/mutants/server.js'
import { verifierMutants } from '../../reference/mutants/verifier.js'
import { startReferenceReceiver, type ReceiverPolicy } from '../../reference/receiver/index.js'
import { startReferenceServer, type Policy } from '../../reference/server/index.js'
import { verifierPolicy, type VerifierPolicy } from '../../reference/verifier/index.js'
import { clientCases } from '../../suites/client/index.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { verifierCases } from '../../suites/verifier/index.js'
import { referenceTarget } from '../reference-target.js'
import { benchOn, type Bench } from './bench.js'
import { clientHandler } from './client-driver.js'
import type { MutantTrial } from './mutants.js'
import { verifierHandler } from './verifier-driver.js'

/** The reference server with a policy. */
export async function serviceBench(policy: Partial<Policy>, seed: number): Promise<Bench> {
  const server = await startReferenceServer({ control: true, policy })
  const close = () => server.close()
  try {
    const subject = await connectService(referenceTarget(server))
    return benchOn(subject, serviceCases, { seed, close })
  } catch (error) {
    await close()
    throw error
  }
}

/** The reference receiver with a policy. */
export async function receiverBench(policy: Partial<ReceiverPolicy>, seed: number): Promise<Bench> {
  const secret = newSecret()
  const receiver = await startReferenceReceiver({ secret, policy })
  const subject = await connectReceiver({
    url: receiver.url,
    secret,
    headers: {},
    insecure: false,
    maxRps: Number.POSITIVE_INFINITY,
    load: undefined,
  })
  return benchOn(subject, receiverCases, { seed, close: () => receiver.close() })
}

/** The reference verifier with a policy, behind the driver protocol. */
export async function verifierBench(policy: Partial<VerifierPolicy>, seed: number): Promise<Bench> {
  const source = inProcessDriver('reference', () => verifierHandler({ ...verifierPolicy, ...policy }))
  return benchOn(await connectVerifier(source), verifierCases, { seed })
}

/** The reference client with a policy, behind the driver protocol. */
export async function clientBench(policy: Partial<ClientPolicy>, seed: number): Promise<Bench> {
  const source = inProcessDriver('reference', () => clientHandler(policy))
  return benchOn(await connectClient(source), clientCases, { seed })
}

/** Every mutant of every kind. */
export function mutantTrials(seed: number): readonly MutantTrial[] {
  return [
    ...serverMutants.map(
      (each) => ({ ...each, kind: 'service', start: () => serviceBench(each.policy, seed) }) as const,
    ),
    ...receiverMutants.map(
      (each) => ({ ...each, kind: 'receiver', start: () => receiverBench(each.policy, seed) }) as const,
    ),
    ...verifierMutants.map(
      (each) => ({ ...each, kind: 'verifier', start: () => verifierBench(each.policy, seed) }) as const,
    ),
    ...clientMutants.map((each) => ({ ...each, kind: 'client', start: () => clientBench(each.policy, seed) }) as const),
  ]
}
