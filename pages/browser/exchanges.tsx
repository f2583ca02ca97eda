import type { JSX } from 'preact'
import { differenceInWords, exchangeOfCheck } from '../../harness/reporters/exchange-of-check.js'
import { isRepeat, shownExchanges } from '../../harness/reporters/exchanges-shown.js'
import type { CaseResult, ExchangeRecord } from '../../harness/result.js'
import { shellLines } from '../../harness/reporters/curl.js'
import { Message } from './message.js'
import { Copyable, Opening } from './parts.js'
import { counted, oneLine, readableMs, shortened, visible } from './text.js'

/** Exchanges of one case that are shown. */
const maxExchanges = 60
/** Width of the drawing of durations, in its own units. */
const barWidth = 100

/** Failed checks of a case whose exchange is marked, and characters of one. */
const maxChecks = 50
const maxWhat = 400

type Checked = Pick<CaseResult, 'checks' | 'exchanges'>

/** What went over the wire, oldest first, each with its place in time. */
export function Exchanges(props: { readonly result: Checked | undefined; readonly left: number }): JSX.Element | null {
  const { kept, earlier, later } = shownExchanges(props.result ?? {}, maxExchanges)
  const left = props.left + earlier + later
  if (kept.length + left === 0) return null
  const failed = failedChecks({ checks: props.result?.checks ?? [], exchanges: kept })
  const [first] = failed.keys()
  const startMs = Math.min(...kept.map((exchange) => Date.parse(exchange.started_at)))
  const spanMs = Math.max(
    1,
    ...kept.map((exchange) => Date.parse(exchange.started_at) - startMs + exchange.duration_ms),
  )
  const show = (exchange: ExchangeRecord) => (
    <Exchange
      exchange={exchange}
      startMs={startMs}
      spanMs={spanMs}
      failed={failed.get(exchange) ?? []}
      isOpen={exchange === first}
    />
  )
  return (
    <section class="wire" aria-label="Exchanges">
      <h3>
        Exchanges{' '}
        <span class="small">
          {counted(kept.length, 'exchange')} in {readableMs(spanMs)}; → sent to the target, ← received from it
        </span>
      </h3>
      <ol class="exchanges">
        {seriesOf(kept, failed).map(([one, ...repeats]) => (
          <li>
            {show(one)}
            {repeats.length === 0 ? null : (
              <Opening class="repeats" label={`${repeats.length} more like it`}>
                {() => repeats.map(show)}
              </Opening>
            )}
          </li>
        ))}
      </ol>
      {left > 0 ? <p class="small">{left} more are in the JSON report.</p> : null}
    </section>
  )
}

type Series = readonly [ExchangeRecord, ...ExchangeRecord[]]

/** Exchanges in their order; the same request with the same status again and again, as when a case polls, is one series. */
function seriesOf(
  exchanges: readonly ExchangeRecord[],
  failed: ReadonlyMap<ExchangeRecord, unknown>,
): readonly Series[] {
  const all: [ExchangeRecord, ...ExchangeRecord[]][] = []
  for (const exchange of exchanges) {
    const last = all.at(-1)
    if (last !== undefined && isRepeat(last[0], exchange) && !failed.has(last[0]) && !failed.has(exchange))
      last.push(exchange)
    else all.push([exchange])
  }
  return all
}

function labelOf({ request: { method, url } }: ExchangeRecord): string {
  return oneLine(`${method} ${pathOf(url)}`)
}

/** An id in a label, from this length on. */
const longId = /([A-Za-z0-9]{4})[A-Za-z0-9]{10,}([A-Za-z0-9]{4})/g

interface FailedCheck {
  readonly what: string
  /** The difference from a similar exchange with another answer. */
  readonly difference: string | undefined
}

/** The checks that failed on each exchange, in their order. */
function failedChecks({ checks = [], exchanges = [] }: Checked): ReadonlyMap<ExchangeRecord, readonly FailedCheck[]> {
  const failed = new Map<ExchangeRecord, FailedCheck[]>()
  for (const check of checks.slice(0, maxChecks)) {
    const found = exchangeOfCheck(check, { exchanges })
    if (found === undefined) continue
    const { exchange } = found
    failed.set(exchange, [...(failed.get(exchange) ?? []), { what: check.what, difference: differenceInWords(found) }])
  }
  return failed
}

interface ExchangeProps extends Scale {
  readonly exchange: ExchangeRecord
  /** The checks that failed on it. */
  readonly failed: readonly FailedCheck[]
  readonly isOpen: boolean
}

interface Scale {
  readonly startMs: number
  readonly spanMs: number
}

function Exchange({ exchange, startMs, spanMs, failed, isOpen }: ExchangeProps): JSX.Element {
  const { direction, kind, response, duration_ms, note } = exchange
  // A stream has no answer but how it was opened.
  const withoutResponse = kind === 'stream' && note !== undefined ? shortened(oneLine(note), 40) : 'no answer'
  const label = (
    <>
      <span class="way">
        {direction === 'sent' ? '→' : '←'} {kind}
        {failed.length === 0 ? null : <b class="status failed"> ✗</b>}
      </span>{' '}
      <code>{shortened(labelOf(exchange).replaceAll(longId, '$1…$2'), 160)}</code>{' '}
      <b>{response === undefined ? withoutResponse : response.status}</b>{' '}
      <span class="small">{readableMs(duration_ms)}</span>
      <Bar exchange={exchange} startMs={startMs} spanMs={spanMs} />
    </>
  )
  return (
    <Opening class={failed.length === 0 ? 'exchange' : 'exchange failing'} label={label} isOpen={isOpen}>
      {() => <Inside exchange={exchange} failed={failed} />}
    </Opening>
  )
}

function Inside({ exchange, failed }: Pick<ExchangeProps, 'exchange' | 'failed'>): JSX.Element {
  const { direction, request, response, note } = exchange
  const { resend, valid } = shellLines(exchange)
  return (
    <div class="inside">
      {failed.map(({ what, difference }) => (
        <p>
          <b class="status failed">failed here</b> {visible(shortened(what, maxWhat))}
          {difference === undefined ? null : <span class="small"> with {difference}</span>}
        </p>
      ))}
      <h4>{direction === 'sent' ? 'Request sent' : 'Request received'}</h4>
      <Message {...request} first={`${request.method} ${request.url}`} base64={request.body_base64} />
      {response === undefined ? null : (
        <>
          <h4>{direction === 'sent' ? 'Answer received' : 'Answer given'}</h4>
          <Message {...response} first={String(response.status)} base64={response.body_base64} />
        </>
      )}
      {note === undefined ? null : <p>{visible(note)}</p>}
      <Command heading="As curl" text={resend} />
      <Command heading="The valid delivery it was made from" text={valid} />
    </div>
  )
}

function Command({
  heading,
  text,
}: {
  readonly heading: string
  readonly text: string | undefined
}): JSX.Element | null {
  if (text === undefined) return null
  return (
    <>
      <h4>{heading}</h4>
      <Copyable text={text} what="the command" />
    </>
  )
}

/** When the exchange took place, among the others of its case. */
function Bar({ exchange, startMs, spanMs }: { readonly exchange: ExchangeRecord } & Scale): JSX.Element {
  const x = ((Date.parse(exchange.started_at) - startMs) / spanMs) * barWidth
  const width = Math.max(0.6, (exchange.duration_ms / spanMs) * barWidth)
  return (
    <svg class="wait" viewBox={`0 0 ${barWidth} 4`} preserveAspectRatio="none" aria-hidden="true">
      <rect x={Math.min(x, barWidth - 0.6).toFixed(2)} width={width.toFixed(2)} height="4" />
    </svg>
  )
}

export function pathOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
