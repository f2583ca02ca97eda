/**
 * The entry `webhook-conformance/vitest`: the cases as tests of vitest.
 *
 * @example
 * ```ts
 * import { conformanceTests } from 'webhook-conformance/vitest'
 *
 * conformanceTests('service', async () => ({ baseUrl: (await startMyService()).url, apiKey: 'key_test' }))
 * ```
 *
 * @module
 */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createKnownFailures, randomSeed, runCases, selectCases, type KnownFailure } from '../../harness/index.js'
import { failureText } from '../../harness/reporters/index.js'
import type { SubjectKind } from '../../spec/index.js'
import { withOwnCases, type JudgeOptions } from './judge.js'
import { targetKinds, type Targets } from './targets.js'

export type { DriverAt, ReceiverAt, SenderAt, ServiceAt, Targets } from './targets.js'

export interface ConformanceTestOptions extends Pick<
  JudgeOptions,
  'suites' | 'cases' | 'requirements' | 'ownCases' | 'level' | 'seed' | 'runs' | 'timeoutMs'
> {
  /** Name of the group (default: `conformance of the service`, …). */
  readonly name?: string
  /** Concurrent tests, as many as vitest's `maxConcurrency`; one after the other by default. */
  readonly concurrent?: boolean
  /** Failures that are forgiven: reported as skipped with their reason; one that passes fails. */
  readonly knownFailures?: readonly KnownFailure[]
}

/** A case that the target failed, or that could not run; its message is complete. */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure'

  constructor(message: string) {
    super(message)
    // The place of the throw in this file helps no reader.
    this.stack = `${this.name}: ${message}`
  }
}

/** Longest time of one case, and what its clean-up may take on top, in milliseconds. */
const limits = { caseMs: 60_000, cleanupMs: 30_000 }

/**
 * Registers one test for each case of a kind, called `<case id>: <title>`. A case with a missing capability is skipped with the one thing
 * that would enable it. `target` may be a function, called once before the first test. A failure names the sentence, the expected and the
 * actual value, and the seed; `CONFORMANCE_SEED` repeats it.
 *
 * @example conformanceTests('service', async () => ({ baseUrl: (await startMyService()).url, apiKey: 'key_test' }))
 */
export function conformanceTests<Kind extends SubjectKind>(
  kind: Kind,
  target: Targets[Kind] | (() => Targets[Kind] | Promise<Targets[Kind]>),
  options: ConformanceTestOptions = {},
): void {
  const {
    name = `conformance of the ${kind}`,
    concurrent = false,
    suites = [],
    cases = [],
    requirements,
    level,
  } = options
  const seed = options.seed ?? seedOfEnvironment() ?? randomSeed()
  const entries = options.knownFailures ?? []
  const known = createKnownFailures(entries, new Date().toISOString().slice(0, 10))
  const ofKind = targetKinds[kind]
  const catalogue = withOwnCases(kind, ofKind.cases, options.ownCases)
  const stale = known.problems([], new Set(catalogue.map((testCase) => testCase.id)))
  if (stale.length > 0) throw new Error(stale.map((one) => one.message).join('\n'))
  const chosen = selectCases(catalogue, {
    suites,
    cases,
    ...(requirements === undefined ? {} : { requirements }),
    ...(level === undefined ? {} : { level }),
  })
  let connecting: ReturnType<typeof ofKind.connect> | undefined

  const register = (testCase: (typeof chosen)[number]): void => {
    const timeout = (testCase.timeoutMs ?? options.timeoutMs ?? limits.caseMs) + limits.cleanupMs
    test(`${testCase.id}: ${testCase.title}`, { timeout }, async (context) => {
      if (connecting === undefined) throw new Error('the target is not connected')
      const [result] = await runCases([testCase], await connecting, {
        seed,
        knownFailures: known,
        signal: context.signal,
        reproduce: (id) => `CONFORMANCE_SEED=${seed} npx vitest run -t '${id}'`,
        ...(options.runs === undefined ? {} : { runs: options.runs }),
        ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      })
      if (result === undefined) return
      if (result.status === 'skipped') context.skip(result.reason)
      if (result.known_failure) context.skip(`known failure: ${known.reasonFor(testCase.id) ?? ''}`)
      if (result.status !== 'passed') throw new ConformanceFailure(failureText(result))
      const problems = known.problems([result], new Set(entries.map((entry) => entry.case)))
      if (problems.length > 0) throw new ConformanceFailure(problems.map((one) => one.message).join('\n'))
    })
  }

  describe(name, () => {
    beforeAll(async () => {
      connecting = ofKind.connect(typeof target === 'function' ? await target() : target)
      await connecting
    })
    afterAll(async () => (await connecting)?.close())
    describe('cases', { concurrent }, () => chosen.filter((testCase) => testCase.phase !== 'last').forEach(register))
    // They judge what every other case has seen.
    const last = chosen.filter((testCase) => testCase.phase === 'last')
    if (last.length > 0) describe('afterwards', { concurrent: false }, () => last.forEach(register))
  })
}

function seedOfEnvironment(): number | undefined {
  const text = process.env['CONFORMANCE_SEED'] ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}
