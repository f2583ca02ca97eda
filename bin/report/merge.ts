import type { CaseResult, JudgedCase, KnownFailureProblem, Report } from '../../harness/index.js'
import { isOwnRequirement } from '../../spec/index.js'
import type { CaseInfo } from '../run/catalogue.js'
import { UsageError } from '../cli/usage.js'
import { refuseChangedCases, refuseMissingCases } from './catalogue-fit.js'
import { bySeverity } from './severity.js'
import { judgedAgain } from './judge-again.js'
import { portless } from './portless.js'
import type { ReadReport } from './read-report.js'

/**
 * Merges the shards of one run into one report, judged again as a whole. A single whole report stays unchanged. Throws `UsageError` when
 * the reports judge different targets, or one of them is repeated.
 */
export function mergeReports(read: readonly ReadReport[], catalogue: readonly CaseInfo[]): Report {
  const reports = read.map((loaded) => loaded.report)
  const first = reports.find((report) => !wasNotRun(report)) ?? reports[0]
  if (first === undefined) throw new UsageError('report needs at least one file')
  const missing = refuseUnrelated(read)
  refuseChangedCases(read, catalogue)
  const isEnded = reports.every((report) => report.verdict !== 'none' && report.summary.cases.not_reached === undefined)
  const { results, repeated } = mergeCases(reports)
  if (missing.length === 0 && isEnded) refuseMissingCases(read, results, catalogue)
  if (reports.length === 1 && missing.length === 0) return first
  // Cases of one's own are known by their results alone.
  const own = results.filter((result) => result.requirements.some(isOwnRequirement))
  const ofKind = [...catalogue.filter((testCase) => testCase.subject === first.subject.kind), ...own.map(asJudged)]
  const merged = judgedAgain(first, results, ofKind)
  const notes = [
    ...new Set(reports.flatMap((report) => report.note ?? [])),
    ...(missing.length === 0 ? [] : [`missing: shard ${missing.join(', ')}`]),
    ...differences(reports),
    ...(repeated === 0 ? [] : [`${repeated} cases are in more than one report; the worse outcome counts`]),
  ]
  const isCut = reports.some((report) => report.verdict === 'none')
  // A part that is missing or did not run to its end leaves the whole without a verdict, unless another report has what it lacks.
  const isUnended =
    missing.length > 0 || results.some((result) => result.not_reached === true) || reports.some(isPartlyRun)
  const problems = mergeProblems(reports)
  const { shard: _shard, note: _note, known_failure_problems: _problems, ...rest } = merged
  const shards = reports.flatMap(({ shard, started_at, duration_ms, seed, verdict }) =>
    shard === undefined ? [] : [{ shard, started_at, duration_ms, seed, verdict }],
  )
  return {
    ...rest,
    ...(shards.length === 0 ? {} : { shards }),
    started_at: reports.map((report) => report.started_at).sort()[0] ?? first.started_at,
    duration_ms: Math.max(...reports.map((report) => report.duration_ms)),
    verdict: verdictOf(rest.verdict, { isUnended, isCut }),
    ...(problems.length === 0 ? {} : { known_failure_problems: problems }),
    ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
  }
}

/** Returns the verdict: a failure counts even if parts are missing; without one, an incomplete run has no verdict. */
function verdictOf(
  verdict: Report['verdict'],
  { isUnended, isCut }: { readonly isUnended: boolean; readonly isCut: boolean },
): Report['verdict'] {
  if (verdict === 'nonconformant') return verdict
  if (isUnended) return 'none'
  return verdict === 'conformant' && isCut ? 'partial' : verdict
}

/** Returns whether a report is about an unreachable target: no case ran, and its name is only the intended one. */
function wasNotRun({ verdict, cases, note }: Report): boolean {
  return verdict === 'none' && cases.length === 0 && note !== undefined
}

function isPartlyRun(report: Report): boolean {
  return report.shard !== undefined && wasNotRun(report)
}

function asJudged({ id, level, requirements }: CaseResult): JudgedCase {
  return { id, level, requirements: requirements as JudgedCase['requirements'] }
}

/** Refuses reports that cannot be of one run, and returns the missing shards. */
function refuseUnrelated(read: readonly ReadReport[]): string[] {
  const first = read.find((loaded) => !wasNotRun(loaded.report)) ?? read[0]
  if (first === undefined) return []
  const shards = read.map(({ report }) => report.shard)
  const isSharded = shards.every((shard) => shard !== undefined)
  for (const { file, report } of read) {
    if (report.subject.kind !== first.report.subject.kind)
      throw new UsageError(
        `${file} judges a ${report.subject.kind}, ${first.file} a ${first.report.subject.kind}: only reports of one kind can be merged or compared`,
      )
    if (!isPartlyRun(report) && nameOf(report, isSharded) !== nameOf(first.report, isSharded))
      throw new UsageError(
        `the reports judge different targets (${first.report.subject.name}, ${report.subject.name}): --compare shows them side by side`,
      )
  }
  for (const { file, report } of read) {
    if (report.tool.version !== first.report.tool.version)
      throw new UsageError(
        `${file} was written by version ${report.tool.version} of the kit, ${first.file} by ${first.report.tool.version}: run every part with one version`,
      )
    const [own, other] = [report, first.report].map(({ selection }) => JSON.stringify(selection ?? {}))
    if (own !== other && !wasNotRun(report))
      throw new UsageError(
        `${file} and ${first.file} are of different selections (${own}, ${other}): only parts of one selection can be merged`,
      )
  }
  read.forEach(({ file, report }, index) => {
    const same = read.slice(0, index).find((earlier) => isSameRun(earlier.report, report))
    if (same !== undefined)
      throw new UsageError(
        report.shard === undefined
          ? `${same.file} and ${file} are the same report: give each once`
          : `${same.file} and ${file} are both shard ${report.shard}: give each shard once`,
      )
  })
  const counts = new Set(shards.flatMap((shard) => shard?.split('/')[1] ?? []))
  if (counts.size > 1)
    throw new UsageError(
      `the reports are shards of different runs (${shards.filter((shard) => shard !== undefined).join(', ')}): merge those of one`,
    )
  const count = Number([...counts][0] ?? 0)
  return Array.from({ length: count }, (_, index) => `${index + 1}/${count}`).filter((shard) => !shards.includes(shard))
}

/** Parts of one run start within this time, in milliseconds: jobs of one pipeline wait for a machine. */
const oneRunMs = 2 * 60 * 60_000

/** Describes differences between the reports that do not prevent merging. */
function differences(reports: readonly Report[]): string[] {
  const seeds = [...new Set(reports.map(({ seed }) => seed))]
  const starts = reports.map(({ started_at: at }) => Date.parse(at)).filter((at) => !Number.isNaN(at))
  const apartMs = Math.max(...starts) - Math.min(...starts)
  return [
    ...(seeds.length > 1 ? [`the parts ran with different seeds (${seeds.join(', ')})`] : []),
    ...(apartMs > oneRunMs
      ? [
          `the parts began ${Math.round(apartMs / 360_000) / 10} hours apart: they may have met different versions of the target`,
        ]
      : []),
  ]
}

/** The target's name; shards of one run may each have started the target on a port of its own. */
function nameOf({ subject }: Report, isSharded: boolean): string {
  return isSharded ? portless(subject.name) : subject.name
}

function isSameRun(a: Report, b: Report): boolean {
  if (a.shard !== undefined && a.shard === b.shard) return true
  return a.started_at === b.started_at && a.seed === b.seed && a.shard === b.shard && a.cases.length === b.cases.length
}

function mergeCases(reports: readonly Report[]): { results: readonly CaseResult[]; repeated: number } {
  const results = new Map<string, CaseResult>()
  let repeated = 0
  for (const result of reports.flatMap((one) => one.cases)) {
    const known = results.get(result.id)
    if (known !== undefined) repeated++
    if (known === undefined || bySeverity(result, known) < 0) results.set(result.id, result)
  }
  return { results: [...results.values()], repeated }
}

function mergeProblems(reports: readonly Report[]): KnownFailureProblem[] {
  const problems = reports.flatMap((report) => report.known_failure_problems ?? [])
  return [...new Map(problems.map((problem) => [`${problem.problem} ${problem.case}`, problem])).values()]
}
