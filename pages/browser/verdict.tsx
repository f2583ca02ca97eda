import type { ComponentChildren, JSX } from 'preact'
import type { LikelyCause, Report } from '../../harness/result.js'
import type { PastRun } from '../data.js'
import { verdictAddition, casesText, requirementsText } from '../../harness/reporters/summary-text.js'
import { addressWith, useAddress } from './address.js'
import { Bar, Block, Opening, Sentence } from './parts.js'
import { counted, dayAndTime, visible } from './text.js'

const meanings: Readonly<Record<Report['verdict'], string>> = {
  conformant: 'Every MUST requirement was verified.',
  partial: 'Nothing failed, but some MUST requirement was not verified.',
  nonconformant: 'A MUST requirement was violated.',
  none: 'The run has no verdict.',
}

/** The target, the verdict and its meaning, the counts, and notes to read first. */
export function Verdict(props: {
  readonly report: Report
  readonly history?: readonly PastRun[] | undefined
}): JSX.Element {
  const { report, history } = props
  const { requirements, cases } = report.summary
  const shard = report.shard === undefined ? '' : `, shard ${report.shard}`
  return (
    <Heading kind={report.subject.kind} name={report.subject.name}>
      <div class={`banner ${report.verdict}`}>
        <p>
          <strong>
            {report.verdict}
            {verdictAddition(report)}
          </strong>{' '}
          {meanings[report.verdict]}
          {cases.passed + cases.failed === 0 ? ' No case passed or failed.' : ''}
        </p>
        <Shares requirements={requirements} />
        <p>
          Requirements: {requirementsText(report)}. Cases: {casesText(report)}.
        </p>
        <SinceLastRun history={history} />
        {report.note === undefined ? null : <p>{visible(report.note)}</p>}
      </div>
      <Problems report={report} />
      {report.likely_causes?.map((likelyCause) => (
        <Cause cause={likelyCause} />
      ))}
      <p class="small">
        {dayAndTime(report.started_at)}, {(report.duration_ms / 1000).toFixed(1)} s
        {report.subject.kind === 'traffic' ? '' : `, seed ${report.seed}`}
        {visible(shard)}, {visible(report.tool.name)} {visible(report.tool.version)}
      </p>
    </Heading>
  )
}

/** How the run differs from the one before; nothing where that is unknown. */
function SinceLastRun({ history }: { readonly history: readonly PastRun[] | undefined }): JSX.Element | null {
  const { address } = useAddress()
  const [run, before] = history ?? []
  if (run === undefined || before === undefined || run.verdict === 'none') return null
  return (
    <p>
      Since the run of {dayAndTime(before.started_at)}: {counted(run.broke.length, 'new failure')}, {run.fixed.length}{' '}
      fixed. <a href={addressWith(address, { tab: 'overview', q: '', at: 'last-runs' })}>Last runs</a>
    </p>
  )
}

/** The target and its facts. */
export function Heading(props: {
  readonly kind: string
  readonly name: string
  readonly children?: ComponentChildren
}): JSX.Element {
  return (
    <header>
      <p class="kind">{visible(props.kind)}</p>
      <h1>{visible(props.name)}</h1>
      {props.children}
    </header>
  )
}

/** The requirements as one bar: verified, violated, not verified. */
export function Shares({ requirements }: { readonly requirements: Report['summary']['requirements'] }): JSX.Element {
  const { total, verified, violated, unverified } = requirements
  return (
    <Bar
      parts={Object.entries({ verified, violated, unverified })}
      label={`${verified} of ${total} requirements verified`}
    />
  )
}

function Problems({ report }: { readonly report: Report }): JSX.Element | null {
  const { known_failure_problems: list = [] } = report
  if (list.length === 0) return null
  return (
    <div class="banner nonconformant">
      <p>
        <strong>The known-failures file is out of date</strong> This fails the run.
      </p>
      <ul>
        {list.map((problem) => (
          <li>{visible(problem.message)}</li>
        ))}
      </ul>
    </div>
  )
}

/** What likely made many cases fail, above everything that follows from it. */
function Cause({ cause: { text, remedy = '', cases } }: { readonly cause: LikelyCause }): JSX.Element {
  const { address } = useAddress()
  const links = () => (
    <ul class="small">
      {cases.map((id) => (
        <li>
          <a href={addressWith(address, { tab: '', at: '', case: id })}>{visible(id)}</a>
        </li>
      ))}
    </ul>
  )
  return (
    <div class="banner none">
      <p>
        <strong>Likely cause</strong> <Sentence text={text} />
      </p>
      <Block text={remedy} />
      <Opening class="small" label={`Explains ${counted(cases.length, 'case')}`}>
        {links}
      </Opening>
    </div>
  )
}
