// The same catalogue on the reference in every mode a user may run it in: a correct service never fails, no case errors, and skipped cases
// name the way to enable them in one line. `npm run lab -- modes` runs it alone on the machine.
import { describe, expect, test } from 'vitest'
import { runSuite, type Report } from '../../harness/index.js'
import type { ServiceTarget } from '../../harness/service/index.js'
import {
  allCapabilities,
  defaultPolicy,
  startReferenceServer,
  type Capability,
  type Policy,
  type ReferenceServer,
} from '../../reference/server/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { connectTo, stagingConfiguration, unfairCases } from '../testing/unfair-verdicts.js'
import { isWhole } from '../testing/whole.js'

/** Far above what a mode takes on two free cores. */
const longestMs = 240_000

interface Mode {
  readonly capabilities?: readonly Capability[]
  readonly policy?: Partial<Policy>
  readonly target?: (server: ReferenceServer) => Promise<Partial<ServiceTarget>>
  readonly concurrency?: number
}

const without = (...withdrawn: readonly Capability[]) =>
  allCapabilities.filter((capability) => !withdrawn.includes(capability))

async function judge({ capabilities, policy, target, concurrency }: Mode): Promise<Report> {
  const server = await startReferenceServer({
    control: true,
    capabilities: capabilities ?? allCapabilities,
    policy: policy ?? {},
  })
  const subject = await connectTo(server, {
    control: { url: server.controlUrl ?? '', key: server.controlKey ?? '' },
    ...(await target?.(server)),
  })
  try {
    const tool = { name: 'modes', version: '0' }
    return await runSuite(serviceCases, subject, {
      seed: 7,
      tool,
      ...(concurrency === undefined ? {} : { concurrency }),
    })
  } finally {
    await subject.close()
    await server.close()
  }
}

function expectFair(report: Report, least: number): void {
  expect(unfairCases(report)).toEqual([])
  for (const { id, reason } of report.cases.filter(({ status }) => status === 'skipped'))
    expect(reason, id).toMatch(/^(needs|takes|no case that ran) [^\n]+$/)
  expect(report.summary.cases.passed).toBeGreaterThanOrEqual(least)
}

/** The second number is the least number of cases that must pass: a mode that skips more has lost cases. */
const quick: readonly (readonly [name: string, mode: Mode, least: number])[] = [
  ['no capability events', { capabilities: without('events') }, 150],
  ['no capability sending', { capabilities: without('sending') }, 210],
  ['no capability dns', { capabilities: without('dns') }, 190],
  ['no capability egress', { capabilities: without('egress') }, 105],
  ['no capability workspaces, in an org without events', { capabilities: without('workspaces') }, 45],
  ['no capability at all', { capabilities: [] }, 44],
  ['a base URL and a key', { target: async () => ({ control: undefined }) }, 44],
  ['a base URL alone', { target: async () => ({ control: undefined, apiKey: undefined }) }, 0],
]

const slow: typeof quick = [
  ['no capability clock', { capabilities: without('clock') }, 190],
  [
    'no capability workspaces, with a configuration',
    { capabilities: without('workspaces'), target: stagingConfiguration },
    138,
  ],
  [
    'the capability egress alone, with a configuration',
    { capabilities: ['egress'], target: stagingConfiguration },
    106,
  ],
  ['the same, 32 cases side by side', { capabilities: ['egress'], target: stagingConfiguration, concurrency: 32 }, 106],
  [
    'the same, where no field of a delivery names its event',
    { capabilities: ['egress'], target: stagingConfiguration, policy: { shownDelivery: withoutEventId } },
    106,
  ],
]

function withoutEventId(delivery: Parameters<Policy['shownDelivery']>[0]): Readonly<Record<string, unknown>> {
  const { event_id: _, ...shown } = defaultPolicy.shownDelivery(delivery)
  return shown
}

// With all other tests the machine is too busy for whole runs: `npm run lab -- modes` has it for itself.
describe.skipIf(!isWhole).each([
  ['', quick],
  [' in real time', slow],
])('a correct service is judged fairly%s with', (_pace, modes) => {
  test.each(modes)('%s', async (_name, mode, least) => expectFair(await judge(mode), least), longestMs)
})
