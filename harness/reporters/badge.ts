import type { Report } from '../result.js'
import type { CreateReporter } from './reporter.js'
import { escaped, oneLine } from './text.js'

const label = 'conformance'
const colours = { conformant: '#2f7d32', partial: '#8a6100', nonconformant: '#b3261e', none: '#5f6368' } as const
/** Average width of a character at 11 px, and the space at the sides of a text, in pixels. */
const character = 6.6
const padding = 6

/** A picture for a readme: the verdict, and how many of the requirements were verified. */
export const badgeSvg: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const message = messageOf(report)
    const left = Math.round(label.length * character) + 2 * padding
    const right = Math.round(message.length * character) + 2 * padding
    const title = escaped(oneLine(`${label} of ${report.subject.name}: ${message}`))
    const inside = (width: number) => Math.max(1, width - 2 * padding)
    write(`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${colourOf(report)}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${padding}" y="14" textLength="${inside(left)}">${label}</text>
<text x="${left + padding}" y="14" textLength="${inside(right)}">${escaped(message)}</text>
</g>
</svg>
`)
  },
})

/** The same as data for a badge service that draws: `https://img.shields.io/endpoint?url=…`. */
export const badgeJson: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const badge = {
      schemaVersion: 1,
      label,
      message: messageOf(report),
      color: colourOf(report).slice(1),
      isError: report.verdict === 'nonconformant' || report.verdict === 'none',
    }
    write(`${JSON.stringify(badge)}\n`)
  },
})

/** A part of a run, and one whose known failures are out of date, is never green. */
function colourOf({ verdict, shard, known_failure_problems: problems = [] }: Report): string {
  const isWhole = shard === undefined && problems.length === 0
  return colours[verdict === 'conformant' && !isWhole ? 'partial' : verdict]
}

function messageOf({ verdict, summary: { requirements }, known_failure_problems: problems = [] }: Report): string {
  if (verdict === 'none') return 'no verdict'
  const stale = problems.length === 0 ? '' : ', known failures out of date'
  return `${verdict} ${requirements.verified}/${requirements.total}${stale}`
}
