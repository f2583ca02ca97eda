import type { JSX } from 'preact'
import type { ExchangeRecord } from '../../harness/result.js'
import { deliveriesOf, type Delivery } from './attempts.js'
import { counted, oneLine, readableSeconds, shortened } from './text.js'

/** Measures of the drawing, in its own units. */
const drawing = { left: 76, expectedY: 22, observedY: 50, height: 84 }
/** Its marks, as the legend explains them. */
const legend = [
  ['due', 'due'],
  ['due open', 'due, not recorded'],
  ['made', 'made when it was due'],
  ['made off', 'made at another time'],
] as const
/** Its width: on a phone half of it, since the drawing is as wide as the page and its labels must stay legible. */
export const drawingWidth = () => (matchMedia('(max-width: 30rem)').matches ? 320 : 640)
/** Deliveries drawn of one case. */
const maxTimelines = 4
/** Seconds between due and made before an attempt is marked: whole seconds are signed, and the failed one took a moment. */
const toleranceSeconds = 2

/** The retries of a case as a drawing: above when each attempt was due, below when it was made and what it was answered. */
export function Timelines({ exchanges }: { readonly exchanges: readonly ExchangeRecord[] }): JSX.Element | null {
  const all = deliveriesOf(exchanges)
  if (all.length === 0) return null
  // Attempts off schedule, then the last one, as in the smallest counterexample of a property.
  const isLate = ({ observed, expected }: Delivery) =>
    observed.some((seconds, index) => isOff(seconds, expected[index]))
  const deliveries = [...all.filter(isLate), ...all.filter((delivery) => !isLate(delivery)).toReversed()]
  const left = deliveries.length - maxTimelines
  return (
    <section aria-label="Attempts">
      <h3>Attempts</h3>
      {deliveries.slice(0, maxTimelines).map((delivery) => (
        <Timeline delivery={delivery} />
      ))}
      {left > 0 ? <p class="small">And {left} more deliveries.</p> : null}
    </section>
  )
}

function isOff(made: number, due: number | undefined): boolean {
  return due === undefined || Math.abs(made - due) > toleranceSeconds
}

function Timeline({ delivery }: { readonly delivery: Delivery }): JSX.Element {
  const { eventId, observed, expected, answers, isVirtual } = delivery
  const longest = Math.max(1, ...observed, ...expected)
  const { left, expectedY, observedY } = drawing
  const width = drawingWidth()
  const right = width - 24
  const x = (seconds: number) => left + ((right - left) * Math.log1p(seconds)) / Math.log1p(longest)
  const words = `${counted(observed.length, 'attempt')} made at ${observed.map(readableSeconds).join(', ')}, due at ${expected.map(readableSeconds).join(', ')} after the first`
  return (
    <figure>
      <svg class="timeline" viewBox={`0 0 ${width} ${drawing.height}`} role="img" aria-label={words}>
        <text class="lane" x="4" y={expectedY + 4}>
          due
        </text>
        <text class="lane" x="4" y={observedY + 4}>
          made
        </text>
        <line class="axis" x1={left} y1={expectedY} x2={right} y2={expectedY} />
        <line class="axis" x1={left} y1={observedY} x2={right} y2={observedY} />
        {expected.slice(0, observed.length).map((seconds, index) => {
          const made = observed[index] ?? 0
          const kind = isOff(made, seconds) ? 'off' : 'on'
          return <line class={kind} x1={x(seconds)} y1={expectedY + 6} x2={x(made)} y2={observedY - 6} />
        })}
        {expected.map((seconds, index) => (
          <circle class={index < observed.length ? 'due' : 'due open'} cx={x(seconds)} cy={expectedY} r="5" />
        ))}
        {observed.map((seconds, index) => (
          <circle class={isOff(seconds, expected[index]) ? 'made off' : 'made'} cx={x(seconds)} cy={observedY} r="5">
            <title>{`attempt ${index + 1}: ${oneLine(answers[index] ?? '')}`}</title>
          </circle>
        ))}
        <Labels times={expected} from={observed} x={x} y={expectedY - 10} />
        <Labels times={observed} from={observed} x={x} y={observedY + 22} />
      </svg>
      <figcaption class="small">
        <span class="legend">
          {legend.map(([kind, words]) => (
            <span>
              <svg class="dot" viewBox="0 0 12 12" aria-hidden="true">
                <circle class={kind} cx="6" cy="6" r="5" />
              </svg>{' '}
              {words}
            </span>
          ))}
        </span>
        Attempts of {shortened(oneLine(eventId), 80)}, answered with{' '}
        {answers.map((answer) => shortened(oneLine(answer), 60)).join(', ')}. Each is due after the delay in the
        schedule. {isVirtual ? 'The clock was moved: the times are those that were signed. ' : ''}Logarithmic scale.
      </figcaption>
    </figure>
  )
}

interface LabelsProps {
  readonly times: readonly number[]
  readonly from: readonly number[]
  readonly x: (seconds: number) => number
  readonly y: number
}

/** Labels that would cover each other are left out, but the last one never is. */
function Labels({ times, from, x, y }: LabelsProps): JSX.Element {
  const shown: { readonly x: number; readonly label: string }[] = []
  for (const [index, seconds] of [...times.entries()].reverse()) {
    const before = from[index - 1]
    // How long after the attempt before; the first is the start.
    const label = before === undefined ? '0' : `+${readableSeconds(seconds - before)}`
    const next = shown.at(-1)
    const place = x(seconds)
    if (next === undefined || next.x - place > 7 * Math.max(label.length, next.label.length))
      shown.push({ x: place, label })
  }
  return (
    <>
      {shown.map((tick) => (
        <text x={tick.x} y={y}>
          {tick.label}
        </text>
      ))}
    </>
  )
}
