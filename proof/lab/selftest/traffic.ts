// Measures what traffic shows: the kit's own service cases run on a service through the proxy and the gateway of `conformance observe`, and
// its judge sees only the traffic.
import { Recorder, TrafficJudge, type Finding } from '../../../harness/observe/index.js'
import { connectService } from '../../../harness/service/index.js'
import { serverMutants } from '../../mutants/index.js'
import { serverVariants } from '../../variants/server.js'
import { serviceCases } from '../../../suites/service/index.js'
import type { RequirementId } from '../../../spec/index.js'
import { openGateway, openProxy } from '../../../bin/observe/forwarding.js'
import { TrafficWatch } from '../../../bin/observe/watch.js'
import { referenceTarget } from '../../../bin/reference/target.js'
import { startedSubject } from './started-subject.js'
import { withMutant, withVariants, type Startable } from '../../../bin/reference/deviations.js'
import { watchingCases } from './watching-cases.js'

/** The observed subject: one mutant with the cases of the requirements it breaks, or combined variants with every case. */
export type TrafficTrial = { readonly mutant: string } | { readonly variants: readonly string[] }

export interface TrafficResult {
  /** The requirements that traffic was found to break, with the first finding of each. */
  readonly found: readonly Pick<Finding, 'requirement' | 'what' | 'expected' | 'got'>[]
  /** Why not all of it was judged. */
  readonly failure: string | undefined
  /** Cases that failed: none of a service that is right, with the proxy between as without. */
  readonly failed: readonly { readonly caseId: string; readonly message: string }[]
}

/** The sink's own address: the gateway has the one that is registered, on the same port. */
const sinkHost = '127.0.0.5'

/** Watches one service. */
export async function tryTraffic(trial: TrafficTrial, seed: number): Promise<TrafficResult> {
  if ('variants' in trial) {
    const chosen = serverVariants.filter((variant) => trial.variants.includes(variant.id))
    return watched(await withVariants('server', chosen), { seed, cases: serviceCases.map((testCase) => testCase.id) })
  }
  const mutant = serverMutants.find((candidate) => candidate.id === trial.mutant)
  if (mutant === undefined) throw new Error(`no mutant ${trial.mutant}`)
  return watched(await withMutant('server', mutant), { seed, cases: casesOf(mutant.breaks) })
}

/** The cases of these requirements, and those that show a little of everything. */
function casesOf(requirements: readonly RequirementId[]): readonly string[] {
  return serviceCases
    .filter(
      (testCase) =>
        testCase.requirements.some((id) => requirements.includes(id)) || watchingCases.includes(testCase.id),
    )
    .map((testCase) => testCase.id)
}

async function watched(
  { entry, policy }: Startable<'server'>,
  { seed, cases }: { readonly seed: number; readonly cases: readonly string[] },
): Promise<TrafficResult> {
  const judge = new TrafficJudge()
  const watch = new TrafficWatch({ judge, recorder: new Recorder() })
  const server = await entry.startReferenceServer({ control: true, policy })
  const ends: (() => Promise<void>)[] = [() => server.close()]
  try {
    const proxy = await openProxy({ host: '127.0.0.1', port: 0 }, new URL(server.url), watch)
    ends.push(() => proxy.close())
    const { port, close } = await openGatewayBefore(sinkHost, watch)
    ends.push(close)
    const subject = await connectService({
      ...referenceTarget({ ...server, url: `http://${proxy.address}` }),
      receiver: { host: sinkHost, port, publicUrl: `https://127.0.0.1:${port}/` },
    })
    const started = startedSubject(subject, serviceCases, { seed })
    ends.push(() => started.close())
    const results = await started.runCases(cases, { maxRepeats: 0 })
    await started.close()
    ends.pop()
    watch.end()
    judge.finish()
    return {
      found: [...judge.ledger.findings.values()].flatMap((findings) => findings.slice(0, 1)).map(bare),
      failure: watch.failure,
      failed: results
        .filter((result) => result.status === 'failed' && result.level === 'must')
        .map((result) => ({ caseId: result.id, message: result.message ?? result.reason ?? '' })),
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** A gateway on a free port, before what listens on the same port of another address. */
async function openGatewayBefore(host: string, watch: TrafficWatch): Promise<{ port: number; close(): Promise<void> }> {
  const free = await openGateway({ host: '127.0.0.1', port: 0 }, new URL('http://127.0.0.1/'), watch)
  const port = Number(new URL(`http://${free.address}`).port)
  await free.close()
  const gateway = await openGateway({ host: '127.0.0.1', port }, new URL(`http://${host}:${port}/`), watch)
  return { port, close: () => gateway.close() }
}

function bare({ requirement, what, expected, got }: Finding): TrafficResult['found'][number] {
  return { requirement, what, expected, got }
}
