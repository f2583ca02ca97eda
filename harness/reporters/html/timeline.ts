import type { ExchangeRecord } from '../../result.js'

/** Width and margins of the drawing, in its own units. */
const drawing = { width: 620, left: 20, span: 560 }

/** Deliveries of a case on a line of time, where there are several. */
export function timeline(exchanges: readonly ExchangeRecord[]): string {
  const times = exchanges
    .filter((each) => each.kind === 'delivery')
    .map((each) => Number(each.request.headers['webhook-timestamp'] ?? Number.NaN))
    .filter((each) => Number.isFinite(each))
  const [first] = times
  const last = times.at(-1)
  if (first === undefined || last === undefined || last <= first) return ''
  const x = (seconds: number) =>
    (drawing.left + (drawing.span * Math.log1p(Math.max(0, seconds - first))) / Math.log1p(last - first)).toFixed(1)
  const marks = times.map((time, index) => {
    const label = index === 0 ? '0' : `+${time - (times[index - 1] ?? time)} s`
    return `<g><circle cx="${x(time)}" cy="20" r="5"/><text x="${x(time)}" y="42">${label}</text></g>`
  })
  return `<figure><svg viewBox="0 0 ${drawing.width} 52" role="img" aria-label="Attempts over time"><line x1="10" y1="20" x2="610" y2="20"/>${marks.join('')}</svg><figcaption class="small">Attempts as they were signed; the scale is logarithmic</figcaption></figure>`
}
