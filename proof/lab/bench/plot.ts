import type { Growth, Point } from './growth/index.js'
import { rounded } from './table.js'

const barWidth = 30

/** Plots the curves as text: a bar for each size, its length the cost of a unit relative to the highest. */
export function textPlot(curves: readonly Growth[]): string {
  return curves
    .map(({ size, unit, points }) => {
      const highest = Math.max(...points.map(({ unitUs }) => unitUs))
      const lines = points.map(({ size: at, unitUs, mb }) => {
        const bar = '#'.repeat(Math.max(1, Math.round((unitUs / highest) * barWidth)))
        return `  ${at.toLocaleString('en').padStart(9)}  ${bar.padEnd(barWidth)}  ${rounded(unitUs).padStart(7)} us  ${rounded(mb).padStart(5)} MB`
      })
      return `${unit}, by ${size}\n${lines.join('\n')}\n`
    })
    .join('\n')
}

const panel = { width: 300, height: 190, left: 44, right: 34, top: 46, bottom: 34 }
const columns = 3
const colours = { time: '#1f5fa8', memory: '#b3541e' }

/**
 * The curves as an SVG: one panel each, sizes on a logarithmic scale; the cost of a unit and the memory of the process,
 * both as multiples of the first point, so that a flat line is a cost that does not grow.
 */
export function svgPlot(curves: readonly Growth[]): string {
  const rowCount = Math.ceil(curves.length / columns)
  const width = panel.width * columns
  const height = panel.height * rowCount + 24
  const panels = curves.map((curve, index) => {
    const [x, y] = [(index % columns) * panel.width, Math.floor(index / columns) * panel.height]
    return `<g transform="translate(${x} ${y})">${panelOf(curve)}</g>`
  })
  const legend = [
    text(panel.left, height - 8, 'time for a unit', { fill: colours.time }),
    text(panel.left + 110, height - 8, 'memory of the process', { fill: colours.memory }),
    text(panel.left + 260, height - 8, 'both relative to the first point: level is flat', { fill: '#555' }),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
${panels.join('\n')}
${legend.join('\n')}
</svg>
`
}

function panelOf({ size, unit, points }: Growth): string {
  const [first] = points
  if (first === undefined) return ''
  const times = points.map((point) => point.unitUs / first.unitUs)
  const memories = points.map((point) => point.mb / first.mb)
  const top = Math.max(2, ...times, ...memories) * 1.05
  const least = Math.log10(first.size)
  const span = Math.log10(points.at(-1)?.size ?? first.size) - least || 1
  const inner = { width: panel.width - panel.left - panel.right, height: panel.height - panel.top - panel.bottom }
  const atX = ({ size: at }: Point) => panel.left + ((Math.log10(at) - least) / span) * inner.width
  const atY = (value: number) => panel.top + inner.height * (1 - value / top)
  const line = (values: readonly number[], colour: string) => {
    const places = points.map((point, index) => `${atX(point).toFixed(1)},${atY(values[index] ?? 0).toFixed(1)}`)
    const dots = places.map((place) => `<circle cx="${place.replace(',', '" cy="')}" r="2.5" fill="${colour}"/>`)
    return `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>${dots.join('')}`
  }
  const marks = [1, Math.floor(top)].map(
    (value) =>
      `<line x1="${panel.left}" x2="${panel.width - panel.right}" y1="${atY(value)}" y2="${atY(value)}" stroke="#ddd"/>${text(panel.left - 6, atY(value) + 4, `${value}x`, { anchor: 'end' })}`,
  )
  const sizes = points.map((point) =>
    text(atX(point), panel.height - panel.bottom + 15, point.size.toLocaleString('en'), { anchor: 'middle' }),
  )
  return [
    text(8, 16, unit, { fill: '#000' }),
    text(8, 30, `by ${size}`, { fill: '#555' }),
    ...marks,
    `<line x1="${panel.left}" x2="${panel.width - panel.right}" y1="${atY(0)}" y2="${atY(0)}" stroke="#000"/>`,
    ...sizes,
    line(memories, colours.memory),
    line(times, colours.time),
  ].join('')
}

function text(x: number, y: number, content: string, look: { fill?: string; anchor?: string }): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${look.fill ?? '#333'}" text-anchor="${look.anchor ?? 'start'}">${escaped}</text>`
}
