import type { Report } from '../../../harness/index.js'
import { findingsOf, type Finding } from './findings.js'
import type { Library } from './packages.js'

/** A tested library. */
export interface LibraryResult {
  readonly library: Library
  readonly version: string
  /** The version of the package `standardwebhooks` that it depends on. */
  readonly verifiesBy?: string
  readonly report: Report
}

/** The text of docs/libraries.md. */
export function librariesPage(
  requested: readonly LibraryResult[],
  { date, node }: { date: string; node: string },
): string {
  return [
    '# Libraries',
    `How npm packages that verify this signature scheme differ from the interface. \`npm run lab -- libraries\` wrote this page on ${date} with Node ${node}.`,
    'Each package is tested in the version shown, used as its documentation shows. Whatever it throws counts as a refusal.',
    'The sentences are from [the interface](../spec/interface.md). A package written for another service may have good reasons to differ.',
    'A package is conformant when no forgery, replay or changed body passes, no valid delivery is refused, and nothing crashes. A difference that gains a forger nothing is advice.',
    'A package that accepts the body as text gets the text that a handler would read. Bytes that are not UTF-8 become replacement characters there, so two bodies may share one signature (VFY-024).',
    table(
      [
        'package',
        'version',
        'verdict',
        'cases passed',
        'accepts what it must not',
        'refuses what it must not',
        'advice not followed',
      ],
      requested.map(({ library, version, report }) => {
        const found = findingsOf(report)
        const must = (side: Finding['side']) =>
          found
            .filter((finding) => finding.level === 'must' && finding.side === side)
            .map((finding) => finding.requirement)
        const { passed } = report.summary.cases
        const all = report.cases.filter((result) => result.status !== 'skipped').length
        return [
          `[${library.name}](#${anchorOf(library.name)})`,
          version,
          verdictText(report, found),
          `${passed} of ${all}`,
          listed(must('accepts')),
          listed(must('refuses')),
          listed(found.filter((finding) => finding.level === 'should').map((finding) => finding.requirement)),
        ]
      }),
    ),
    `To repeat one, in a folder of your own:

    npm install openai
    npx conformance verifier --seed 1 --case verifier/vectors/0108-unknown-version -- node proof/lab/libraries/driver.mjs openai

with \`proof/lab/libraries/driver.mjs\` of this repository. \`conformance explain VFY-010\` shows a sentence with its cases; the vectors themselves are in \`fixtures/vectors/signature.json\`.`,
    ...requested.map(section),
  ].join('\n\n')
}

/** As a Markdown reader makes it of a heading. */
function anchorOf(name: string): string {
  return name.replace(/[^a-z0-9-]/g, '')
}

/** `conformant, with advice`. */
function verdictText({ verdict }: Report, found: readonly Finding[]): string {
  return found.some(({ level }) => level === 'should') ? `${verdict}, with advice` : verdict
}

export function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'nothing' : [...new Set(ids)].join(', ')
}

function section({ library, version, verifiesBy, report }: LibraryResult): string {
  const found = findingsOf(report)
  const { name, call, takes, headerNames, note } = library
  const skipped = report.cases.filter((result) => result.status === 'skipped' || result.status === 'errored')
  const about = `Version ${version}. Called as \`${call}\`, with the body as ${takes}${headerNames === undefined ? '' : ', headers `svix-*`'}.`
  return [
    `## ${name}`,
    [
      about,
      ...(verifiesBy === undefined ? [] : [`It depends on \`standardwebhooks\` ${verifiesBy}.`]),
      ...(note === undefined ? [] : [note]),
    ].join(' '),
    ...(found.length === 0 ? ['Nothing that differs was found.'] : []),
    ...part(found, 'accepts', 'must', 'Accepts what it must not'),
    ...part(found, 'refuses', 'must', 'Refuses what it must not'),
    ...part(found, 'other', 'must', 'Otherwise'),
    ...part(found, undefined, 'should', 'Advice it does not follow'),
    ...(skipped.length === 0
      ? []
      : [`Not run: ${skipped.length} ${skipped.length === 1 ? 'case' : 'cases'}, since ${reasons(report)}.`]),
  ].join('\n\n')
}

function part(
  found: readonly Finding[],
  side: Finding['side'] | undefined,
  level: Finding['level'],
  title: string,
): string[] {
  const rows = found.filter((finding) => finding.level === level && (side === undefined || finding.side === side))
  if (rows.length === 0) return []
  const head = ['sentence', 'first failing case', 'case', 'cases']
  return [
    `${title}:`,
    table(
      head,
      rows.map(({ requirement, text, cases }) => [
        `${requirement} ${text}`,
        cases[0]?.title.replace(/ \((?:in)?valid\)$/, '') ?? '',
        `\`${cases[0]?.id ?? ''}\``,
        String(cases.length),
      ]),
    ),
  ]
}

function reasons({ cases }: Report): string {
  const all = cases.flatMap(({ status, reason }) =>
    status === 'skipped' || status === 'errored' ? (reason ?? status) : [],
  )
  return [
    ...new Set(all.map((reason) => reason.replace(/^the driver does not \w+: /, '').replace(/^the driver: /, ''))),
  ].join('; ')
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
