import type { EngineOptions } from '../../harness/engine.js'
import type { Report } from '../../harness/result.js'
import { runSuite } from '../../harness/run.js'
import type { Selection } from '../../harness/select.js'
import type { SubjectKind } from '../../spec/index.js'
import { tool } from '../cli/package.js'
import { benches, type Targets } from './targets.js'

/** What `conformance run` and its siblings take as options. */
export interface JudgeOptions extends Partial<Selection>, Partial<Omit<EngineOptions, 'knownFailures'>> {}

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
  const { suites = [], cases = [], level, shard, seed = randomSeed(), ...engine } = options
  const bench = benches[kind]
  const subject = await bench.connect(target)
  try {
    return await runSuite(bench.cases, subject, {
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

/** A seed nobody chose: 0 to 2^31 - 1. */
export function randomSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff)
}
