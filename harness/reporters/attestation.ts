import type { CaseResult, Report, Verdict } from '../result.js'
import { runProblemsOf, type CreateReporter } from './reporter.js'
import { oneLine, visible } from './text.js'

const results: Readonly<Record<Verdict, 'PASSED' | 'WARNED' | 'FAILED'>> = {
  conformant: 'PASSED',
  partial: 'WARNED',
  nonconformant: 'FAILED',
  none: 'FAILED',
}

/**
 * Writes the predicate of an in-toto attestation of a test result (`https://in-toto.io/attestation/test-result/v0.1`), as `actions/attest`
 * expects it: the subject, the version, and the cases by name. A partial verdict is `WARNED`; so are known failures. A case that errored is
 * among the failed ones.
 */
export const attestation: CreateReporter = (output) => ({
  onRunEnd(report) {
    output.write(visible(`${JSON.stringify(predicateOf(report), undefined, 2)}\n`))
  },
})

function predicateOf(report: Report): Readonly<Record<string, unknown>> {
  const { tool, subject, verdict, seed, summary, cases } = report
  const troubles = runProblemsOf(report)
  const named = (is: (result: CaseResult) => boolean) => cases.filter(is).map(({ id }) => id)
  const isBad = ({ status }: CaseResult) => status === 'failed' || status === 'errored'
  return {
    result: troubles.length > 0 ? 'FAILED' : results[verdict],
    configuration: [
      {
        name: tool.name,
        uri: `pkg:npm/${tool.name}@${tool.version}`,
        annotations: {
          subject: { kind: subject.kind, name: oneLine(subject.name) },
          verdict,
          seed,
          requirements: summary.requirements,
          ...(report.shard === undefined ? {} : { shard: report.shard }),
        },
      },
    ],
    passedTests: named(({ status }) => status === 'passed'),
    warnedTests: named((result) => result.known_failure),
    failedTests: [
      ...named((result) => isBad(result) && !result.known_failure),
      ...troubles.map(({ name }) => oneLine(name)),
    ],
  }
}
