import { requirementResults, type Case } from '../../harness/index.js'
import { runRound, type WatchRound, type RunPlan } from '../run/round.js'
import { needsEveryCase } from '../run/run-options.js'
import { uiRounds } from './rounds.js'
import { RunState } from './state.js'

/** A run with a page; resolves to its last round once the program is interrupted. */
export function uiSession<Context>(
  plan: RunPlan<Context>,
  cases: readonly Case<Context>[],
  signal: AbortSignal,
): Promise<WatchRound> {
  const { target, catalogue, limits, earlier } = plan
  const state = new RunState({
    cases,
    subject: target,
    seed: limits.seed,
    earlier,
    requirements: requirementResults({ kind: target.kind, catalogue, results: [] }),
  })
  return uiRounds({
    state,
    signal,
    needsEveryCase: (ids) => needsEveryCase(catalogue, ids),
    run: ({ again, signal: ending, reporter }) => runRound(plan, ending, again, reporter),
  })
}
