import {
  randomSeed,
  runSuite,
  type Case,
  type EngineOptions,
  type Report,
  type Selection,
} from '../../harness/index.js'
import { admitOwnCases, type OwnCases } from '../../harness/own-cases.js'
import type { SubjectKind } from '../../spec/index.js'
import { tool } from '../cli/package.js'
import { targetKinds, type Targets } from './targets.js'

/**
 * Which cases run on the target, and how; everything if absent. `cases`, `suites` and `requirements` add to each other, `exclude`, `grep`,
 * `level`, `only` and `shard` narrow their selection.
 */
export interface JudgeOptions extends Partial<Selection>, Partial<Omit<EngineOptions, 'knownFailures'>> {
  /** Your own cases to run as well as those of the kit, with their requirements: the exports of a module for `--cases`. */
  readonly ownCases?: OwnCases
}

/**
 * Puts the cases of one kind to a target and resolves to the report; the connection is closed by then. Rejects where there is
 * no connection or no driver, and for a `cases`, `suites` or `requirements` that matches nothing; never for what the target does.
 *
 * @example const report = await judge('service', { baseUrl: 'http://127.0.0.1:8080', apiKey }, { cases: ['service/retries/*'] })
 */
export async function judge<Kind extends SubjectKind>(
  kind: Kind,
  target: Targets[Kind],
  options: JudgeOptions = {},
): Promise<Report> {
  const {
    suites = [],
    cases = [],
    requirements,
    exclude,
    grep,
    only,
    level,
    shard,
    ownCases,
    seed = randomSeed(),
    ...engine
  } = options
  const ofKind = targetKinds[kind]
  const catalogue = withOwnCases(kind, ofKind.cases, ownCases)
  const subject = await ofKind.connect(target)
  try {
    return await runSuite(catalogue, subject, {
      ...engine,
      seed,
      tool: tool(),
      selection: {
        suites,
        cases,
        ...(requirements === undefined ? {} : { requirements }),
        ...(exclude === undefined ? {} : { exclude }),
        ...(grep === undefined ? {} : { grep }),
        ...(only === undefined ? {} : { only }),
        ...(level === undefined ? {} : { level }),
        ...(shard === undefined ? {} : { shard }),
      },
    })
  } finally {
    await subject.close()
  }
}

/** Returns the cases of a kind, and the own cases of that kind. Throws for an invalid case, and if none is of the kind. */
export function withOwnCases<Context>(
  kind: SubjectKind,
  cases: readonly Case<Context>[],
  own: OwnCases | undefined,
): readonly Case<Context>[] {
  if (own === undefined) return cases
  const ofKind = admitOwnCases('ownCases', own, cases).filter((testCase) => testCase.subject === kind)
  if (ofKind.length === 0) throw new TypeError(`ownCases: it contains no case for a ${kind}`)
  return [...cases, ...ofKind]
}
