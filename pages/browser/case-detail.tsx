import type { ComponentChildren, JSX } from 'preact'
import { Again, Checks, Counterexample } from './checks.js'
import { Exchanges } from './exchanges.js'
import { Lanes } from './lanes.js'
import { Block, Sentence, Status } from './parts.js'
import { wordOf, type Row } from './rows.js'
import { readableMs, visible } from './text.js'
import { Timelines } from './timeline.js'

/** A requirement as the page knows it. */
export interface Quoted {
  readonly id: string
  readonly text: string
  readonly source: string
}

/** One case with everything that is known of it. */
export function CaseDetail(props: {
  readonly row: Row
  readonly quotes: ReadonlyMap<string, Quoted>
  readonly hrefOf: (requirement: string) => string
  /** Exchanges that were left out of the page. */
  readonly left: number
  /** Without what went over the wire. */
  readonly isBrief?: boolean
  readonly children?: ComponentChildren
}): JSX.Element {
  const { row, left, isBrief = false, children } = props
  const { result } = row
  const violated = result?.violates ?? row.requirements
  const isBad = row.status === 'failed' || row.status === 'errored' || row.status === 'unconfirmed'
  const exchanges = result?.exchanges ?? []
  return (
    <article class="detail" aria-labelledby={isBrief ? undefined : 'case-title'}>
      <h2 id={isBrief ? undefined : 'case-title'} tabIndex={-1}>
        <Status word={wordOf(row)} kind={row.status} /> <code>{visible(row.id)}</code>
      </h2>
      <p class="small">
        {row.level.toUpperCase()} of the interface
        {result === undefined ? '' : `, took ${readableMs(result.duration_ms)}`} {children}
      </p>
      <p>{visible(row.title)}</p>
      <ul class="quotes">
        {(isBad ? violated : row.requirements).map((id) => (
          <Quote id={id} quote={props.quotes.get(id)} href={props.hrefOf(id)} />
        ))}
      </ul>
      {result?.known_failure_reason === undefined ? null : <p>Known failure: {visible(result.known_failure_reason)}</p>}
      {row.status === 'unconfirmed' ? (
        <p class="reason">
          It failed while other cases ran. Before that counts it is rerun alone, or compared with the failure that it
          may follow from.
        </p>
      ) : null}
      {result?.reason === undefined ? null : <p class="reason">{visible(result.reason)}</p>}
      {result === undefined ? null : <Checks result={result} />}
      {result?.counterexample === undefined ? null : <Counterexample counterexample={result.counterexample} />}
      {isBad ? <Timelines exchanges={exchanges} /> : null}
      {isBad ? <Lanes exchanges={exchanges} /> : null}
      {result?.remedy === undefined ? null : (
        <section aria-label="Remedy">
          <h3>Remedy</h3>
          <Block text={result.remedy} />
        </section>
      )}
      {result?.reproduce === undefined ? null : <Again command={result.reproduce} />}
      {isBrief ? null : <Exchanges result={result} left={left} />}
      {isBrief || result?.measurements === undefined ? null : (
        <section aria-label="Measured">
          <h3>Measured</h3>
          <Block text={JSON.stringify(result.measurements, null, 2)} />
        </section>
      )}
    </article>
  )
}

function Quote(props: { readonly id: string; readonly quote: Quoted | undefined; readonly href: string }): JSX.Element {
  const { id, quote, href } = props
  return (
    <li>
      <a href={href}>
        <b>{id}</b>
      </a>{' '}
      <Sentence text={quote?.text ?? 'not in this version of the registry'} />{' '}
      <span class="small">interface.md{quote?.source ?? ''}</span>
    </li>
  )
}
