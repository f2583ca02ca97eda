import type { JSX } from 'preact'
import type { PastRun } from '../data.js'
import { addressWith, useAddress } from './address.js'
import { Opening, Status } from './parts.js'
import { counted, dayAndTime, visible } from './text.js'

/** How the run differs from the one before; nothing where that is unknown. */
export function SinceLastRun({ history }: { readonly history: readonly PastRun[] | undefined }): JSX.Element | null {
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

/** The last runs on the target, the newest first; nothing where no earlier one is known. */
export function LastRuns(props: {
  readonly history: readonly PastRun[] | undefined
  readonly hrefOfCase: (id: string) => string
}): JSX.Element | null {
  const { history, hrefOfCase } = props
  if (history === undefined) return null
  return (
    <section aria-labelledby="last-runs">
      <h3 id="last-runs">Last runs</h3>
      <div class="scroll" tabIndex={0} role="group" aria-label="Last runs, as a table">
        <table>
          <caption class="small">On this target with the same selection, the newest first</caption>
          <thead>
            <tr>
              {['Started', 'Verdict', 'Passed', 'Failed', 'Errored', 'Skipped', 'New failures', 'Fixed'].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {history.map(({ started_at, verdict, cases, broke, fixed }, index) => (
              <tr key={started_at}>
                <th scope="row">{index === 0 ? 'This run' : dayAndTime(started_at)}</th>
                <td>
                  <Status word={verdict} />
                </td>
                {[cases.passed, cases.failed, cases.errored, cases.skipped].map((count) => (
                  <td>{count}</td>
                ))}
                {[broke, fixed].map((ids) => (
                  <td>
                    <Ids ids={ids} hrefOfCase={hrefOfCase} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Ids(props: {
  readonly ids: readonly string[]
  readonly hrefOfCase: (id: string) => string
}): JSX.Element | null {
  const { ids, hrefOfCase } = props
  if (ids.length === 0) return null
  return (
    <Opening class="small" label={counted(ids.length, 'case')}>
      {() => (
        <ul>
          {ids.map((id) => (
            <li>
              <a href={hrefOfCase(id)}>{visible(id)}</a>
            </li>
          ))}
        </ul>
      )}
    </Opening>
  )
}
