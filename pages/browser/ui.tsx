import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { firstToRead } from '../../harness/causes/reading-order.js'
import type { AnnotatedBlock, RunPhase, RunSnapshot } from '../data.js'
import { addressWith, readAddress } from './address.js'
import { useRun } from './follow.js'
import { interfaceTab } from './interface-tab.js'
import { mount } from './mount.js'
import { useJson } from './parts.js'
import { rowOf, type Row } from './rows.js'
import { RunView } from './run-view.js'
import { counted, visible } from './text.js'
import { resultsSoFar } from './under-way.js'
import { Heading, Verdict } from './verdict.js'

const phases: Readonly<Record<RunPhase, string>> = {
  connecting: 'Connecting to the target',
  running: 'Running',
  done: 'Done',
  stopped: 'Stopped before its end',
  lost: 'The target went away, or was never there',
}

/** Sends a command to the program; resolves to the error, if any. */
async function post(path: 'rerun' | 'stop', what?: unknown): Promise<string> {
  try {
    const answer = await fetch(path, { method: 'POST', body: what === undefined ? null : JSON.stringify(what) })
    return answer.ok ? '' : String(((await answer.json()) as { problem?: unknown }).problem ?? answer.status)
  } catch {
    return 'the program does not answer'
  }
}

function rowsOf({ cases, results, waiting, running, unconfirmed }: RunSnapshot): readonly Row[] {
  const doubted = new Map(unconfirmed.map((result) => [result.id, result]))
  const byId = new Map(results.map((result) => [result.id, result]))
  const going = new Set(running)
  const due = new Set(waiting)
  return cases.flatMap((testCase): Row[] => {
    // First: a failure that its rerun is about to confirm is running too.
    const doubt = doubted.get(testCase.id)
    if (doubt !== undefined) return [{ ...rowOf(doubt), status: 'unconfirmed' }]
    if (going.has(testCase.id)) return [{ ...testCase, status: 'running', isKnown: false }]
    if (due.has(testCase.id)) return [{ ...testCase, status: 'waiting', isKnown: false }]
    const result = byId.get(testCase.id)
    return result === undefined ? [{ ...testCase, status: 'waiting', isKnown: false }] : [rowOf(result)]
  })
}

const noBlocks: readonly AnnotatedBlock[] = []

function Ui(): JSX.Element {
  const { snapshot, isThere } = useRun('events')
  const [problem, setProblem] = useState('')
  const [isStopping, setStopping] = useState(false)
  const blocks = useJson<readonly AnnotatedBlock[]>('interface.json') ?? noBlocks
  const rows = useMemo(() => (snapshot === undefined ? [] : rowsOf(snapshot)), [snapshot])
  const isBusy = snapshot?.phase === 'connecting' || snapshot?.phase === 'running'
  const requirements = useMemo(() => {
    if (snapshot === undefined) return []
    return isBusy ? resultsSoFar(snapshot.requirements, snapshot.results) : snapshot.requirements
  }, [snapshot, isBusy])
  const extra = useMemo(() => {
    if (snapshot === undefined) return []
    const { subject, results, report } = snapshot
    const verdict = report?.verdict ?? 'none'
    return [interfaceTab(blocks, { label: subject.name, kind: subject.kind, verdict, requirements, cases: results })]
  }, [snapshot, blocks, requirements])
  // The report does not contain the results.
  const first = useMemo(
    () => snapshot?.report && firstToRead({ ...snapshot.report, cases: snapshot.results }),
    [snapshot],
  )
  const rerun = (what: unknown) => void post('rerun', what).then(setProblem)
  const stop = () => {
    setStopping(true)
    void post('stop').then((why) => {
      setProblem(why)
      if (why !== '') setStopping(false)
    })
  }
  useEffect(() => {
    if (!isBusy) setStopping(false)
  }, [isBusy])
  const rerunOne = (id: string) => {
    // The first failure stays open when it is no longer first.
    location.hash = addressWith(readAddress(), { case: id })
    rerun([id])
  }
  useEffect(() => {
    document.title =
      snapshot === undefined ? 'Conformance' : `${phases[snapshot.phase]}: ${visible(snapshot.subject.name)}`
  }, [snapshot?.phase, snapshot?.subject.name])
  if (snapshot === undefined)
    return <p role="status">{isThere ? 'Connecting' : 'The program that served this page has ended.'}</p>
  const bar = (
    <Controls
      snapshot={snapshot}
      isThere={isThere}
      problem={problem}
      failed={rows.filter((row) => row.status === 'failed').length}
      errored={rows.filter((row) => row.status === 'errored').length}
      onRerun={rerun}
      isStopping={isStopping && isBusy}
      onStop={stop}
    />
  )
  const heading =
    snapshot.report === undefined || isBusy ? (
      <Heading kind={snapshot.subject.kind} name={snapshot.subject.name}>
        {bar}
      </Heading>
    ) : (
      <>
        <Verdict report={snapshot.report} history={snapshot.history} />
        {bar}
      </>
    )
  return (
    <RunView
      rows={rows}
      requirements={requirements}
      left={snapshot.left}
      heading={heading}
      history={snapshot.history}
      first={isBusy ? undefined : first?.id}
      extra={extra}
      actionsOf={(row) => (
        <button type="button" disabled={isBusy || !isThere} aria-keyshortcuts="r" onClick={() => rerunOne(row.id)}>
          Rerun <kbd>r</kbd>
        </button>
      )}
      actionsOfArea={(suite) => (
        <button
          type="button"
          disabled={isBusy || !isThere}
          aria-label={`Rerun ${suite}`}
          onClick={() => rerun(rows.filter((row) => row.suite === suite).map(({ id }) => id))}
        >
          Rerun
        </button>
      )}
    />
  )
}

interface ControlsProps {
  readonly snapshot: RunSnapshot
  readonly isThere: boolean
  readonly problem: string
  /** A stop was requested, and running cases still end. */
  readonly isStopping: boolean
  readonly failed: number
  readonly errored: number
  readonly onRerun: (what: 'all' | 'failed') => void
  readonly onStop: () => void
}

/** How far the run is, and what can be done with it. */
function Controls({
  snapshot,
  isThere,
  problem,
  isStopping,
  failed,
  errored,
  onRerun,
  onStop,
}: ControlsProps): JSX.Element {
  const { phase, selected, ended, seed } = snapshot
  const isBusy = phase === 'connecting' || phase === 'running'
  const isOff = isBusy || !isThere
  // Cases that an ended run did not reach have a result, but did not run.
  const unreached = snapshot.results.length === 0 ? ended : (snapshot.report?.summary.cases.not_reached ?? 0)
  const reached = ended - (isBusy ? 0 : unreached)
  return (
    <div class="controls">
      <p role="status">
        <strong>
          {isThere
            ? isStopping
              ? 'Stopping: the cases under way are ended first'
              : phases[phase]
            : 'The program that served this page has ended; this is its last output'}
        </strong>{' '}
        <span class="small">
          {Math.max(0, reached)} of {counted(selected, 'case')}, seed {seed}
        </span>
      </p>
      {isBusy ? <progress aria-label="Cases that have ended" value={ended} max={Math.max(1, selected)} /> : null}
      <p class="buttons">
        <button type="button" disabled={!isBusy || !isThere || isStopping} onClick={onStop}>
          Stop
        </button>
        <button
          type="button"
          disabled={isOff || failed + errored === 0}
          aria-keyshortcuts="f"
          onClick={() => onRerun('failed')}
        >
          Rerun the {countFailed(failed, errored)} <kbd>f</kbd>
        </button>
        <button type="button" disabled={isOff} onClick={() => onRerun('all')}>
          Rerun all
        </button>
      </p>
      {problem === '' ? null : <p role="alert">Not done: {problem}.</p>}
    </div>
  )
}

/** The cases that can be rerun together, in words. */
function countFailed(failed: number, errored: number): string {
  if (errored === 0) return failed === 0 ? 'failed cases' : counted(failed, 'failed case')
  return failed === 0 ? counted(errored, 'errored case') : `${failed} failed and ${counted(errored, 'errored case')}`
}

mount(<Ui />)
