import type { JSX } from 'preact'
import type { ExchangeRecord } from '../../harness/result.js'
import { pathOf } from './exchanges.js'
import { counted, oneLine, readableMs, shortened } from './text.js'

/** Measures of the drawing, in its own units. */
const drawing = { width: 640, left: 190, right: 630, lane: 22, top: 8 }
const maxLanes = 8

interface Lane {
  readonly name: string
  readonly exchanges: readonly ExchangeRecord[]
}

/** Streams and other exchanges over time: one lane each stream, one each other kind. */
export function Lanes({ exchanges }: { readonly exchanges: readonly ExchangeRecord[] }): JSX.Element | null {
  const lanes = lanesOf(exchanges)
  if (!exchanges.some((each) => each.kind === 'stream') || lanes.length < 2) return null
  const startMs = Math.min(...exchanges.map((each) => Date.parse(each.started_at)))
  const endMs = Math.max(...exchanges.map((each) => Date.parse(each.started_at) + each.duration_ms))
  const spanMs = Math.max(1, endMs - startMs)
  const x = (ms: number) => drawing.left + ((drawing.right - drawing.left) * (ms - startMs)) / spanMs
  const height = drawing.top * 2 + lanes.length * drawing.lane
  const words = lanes.map((each) => `${each.name}: ${counted(each.exchanges.length, 'exchange')}`).join('; ')
  return (
    <figure>
      <svg class="lanes" viewBox={`0 0 ${drawing.width} ${height}`} role="img" aria-label={words}>
        {lanes.map((lane, index) => {
          const y = drawing.top + index * drawing.lane + drawing.lane / 2
          return (
            <>
              <text class="lane" x="4" y={y + 4}>
                {shortened(lane.name, 28)}
              </text>
              <line class="axis" x1={drawing.left} y1={y} x2={drawing.right} y2={y} />
              {lane.exchanges.map((each) => {
                const from = x(Date.parse(each.started_at))
                const to = x(Date.parse(each.started_at) + each.duration_ms)
                return (
                  <rect class={each.kind} x={from - 1.5} y={y - 5} width={Math.max(3, to - from)} height="10">
                    <title>{oneLine(`${each.request.method} ${pathOf(each.request.url)} ${each.note ?? ''}`)}</title>
                  </rect>
                )
              })}
            </>
          )
        })}
      </svg>
      <figcaption class="small">What went on at the same time, over {readableMs(spanMs)}.</figcaption>
    </figure>
  )
}

function lanesOf(exchanges: readonly ExchangeRecord[]): readonly Lane[] {
  const lanes = new Map<string, ExchangeRecord[]>()
  for (const each of exchanges) {
    const name = each.kind === 'stream' ? `stream ${oneLine(pathOf(each.request.url))}` : each.kind
    const lane = lanes.get(name)
    if (lane === undefined) lanes.set(name, [each])
    else lane.push(each)
  }
  return [...lanes].slice(0, maxLanes).map(([name, members]) => ({ name, exchanges: members }))
}
