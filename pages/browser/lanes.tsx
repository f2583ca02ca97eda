import type { JSX } from 'preact'
import type { ExchangeRecord } from '../../harness/result.js'
import { pathOf } from './exchanges.js'
import { counted, grouped, oneLine, readableMs, shortened } from './text.js'
import { drawingWidth } from './timeline.js'

/** Measures of the drawing, in its own units. */
const drawing = { lane: 22, top: 8 }
const maxLanes = 8

interface Lane {
  readonly name: string
  readonly exchanges: readonly ExchangeRecord[]
}

/** Streams and other exchanges over time: one lane each stream, one each other kind. */
export function Lanes({ exchanges }: { readonly exchanges: readonly ExchangeRecord[] }): JSX.Element | null {
  const lanes = lanesOf(exchanges)
  if (!exchanges.some((exchange) => exchange.kind === 'stream') || lanes.length < 2) return null
  const startMs = Math.min(...exchanges.map((exchange) => Date.parse(exchange.started_at)))
  const endMs = Math.max(...exchanges.map((exchange) => Date.parse(exchange.started_at) + exchange.duration_ms))
  const spanMs = Math.max(1, endMs - startMs)
  const width = drawingWidth()
  const [left, right] = [width * 0.3, width - 10]
  const x = (ms: number) => left + ((right - left) * (ms - startMs)) / spanMs
  const height = drawing.top * 2 + lanes.length * drawing.lane
  const words = lanes.map((lane) => `${lane.name}: ${counted(lane.exchanges.length, 'exchange')}`).join('; ')
  return (
    <figure>
      <svg class="lanes" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
        {lanes.map((lane, index) => {
          const y = drawing.top + index * drawing.lane + drawing.lane / 2
          return (
            <>
              <text class="lane" x="4" y={y + 4}>
                {shortened(lane.name, Math.floor(left / 7))}
              </text>
              <line class="axis" x1={left} y1={y} x2={right} y2={y} />
              {lane.exchanges.map((exchange) => {
                const from = x(Date.parse(exchange.started_at))
                const to = x(Date.parse(exchange.started_at) + exchange.duration_ms)
                return (
                  <rect class={exchange.kind} x={from - 1.5} y={y - 5} width={Math.max(3, to - from)} height="10">
                    <title>
                      {oneLine(`${exchange.request.method} ${pathOf(exchange.request.url)} ${exchange.note ?? ''}`)}
                    </title>
                  </rect>
                )
              })}
            </>
          )
        })}
      </svg>
      <figcaption class="small">
        What went on at the same time, over {readableMs(spanMs)}: a line for each stream and each kind of exchange.
      </figcaption>
    </figure>
  )
}

function lanesOf(exchanges: readonly ExchangeRecord[]): readonly Lane[] {
  const lanes = grouped(exchanges, ({ kind, request }) =>
    kind === 'stream' ? `stream ${oneLine(pathOf(request.url))}` : kind,
  )
  return [...lanes].slice(0, maxLanes).map(([name, members]) => ({ name, exchanges: members }))
}
