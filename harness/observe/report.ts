import { requirements, type Level, type RequirementId } from '../../spec/index.js'
import type { KnownFailures } from '../known-failures.js'
import { explained } from '../causes/likely-causes.js'
import { describeMismatch } from '../check.js'
import type { CaseResult, Mismatch, Report } from '../result.js'
import { requirementResults, summarize, verdictOf } from '../verdict.js'
import type { JudgedTraffic } from './ledger.js'

/** A question that traffic may answer by itself. */
export interface TrafficCase {
  readonly id: `observe/${string}/${string}`
  readonly subject: 'traffic'
  readonly level: Level
  readonly title: string
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  readonly needs: readonly string[]
}

export interface TrafficReportOptions {
  readonly cases: readonly TrafficCase[]
  readonly tool: Report['tool']
  /** How the traffic is called, without secrets. */
  readonly name: string
  readonly startedAt: Date
  readonly reproduce?: string
  readonly knownFailures?: KnownFailures
  /** Added to the notes of the judge itself. */
  readonly notes?: readonly string[]
  /** Why not all of the traffic was judged: then it is not even known that nothing broke the interface. */
  readonly failure?: string | undefined
}

/** Reports how often each requirement was seen to hold, and which traffic broke it. */
export function trafficReport(ledger: JudgedTraffic, options: TrafficReportOptions): Report {
  const { cases, tool, name, startedAt, notes = [], failure } = options
  const results = cases.map((testCase) => resultOf(ledger, testCase, options))
  const judged = { kind: 'traffic', catalogue: cases, results } as const
  const required = requirementResults(judged)
  const all = [...(failure === undefined ? [] : [failure]), ...ledger.notes, ...notes]
  const verdict = verdictOf(judged, required)
  return {
    schema: 'conformance-report/1',
    tool,
    subject: { kind: 'traffic', name },
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    seed: 0,
    verdict: failure !== undefined && verdict !== 'nonconformant' ? 'none' : verdict,
    summary: summarize(results, required),
    ...explained('traffic', results),
    requirements: required,
    ...(all.length === 0 ? {} : { note: all.join('; ') }),
  }
}

function resultOf(
  ledger: JudgedTraffic,
  testCase: TrafficCase,
  { reproduce, knownFailures }: TrafficReportOptions,
): CaseResult {
  const findings = testCase.requirements.flatMap((id) => ledger.findings.get(id) ?? [])
  const seen = Object.fromEntries(
    testCase.requirements.flatMap((id) => (ledger.counts.has(id) ? [[id, ledger.counts.get(id) ?? 0]] : [])),
  )
  const isSeen = Object.keys(seen).length > 0
  const base = {
    id: testCase.id,
    suite: testCase.id.slice(0, testCase.id.lastIndexOf('/')),
    title: testCase.title,
    level: testCase.level,
    requirements: testCase.requirements,
    known_failure: findings.length > 0 && knownFailures?.forgives(testCase.id) === true,
    duration_ms: 0,
    ...(isSeen ? { measurements: { seen } } : {}),
  }
  if (findings.length === 0)
    return isSeen ? { ...base, status: 'passed' } : { ...base, status: 'skipped', reason: reasonOf(testCase) }
  const checks = findings.map(({ requirement, what, expected, got }): Mismatch => ({
    kind: 'compared',
    what,
    expected,
    got,
    requirement,
  }))
  const [first] = checks
  return {
    ...base,
    status: 'failed',
    ...(first === undefined ? {} : { message: describeMismatch(first) }),
    violates: [...new Set(findings.map((finding) => finding.requirement))],
    checks,
    exchanges: findings.flatMap((finding) => finding.evidence),
    ...(reproduce === undefined ? {} : { reproduce }),
  }
}

function reasonOf({ requirements: ids }: TrafficCase): string {
  const [first] = ids
  return first === 'SIG-004'
    ? 'no delivery with a known secret was seen: create its webhook through observe, or give --secret'
    : `no traffic was seen that this speaks of (${requirements[first].source})`
}
