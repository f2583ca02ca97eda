import type { ComponentChildren, JSX } from 'preact'
import type { PastRun } from '../data.js'
import { Counts } from './case-list.js'
import { countsOf, groupsOf, needsAttention, rowStatuses, type Row } from './rows.js'
import { LastRuns } from './history.js'
import { Bar, Head, Status } from './parts.js'
import { counted, grouped, readableMs, visible } from './text.js'

/** Cases that are listed as running at most. */
const maxRunning = 12

/** The whole run at one look: its outcomes, what runs, and each area with its counts. */
export function Overview(props: {
  readonly rows: readonly Row[]
  readonly hrefOfCase: (id: string) => string
  readonly hrefOfArea: (suite: string) => string
  readonly actionsOfArea?: ((suite: string) => ComponentChildren) | undefined
  readonly history?: readonly PastRun[] | undefined
}): JSX.Element {
  const { rows, hrefOfCase, hrefOfArea, actionsOfArea, history } = props
  const counts = countsOf(rows)
  const areas = groupsOf(rows, 'suite', new Map())
  const running = rows.filter((row) => row.status === 'running' || row.status === 'unconfirmed')
  return (
    <section aria-labelledby="overview-title" class="overview">
      <h2 id="overview-title">Overview</h2>
      <p>{rows.length === 0 ? 'No case ran.' : <Counts counts={counts} />}</p>
      <Bar parts={rowStatuses.map((status) => [status, counts[status] ?? 0])} />
      {running.length === 0 ? null : (
        <>
          <h3>Now</h3>
          <ul class="quotes">
            {running.slice(0, maxRunning).map((row) => (
              <li>
                <Status word={row.status} /> <a href={hrefOfCase(row.id)}>{visible(row.id)}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      {areas.length === 0 ? null : (
        <div class="scroll">
          <table>
            <caption class="small">
              {counted(areas.length, 'area')}
              {rows.some(needsAttention) ? ', those with failures first' : ''}
            </caption>
            <Head names={['Area', 'Cases', 'Time of all cases', ...(actionsOfArea === undefined ? [] : ['Rerun'])]} />
            <tbody>
              {areas.map(({ name, rows: members }) => (
                <tr key={name}>
                  <th scope="row">
                    <a href={hrefOfArea(name)}>{visible(name)}</a>
                  </th>
                  <td>
                    <Counts counts={countsOf(members)} />
                  </td>
                  <td>{timeOf(members)}</td>
                  {actionsOfArea === undefined ? null : <td>{actionsOfArea(name)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Reasons rows={rows} />
      <LastRuns history={history} hrefOfCase={hrefOfCase} />
    </section>
  )
}

/** The time of the cases in sum; nothing while none has ended. */
function timeOf(rows: readonly Row[]): string {
  const ended = rows.flatMap(({ result }) => (result === undefined || result.status === 'skipped' ? [] : result))
  return ended.length === 0 ? '' : readableMs(ended.reduce((sum, { duration_ms }) => sum + duration_ms, 0))
}

/** Why cases were skipped: each reason once, the most frequent first. */
function Reasons({ rows }: { readonly rows: readonly Row[] }): JSX.Element | null {
  const reasons = rows.flatMap(({ result }) => (result?.status === 'skipped' ? (result.reason ?? []) : []))
  if (reasons.length === 0) return null
  return (
    <>
      <h3>Why cases were skipped</h3>
      <ul>
        {[...grouped(reasons, (reason) => reason)]
          .toSorted(([, one], [, other]) => other.length - one.length)
          .map(([reason, { length }]) => (
            <li>
              {visible(reason)} <span class="small">{counted(length, 'case')}</span>
            </li>
          ))}
      </ul>
    </>
  )
}
