import { runSuite, type Case, type EngineOptions, type Report, type Selection } from '../../harness/index.js'
import { admitOwnCases, type OwnCases } from '../../harness/own-cases.js'
import type { SubjectKind } from '../../spec/index.js'
import { tool } from '../cli/package.js'
import { benches, type Targets } from './targets.js'

/** What `conformance run` and its siblings take as options. */
export interface JudgeOptions extends Partial<Selection>, Partial<Omit<EngineOptions, 'knownFailures'>> {
  /** Cases of your own beside those of the kit, with the requirements they ask: what a module for `--cases` exports. */
  readonly ownCases?: OwnCases
}

/**
 * Puts the cases of one kind to a target and resolves to the report; the target is left by the time it resolves.
 * Rejects where no connection or no driver can be had; never for what the target does.
 *
 * @example const report = await judge('service', { baseUrl: 'http://127.0.0.1:8080', apiKey }, { cases: ['service/retries/*'] })
 */
export async function judge<Kind extends SubjectKind>(
  kind: Kind,
  target: Targets[Kind],
  options: JudgeOptions = {},
): Promise<Report> {
  const { suites = [], cases = [], level, shard, ownCases, seed = randomSeed(), ...engine } = options
  const bench = benches[kind]
  const catalogue = withOwnCases(kind, bench.cases, ownCases)
  const subject = await bench.connect(target)
  try {
    return await runSuite(catalogue, subject, {
      ...engine,
      seed,
      tool: tool(),
      selection: {
        suites,
        cases,
        ...(level === undefined ? {} : { level }),
        ...(shard === undefined ? {} : { shard }),
      },
    })
  } finally {
    await subject.close()
  }
}

/** The cases of a kind, and those of one's own that are of it. Throws for what is no case, and where none is of the kind. */
export function withOwnCases<Context>(
  kind: SubjectKind,
  cases: readonly Case<Context>[],
  own: OwnCases | undefined,
): readonly Case<Context>[] {
  if (own === undefined) return cases
  const ofKind = admitOwnCases('ownCases', own, cases).filter((each) => each.subject === kind)
  if (ofKind.length === 0) throw new TypeError(`ownCases: it contains no case for a ${kind}`)
  return [...cases, ...ofKind]
}

/** A seed nobody chose: 0 to 2^31 - 1. */
export function randomSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff)
}
