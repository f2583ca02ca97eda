import { requirementIds, requirements, type Level, type RequirementId, type SubjectKind } from '../../spec/index.js'
import { catalogue, subjectKind, subjectKinds } from '../catalogue.js'
import { UsageError } from '../usage.js'

/** `conformance list`: cases, or requirements. */
export async function list(flags: Readonly<Record<string, unknown>>): Promise<number> {
  if (flags['coverage'] === true) {
    if (flags['requirements'] === true) throw new UsageError('--coverage and --requirements are two lists: give one')
    return coverage(flags)
  }
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

/** One requirement and what is asked of it. */
interface Covered {
  readonly id: RequirementId
  readonly subject: SubjectKind
  readonly level: Level
  readonly text: string
  readonly cases: readonly string[]
  readonly untestable?: string
}

/** `conformance coverage` and `list --coverage`: requirement by case. */
export async function coverage(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const wanted = subjectKind(flags['subject'])
  const rows = requirementIds
    .map((id): Covered => {
      const { subject, level, text, untestable } = requirements[id]
      const cases = catalogue.filter((each) => each.requirements.includes(id)).map((each) => each.id)
      return { id, subject, level, text, cases, ...(untestable === undefined ? {} : { untestable }) }
    })
    .filter((row) => wanted === undefined || row.subject === wanted)
  if (flags['json'] === true) print(rows, true, () => '')
  else for (const kind of subjectKinds) printCoverage(kind, rows)
  return 0
}

function printCoverage(kind: SubjectKind, all: readonly Covered[]): void {
  const rows = all.filter((row) => row.subject === kind)
  if (rows.length === 0) return
  const covered = rows.filter((row) => row.cases.length > 0).length
  const lines = rows.flatMap(({ id, level, text, cases, untestable }) => [
    `${id}  ${level.padEnd(6)}  ${text}`,
    ...cases.map((each) => `         ${each}`),
    ...(untestable === undefined ? [] : [`         not testable: ${untestable}`]),
    ...(cases.length === 0 && untestable === undefined ? ['         no case'] : []),
  ])
  process.stdout.write(`${kind}: ${covered} of ${rows.length} requirements have a case\n\n${lines.join('\n')}\n\n`)
}
