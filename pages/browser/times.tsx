import type { JSX } from 'preact'
import type { CaseResult, ExchangeRecord } from '../../harness/result.js'
import { readableMs, visible } from './text.js'
import { drawingWidth } from './timeline.js'

/** Cases shown; the number of exchanges that makes a distribution meaningful. */
const most = { slowest: 20 }
const fewest = 5
/** Measures of the drawing of answer times, in its own units. */
const plot = { left: 20, axisY: 64, height: 92, columns: 50 }
/** Ends of the scale of answer times, in milliseconds. */
const scaleMs = { from: 1, to: 100_000 }

/** How long things took: the answers on record, and the slowest cases. */
export function Times(props: {
  readonly results: readonly CaseResult[]
  readonly hrefOfCase: (id: string) => string
}): JSX.Element {
  const ran = props.results.filter((result) => result.status !== 'skipped')
  return (
    <section aria-labelledby="times-title">
      <h2 id="times-title">Times</h2>
      {ran.length === 0 ? <p>No case ran.</p> : null}
      <AnswerTimes results={ran} />
      <Slowest results={ran} hrefOfCase={props.hrefOfCase} />
    </section>
  )
}

function AnswerTimes({ results }: { readonly results: readonly CaseResult[] }): JSX.Element | null {
  const durations = results
    .flatMap((result) => (result.exchanges ?? []).filter(isAnswered).map((one) => one.duration_ms))
    .sort((a, b) => a - b)
  if (durations.length < fewest) return null
  const at = (share: number) => durations[Math.min(durations.length - 1, Math.floor(share * durations.length))] ?? 0
  const words = `half within ${readableMs(at(0.5))}, 95 % within ${readableMs(at(0.95))}, the slowest ${readableMs(durations.at(-1) ?? 0)}`
  const width = drawingWidth()
  const x = (ms: number) => plot.left + shareOf(ms) * (width - 2 * plot.left)
  return (
    <figure>
      <svg class="plot" viewBox={`0 0 ${width} ${plot.height}`} role="img" aria-label={words}>
        <Columns durations={durations} width={(width - 2 * plot.left) / plot.columns} />
        <line class="axis" x1={plot.left} y1={plot.axisY} x2={width - plot.left} y2={plot.axisY} />
        {[1, 10, 100, 1_000, 10_000, 100_000].map((ms) => (
          <text x={x(ms)} y={plot.axisY + 18}>
            {ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}
          </text>
        ))}
      </svg>
      <figcaption class="small">
        How long the target took to answer {durations.length} requests: those that this page keeps, of cases that did
        not pass. {words.charAt(0).toUpperCase() + words.slice(1)}. Logarithmic scale.
      </figcaption>
    </figure>
  )
}

function isAnswered({ direction, response, kind }: ExchangeRecord): boolean {
  return direction === 'sent' && response !== undefined && (kind === 'api' || kind === 'receiver')
}

/** The place of a time on the scale, from 0 to 1. */
function shareOf(ms: number): number {
  return Math.log(Math.min(scaleMs.to, Math.max(scaleMs.from, ms)) / scaleMs.from) / Math.log(scaleMs.to / scaleMs.from)
}

/** A histogram: a column for each fiftieth of the scale. */
function Columns(props: { readonly durations: readonly number[]; readonly width: number }): JSX.Element {
  const { durations, width } = props
  const counts = new Map<number, number>()
  for (const ms of durations) {
    const column = Math.min(plot.columns - 1, Math.floor(shareOf(ms) * plot.columns))
    counts.set(column, (counts.get(column) ?? 0) + 1)
  }
  const highest = Math.max(...counts.values())
  return (
    <>
      {[...counts].map(([column, count]) => {
        const height = Math.max(2, (count / highest) * (plot.axisY - 8))
        return (
          <rect x={plot.left + column * width} y={plot.axisY - height} width={width - 1} height={height}>
            <title>{count}</title>
          </rect>
        )
      })}
    </>
  )
}

interface SlowestProps {
  readonly results: readonly CaseResult[]
  readonly hrefOfCase: (id: string) => string
}

function Slowest({ results, hrefOfCase }: SlowestProps): JSX.Element {
  const rows = [...results].sort((a, b) => b.duration_ms - a.duration_ms).slice(0, most.slowest)
  const longest = Math.max(1, rows[0]?.duration_ms ?? 0)
  return (
    <>
      <h3>Slowest cases</h3>
      <ol class="slowest">
        {rows.map(({ id, duration_ms }) => (
          <li>
            <a href={hrefOfCase(id)}>{visible(id)}</a> <span class="number">{readableMs(duration_ms)}</span>
            <svg class="wait" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect width={Math.max(0.5, (duration_ms / longest) * 100)} height="4" />
            </svg>
          </li>
        ))}
      </ol>
    </>
  )
}
