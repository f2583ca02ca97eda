// The entry for runs of cases and their results. It loads the engine; commands that start no run use the entries next to it.
export type { Case } from './case.js'
export { explained } from './causes/likely-causes.js'
export { runCases, type EngineOptions } from './engine.js'
export { createKnownFailures, type KnownFailure, type KnownFailures } from './known-failures.js'
export { withoutConsequences } from './not-judged.js'
export type {
  CaseResult,
  Decision,
  KnownFailureProblem,
  Outcome,
  Report,
  ReportedSelection,
  RequirementResult,
  RequirementStatus,
  Verdict,
} from './result.js'
export { randomSeed } from './property.js'
export { runSuite, type RunOptions } from './run.js'
export { selectCases, type Selection } from './select.js'
export type { Shard } from './shards.js'
export type { Subject } from './subject.js'
export { requirementResults, summarize, verdictOf, type JudgedCase } from './verdict.js'
export { profileWaits, type Waited } from './waits.js'
