import { requirementIds, requirements } from '../../spec/index.js'
import { catalogue, subjectKind, subjectKinds } from '../catalogue.js'

/** `conformance list`: cases, or requirements. */
export async function list(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const kind = subjectKind(flags['subject'])
  const isJson = flags['json'] === true
  if (flags['requirements'] === true) {
    const rows = requirementIds
      .filter((id) => kind === undefined || requirements[id].subject === kind)
      .map((id) => ({ id, ...requirements[id] }))
    print(
      rows,
      isJson,
      (row) =>
        `${row.id}  ${row.subject.padEnd(8)}  ${row.level.padEnd(6)}  ${row.text}${row.untestable === undefined ? '' : `  (not testable: ${row.untestable})`}`,
    )
  } else {
    const rows = catalogue
      .filter((each) => kind === undefined || each.subject === kind)
      .map(({ id, subject, level, title, needs, requirements: ids }) => ({
        id,
        subject,
        level,
        title,
        needs,
        requirements: ids,
      }))
    print(
      rows,
      isJson,
      (row) =>
        `${row.level.padEnd(6)}  ${row.id}  ${row.requirements.join(' ')}${row.needs.length === 0 ? '' : `  needs ${row.needs.join(', ')}`}`,
    )
  }
  return 0
}

function print<Row>(rows: readonly Row[], isJson: boolean, line: (row: Row) => string): void {
  process.stdout.write(isJson ? `${JSON.stringify(rows, null, 2)}\n` : `${rows.map(line).join('\n')}\n`)
}

/** `conformance coverage`: requirement by case. */
export async function coverage(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const wanted = subjectKind(flags['subject'])
  const lines: string[] = []
  for (const kind of subjectKinds.filter((each) => wanted === undefined || each === wanted)) {
    const ids = requirementIds.filter((id) => requirements[id].subject === kind)
    const covered = ids.filter((id) => catalogue.some((each) => each.requirements.includes(id)))
    lines.push(`${kind}: ${covered.length} of ${ids.length} requirements have a case`, '')
    for (const id of ids) {
      const cases = catalogue.filter((each) => each.requirements.includes(id))
      const { level, text, untestable } = requirements[id]
      lines.push(
        `${id}  ${level.padEnd(6)}  ${text}`,
        ...(untestable === undefined
          ? cases.map((each) => `         ${each.id}`)
          : [`         not testable: ${untestable}`]),
      )
    }
    lines.push('')
  }
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}
