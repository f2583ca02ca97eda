import { option, separators } from './option.js'
import { badge, config, knownFailures, noConfig, quiet, reporter, strict, verbose } from './shared-options.js'
import { levels } from './words.js'

const separator = separators.comma

/** The options of every kind of run. */
export const optionsOfRuns = [
  option('--suite <id>', 'suites to run: an id or a glob; repeatable', { separator, fileKey: 'suite' }),
  option('--case <id>', 'cases to run: an id or a glob; repeatable', { separator, fileKey: 'case' }),
  option('--exclude <id>', 'cases to leave out: an id or a glob; repeatable', { separator, fileKey: 'exclude' }),
  option('--grep <text>', 'only cases whose id or title contains this text'),
  option('--requirement <id>', 'cases that check this requirement; repeatable', { separator }),
  option('--cases <module>', 'a module that exports your own cases, which run in addition to those of the kit', {
    fileKey: 'cases',
  }),
  option('--last-failed', 'only the cases that did not pass the last time this target was judged'),
  option('--level <level>', 'must: only what decides the verdict; should: everything (default)', {
    words: levels,
    fileKey: 'level',
  }),
  option('--seed <n>', 'seed of the random data; a failure prints its own', { fileKey: 'seed' }),
  option('--runs <n>', 'random values tried for each property (default 20, or the number of the case)', {
    fileKey: 'runs',
  }),
  option('--replay <path>', 'with --case and --seed: only the counterexample for which a failure printed this path'),
  option(
    '--repeat <n>',
    'run each case this many times; one that both passes and fails is reported as flaky, and failed',
  ),
  option('--profile-waits', 'show at the end what the cases waited for, by cause and by case'),
  option('--concurrency <n>', 'cases to run side by side', { fileKey: 'concurrency' }),
  option('--timeout <ms>', 'longest time of one case, in milliseconds (default 60000)', { fileKey: 'timeout' }),
  option('--shard <i/n>', 'run one part of n; auto: the part named by the variables of the CI system', {
    fileKey: 'shard',
  }),
  option('--shard-by <report>', 'balance the shards by how long the cases took in this JSON report', {
    fileKey: 'shard_by',
  }),
  option('--bail', 'stop at the first failure of a must case', { fileKey: 'bail' }),
  option('--max-failures <n>', 'stop after this many failures of must cases', { fileKey: 'max_failures' }),
  strict,
  knownFailures,
  option('--write-known-failures <file>', 'write an entry for each failure, with the reason left open'),
  reporter,
  badge,
  option(
    '--watch [path]',
    'keep running, and run the failed cases again on Enter, or when a file below the path changes',
  ),
  config,
  noConfig,
  option('--dry-run', 'print the plan and run nothing'),
  quiet,
  verbose,
  option('--ui', 'what `conformance ui` adds', { isHidden: true }),
] as const
