import { suiteOf } from '../../harness/parsing.js'
import {
  requirementIds,
  requirements,
  type Level,
  type ReportKind,
  type RequirementId,
  type SubjectKind,
} from '../../spec/index.js'
import { catalogue } from '../run/catalogue.js'
import { ownCasesOf } from '../run/own-cases.js'
import { reportKinds, subjectKinds } from '../cli/option-values.js'
import { readSettings, type Settings } from '../cli/settings.js'
import { oneOf, UsageError } from '../cli/usage.js'
import { writeOutput } from '../cli/output.js'

/** `conformance list`: cases, or requirements. */
export async function list(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('list', flags)
  const other = (['coverage', 'requirements', 'suites'] as const).find((name) => settings.isOn(name))
  if (other !== undefined && settings.source('cases') === 'flag')
    throw new UsageError(`--cases lists cases, and --${other} does not: leave one of them out`)
  if (settings.isOn('coverage')) {
    if (settings.isOn('requirements')) throw new UsageError('--coverage and --requirements are two lists: give one')
    return printCovered(settings)
  }
  const kind = kindOf(settings)
  const isJson = settings.isOn('json')
  if (settings.isOn('suites')) {
    if (settings.isOn('requirements')) throw new UsageError('--suites and --requirements are two lists: give one')
    const rows = suiteRows(kind)
    const width = Math.max(...rows.map(({ id }) => id.length))
    print(rows, isJson, ({ id, cases, must }) => `${id.padEnd(width)}  ${cases} cases, ${must} of level must`)
  } else if (settings.isOn('requirements')) {
    const rows = requirementIds
      .filter((id) => kind === undefined || isAbout(id, kind))
      .map((id) => ({ id, ...requirements[id] }))
    print(
      rows,
      isJson,
      (row) =>
        `${row.id}  ${row.subject.padEnd(8)}  ${row.level.padEnd(6)}  ${row.text}${row.untestable === undefined ? '' : `  (not testable: ${row.untestable})`}`,
    )
  } else {
    const own = await ownCasesOf(settings, catalogue)
    const rows = (own.length > 0 ? own : catalogue)
      .filter((testCase) => kind === undefined || testCase.subject === kind)
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

/** Each suite, and how many cases it has. */
function suiteRows(kind: ReportKind | undefined) {
  const ofKind = catalogue.filter((testCase) => kind === undefined || testCase.subject === kind)
  return [...new Set(ofKind.map(({ id }) => suiteOf(id)))].map((id) => {
    const cases = ofKind.filter((testCase) => suiteOf(testCase.id) === id)
    const must = cases.filter(({ level }) => level === 'must').length
    return { id, subject: cases[0]?.subject, cases: cases.length, must }
  })
}

function print<Row>(rows: readonly Row[], isJson: boolean, line: (row: Row) => string): void {
  writeOutput(isJson ? `${JSON.stringify(rows, null, 2)}\n` : `${rows.map(line).join('\n')}\n`)
}

/** One requirement and its cases. */
interface Covered {
  readonly id: RequirementId
  readonly subject: SubjectKind
  readonly level: Level
  readonly text: string
  readonly cases: readonly string[]
  readonly untestable?: string
}

/** `conformance coverage`: requirement by case, as `list --coverage`. */
export async function coverage(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('coverage', flags)
  return settings.isOn('sentences')
    ? (await import('./sentences.js')).sentenceCoverage(settings)
    : printCovered(settings)
}

function printCovered(settings: Settings): number {
  const wanted = kindOf(settings)
  const rows = requirementIds
    .filter((id) => wanted === undefined || isAbout(id, wanted))
    .map((id): Covered => {
      const { subject, level, text, untestable } = requirements[id]
      const cases = catalogue
        .filter(
          (testCase) => testCase.requirements.includes(id) && (wanted === undefined || testCase.subject === wanted),
        )
        .map((testCase) => testCase.id)
      return { id, subject, level, text, cases, ...(untestable === undefined ? {} : { untestable }) }
    })
  if (settings.isOn('json')) print(rows, true, () => '')
  else for (const kind of wanted === undefined ? subjectKinds : [wanted]) printCoverage(kind, rows)
  return 0
}

/** Whether a requirement is one of this kind; of traffic those that it may show. */
function isAbout(id: RequirementId, kind: ReportKind): boolean {
  if (kind !== 'traffic') return requirements[id].subject === kind
  return catalogue.some((testCase) => testCase.subject === kind && testCase.requirements.includes(id))
}

function printCoverage(kind: ReportKind, all: readonly Covered[]): void {
  const rows = all.filter((row) => isAbout(row.id, kind))
  if (rows.length === 0) return
  const covered = rows.filter((row) => row.cases.length > 0).length
  const lines = rows.flatMap(({ id, level, text, cases, untestable }) => [
    `${id}  ${level.padEnd(6)}  ${text}`,
    ...cases.map((id) => `         ${id}`),
    ...(untestable === undefined ? [] : [`         not testable: ${untestable}`]),
    ...(cases.length === 0 && untestable === undefined ? ['         no case'] : []),
  ])
  writeOutput(`${kind}: ${covered} of ${rows.length} requirements have a case\n\n${lines.join('\n')}\n\n`)
}

/** The kind of cases the user named; undefined for all. */
function kindOf(settings: Settings): ReportKind | undefined {
  const text = settings.text('subject')
  return text === undefined ? undefined : oneOf('--subject', text, reportKinds)
}
