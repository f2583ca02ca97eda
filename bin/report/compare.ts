import { oneLine } from '../../harness/reporters/reporter.js'
import type { Outcome, Report } from '../../harness/result.js'

type Seen = Outcome | 'absent'

/**
 * Reports side by side as Markdown: a column for each, a row for each case whose outcome is not the same in all.
 * Of two runs on one target it also tells what was fixed, what broke and what is new.
 */
export function compareReports(files: readonly string[], reports: readonly Report[]): string {
  const outcomes = reports.map((each) => new Map<string, Outcome>(each.cases.map((one) => [one.id, one.status])))
  const seen = (index: number, id: string): Seen => outcomes[index]?.get(id) ?? 'absent'
  const ids = [...new Set(reports.flatMap((each) => each.cases.map((one) => one.id)))]
  const differing = ids.filter((id) => new Set(reports.map((_, index) => seen(index, id))).size > 1)
  const row = (head: string, cells: readonly string[]) => `| ${[head, ...cells].map(cell).join(' | ')} |`
  const lines = [
    row('', files),
    `|${'---|'.repeat(reports.length + 1)}`,
    row(
      'target',
      reports.map((each) => `${each.subject.kind} ${each.subject.name}`),
    ),
    row(
      'verdict',
      reports.map((each) => each.verdict),
    ),
    row('requirements', reports.map(counted)),
    ...differing.map((id) =>
      row(
        id,
        reports.map((_, index) => seen(index, id)),
      ),
    ),
  ]
  const [before, after] = reports
  const isSameTarget =
    reports.length === 2 && before?.subject.kind === after?.subject.kind && before?.subject.name === after?.subject.name
  if (isSameTarget) lines.push(...changes(differing, (id) => [seen(0, id), seen(1, id)]))
  return `${lines.join('\n')}\n`
}

function changes(ids: readonly string[], pairOf: (id: string) => readonly [Seen, Seen]): string[] {
  const groups: Readonly<Record<string, (before: Seen, after: Seen) => boolean>> = {
    Fixed: (before, after) => before === 'failed' && after === 'passed',
    Broken: (before, after) => before !== 'failed' && before !== 'absent' && after === 'failed',
    New: (before) => before === 'absent',
    Gone: (_, after) => after === 'absent',
  }
  return Object.entries(groups).flatMap(([name, belongs]) => {
    const members = ids.filter((id) => belongs(...pairOf(id)))
    return ['', `${name}: ${members.length}`, ...members.map((id) => `- ${id} (${pairOf(id).join(' -> ')})`)]
  })
}

function counted({ summary: { requirements } }: Report): string {
  return `${requirements.verified} verified, ${requirements.violated} violated, ${requirements.unverified} not verified`
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|')
}
