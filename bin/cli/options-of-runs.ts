import { advanced, ci, judgement, output, selection, separators } from './option.js'
import { badge, config, knownFailures, noConfig, quiet, reporter, strict, verbose } from './shared-options.js'
import { levels } from './option-values.js'

const separator = separators.comma

/** The options of every kind of run. */
export const optionsOfRuns = [
  selection('--suite <id>', 'suites to run: an id or a glob; repeatable', { separator, fileKey: 'suite' }),
  selection('--case <id>', 'cases to run: an id or a glob; repeatable', { separator, fileKey: 'case' }),
  selection('--exclude <id>', 'cases to leave out: an id or a glob; repeatable', { separator, fileKey: 'exclude' }),
  selection('--grep <text>', 'only cases whose id or title contains this text', { fileKey: 'grep' }),
  selection('--requirement <id>', 'only cases that check this requirement; repeatable', {
    separator,
    fileKey: 'requirement',
  }),
  selection('--level <level>', 'must: only what decides the verdict; should: everything (default)', {
    words: levels,
    fileKey: 'level',
  }),
  selection('--last-failed', 'only cases that did not pass in the last run on this target'),
  selection('--cases <module>', 'also run your own cases, which this module exports', { fileKey: 'cases' }),
  knownFailures,
  judgement('--write-known-failures <file>', 'write an entry for each failure, with the reason left open'),
  strict,
  judgement('--repeat <n>', 'run each case this often; one that both passes and fails is flaky, and failed'),
  judgement('--timeout <ms>', 'longest time of one case, in milliseconds (default 60000)', { fileKey: 'timeout' }),
  reporter,
  output('--output-dir <dir>', 'write every report to this folder, but har', { fileKey: 'output_dir' }),
  output('--open', 'open the HTML report in the browser after the run, from a terminal only', { fileKey: 'open' }),
  badge,
  output('--dry-run', 'print the plan and run nothing'),
  quiet,
  verbose,
  output('--profile-waits', 'show at the end what the cases waited for'),
  ci('--bail', 'stop at the first failure of a must case', { fileKey: 'bail' }),
  ci('--max-failures <n>', 'stop after this many failures of must cases', { fileKey: 'max_failures' }),
  ci('--shard <i/n>', 'run one part of n; auto: the part that the CI system names', { fileKey: 'shard' }),
  ci('--shard-by <report>', 'balance the shards by the durations in this JSON report', { fileKey: 'shard_by' }),
  advanced('--concurrency <n>', 'cases to run concurrently', { fileKey: 'concurrency' }),
  advanced('--seed <n>', 'seed of the random data; a failure prints its own', { fileKey: 'seed' }),
  advanced('--runs <n>', 'random values tried for each property (default 20, or the number of the case)', {
    fileKey: 'runs',
  }),
  advanced('--replay <path>', 'with --case and --seed: only the counterexample of this path'),
  advanced('--watch [path]', 'keep running; rerun failed cases on Enter, or when a file below the path changes'),
  config,
  noConfig,
  advanced('--ui', 'what `conformance ui` adds', { isHidden: true }),
] as const
