import type { CaseResult, ExchangeRecord, Report } from '../../result.js'
import { readableMs } from './case-block.js'
import { anchorOf, text } from './text.js'

/** Cases shown; exchanges from which on a distribution says something. */
const most = { slowest: 10 }
const fewest = 5
/** Measures of the drawing of answer times, in its own units. */
const plot = { width: 640, left: 20, right: 620, axisY: 64, height: 92 }
/** Ends of the scale of answer times, in milliseconds. */
const scaleMs = { from: 1, to: 100_000 }

/** How long things took: the answers on record, and the slowest cases. */
export function times(report: Report): string {
  const ran = report.cases.filter((each) => each.status !== 'skipped')
  if (ran.length === 0) return ''
  return `<section aria-labelledby="times">
<h2 id="times">Times</h2>
${answerTimes(report.cases)}
${slowest(ran)}
</section>
`
}

function answerTimes(cases: readonly CaseResult[]): string {
  const durations = cases
    .flatMap((each) => (each.exchanges ?? []).filter(isAnswered).map((one) => one.duration_ms))
    .sort((a, b) => a - b)
  if (durations.length < fewest) return ''
  const at = (share: number) => durations[Math.min(durations.length - 1, Math.floor(share * durations.length))] ?? 0
  const marks = Object.entries({ p50: at(0.5), p95: at(0.95), worst: durations.at(-1) ?? 0 })
  const words = marks.map(([name, ms]) => `${name} ${readableMs(ms)}`).join(', ')
  return `<figure><svg class="plot" viewBox="0 0 ${plot.width} ${plot.height}" role="img" aria-label="${words}">
${columns(durations)}<line class="axis" x1="${plot.left}" y1="${plot.axisY}" x2="${plot.right}" y2="${plot.axisY}"/>
${ticks()}
</svg><figcaption class="small">Time to answer of ${durations.length} requests on record (those of cases that did not pass): ${words}. Logarithmic scale.</figcaption></figure>`
}

function isAnswered({ direction, response, kind }: ExchangeRecord): boolean {
  return direction === 'sent' && response !== undefined && (kind === 'api' || kind === 'receiver')
}

function x(ms: number): number {
  const share =
    Math.log(Math.min(scaleMs.to, Math.max(scaleMs.from, ms)) / scaleMs.from) / Math.log(scaleMs.to / scaleMs.from)
  return plot.left + share * (plot.right - plot.left)
}

/** A histogram: a column for each fiftieth of the scale. */
function columns(durations: readonly number[]): string {
  const width = (plot.right - plot.left) / 50
  const counts = new Map<number, number>()
  for (const ms of durations) {
    const column = Math.min(49, Math.floor((x(ms) - plot.left) / width))
    counts.set(column, (counts.get(column) ?? 0) + 1)
  }
  const highest = Math.max(...counts.values())
  return [...counts]
    .map(([column, count]) => {
      const height = Math.max(2, (count / highest) * (plot.axisY - 8))
      return `<rect x="${(plot.left + column * width).toFixed(1)}" y="${(plot.axisY - height).toFixed(1)}" width="${(width - 1).toFixed(1)}" height="${height.toFixed(1)}"><title>${count}</title></rect>`
    })
    .join('')
}

function ticks(): string {
  return [1, 10, 100, 1_000, 10_000, 100_000]
    .map(
      (ms) =>
        `<text x="${x(ms).toFixed(1)}" y="${plot.axisY + 18}">${ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}</text>`,
    )
    .join('')
}

function slowest(cases: readonly CaseResult[]): string {
  const rows = [...cases].sort((a, b) => b.duration_ms - a.duration_ms).slice(0, most.slowest)
  const longest = Math.max(1, rows[0]?.duration_ms ?? 0)
  const lines = rows.map(
    ({ id, duration_ms }) =>
      `<tr><th scope="row"><a href="#${anchorOf(id)}">${text(id)}</a></th><td class="number">${readableMs(duration_ms)}</td><td class="drawn"><svg class="wait" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.max(0.5, (duration_ms / longest) * 100).toFixed(1)}" height="4"/></svg></td></tr>`,
  )
  return `<h3>Slowest cases</h3>
<table class="slowest"><thead class="hidden"><tr><th scope="col">Case</th><th scope="col">Time</th><th scope="col">Share of the longest</th></tr></thead><tbody>
${lines.join('\n')}
</tbody></table>`
}
