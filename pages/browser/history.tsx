import type { JSX } from 'preact'
import type { HistoryData, PastRun } from '../data.js'
import { Counts } from './case-list.js'
import { Head, Opening, Status } from './parts.js'
import { counted, dayAndTime, visible } from './text.js'
import { Heading, Shares } from './verdict.js'

/** The last runs on the target, the newest first; nothing where no earlier one is known. */
export function LastRuns(props: {
  readonly history: readonly PastRun[] | undefined
  readonly hrefOfCase: (id: string) => string
}): JSX.Element | null {
  const { history, hrefOfCase } = props
  if (history === undefined) return null
  const [first] = history
  return (
    <section aria-labelledby="last-runs">
      <h3 id="last-runs">Last runs</h3>
      <p class="small">On this target with the same selection, the newest first</p>
      <Runs
        runs={history}
        nameOf={(run) => (run === first ? 'This run' : dayAndTime(run.started_at))}
        hrefOfCase={hrefOfCase}
      />
    </section>
  )
}

/** The reports of some folders: each target with its runs, the newest first. */
export function HistoryView({ data }: { readonly data: HistoryData }): JSX.Element {
  return (
    <>
      <Heading kind="History" name="Conformance over time" />
      <main>
        {data.targets.map(({ kind, name, runs, unsteady }) => (
          <section aria-label={`${kind} ${name}`}>
            <h2>
              {visible(name)} <span class="small">{kind}</span>
            </h2>
            <Runs
              runs={runs.toReversed()}
              nameOf={({ started_at, shard }) =>
                `${dayAndTime(started_at)}${shard === undefined ? '' : `, shard ${shard}`}`
              }
            />
            {unsteady.length === 0 ? null : (
              <>
                <h3>Cases that passed and failed in turn</h3>
                <ul>
                  {unsteady.map(({ id, changes }) => (
                    <li>
                      <code>{visible(id)}</code> changed {counted(changes, 'time')}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </section>
        ))}
      </main>
    </>
  )
}

type Run = PastRun & Partial<HistoryData['targets'][number]['runs'][number]>

/** One row a run: its verdict, its cases, and the cases whose outcome changed. */
function Runs(props: {
  readonly runs: readonly Run[]
  readonly nameOf: (run: Run) => string
  /** Absent where the page shows no cases. */
  readonly hrefOfCase?: (id: string) => string
}): JSX.Element {
  const { runs, nameOf, hrefOfCase } = props
  return (
    <table class="runs">
      <Head names={['Started', 'Verdict', 'Cases', 'Changes']} />
      <tbody>
        {runs.map((run) => (
          <tr key={run.file ?? run.started_at}>
            <th scope="row">
              {visible(nameOf(run))}
              {run.file === undefined ? null : (
                <div class="small">{visible(`${run.file}, version ${run.version ?? ''}`)}</div>
              )}
            </th>
            <td>
              <Status word={run.verdict} />
              {run.requirements === undefined ? null : (
                <>
                  <Shares requirements={run.requirements} />
                  <div class="small">
                    {run.requirements.verified} of {run.requirements.total} verified, {run.requirements.violated}{' '}
                    violated
                  </div>
                </>
              )}
            </td>
            <td>
              <Counts counts={run.cases} />
            </td>
            <td>
              <Changed label={counted(run.broke.length, 'new failure')} ids={run.broke} hrefOf={hrefOfCase} />
              <Changed label={`${run.fixed.length} fixed`} ids={run.fixed} hrefOf={hrefOfCase} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ChangedProps {
  readonly label: string
  readonly ids: readonly string[]
  readonly hrefOf: ((id: string) => string) | undefined
}

function Changed({ label, ids, hrefOf }: ChangedProps): JSX.Element | null {
  if (ids.length === 0) return null
  return (
    <Opening class="small" label={label}>
      {() => (
        <ul>
          {ids.map((id) => (
            <li>{hrefOf === undefined ? visible(id) : <a href={hrefOf(id)}>{visible(id)}</a>}</li>
          ))}
        </ul>
      )}
    </Opening>
  )
}
