import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequirementId } from '../../../spec/index.js'
import { packageFolder } from '../../../bin/cli/package.js'
import type { TrafficResult } from '../selftest/traffic.js'

/** What the traffic of one mutant showed. */
export interface Shown extends Pick<TrafficResult, 'found'> {
  readonly id: string
  readonly breaks: readonly RequirementId[]
}

/** What the traffic of a service that is right showed. */
export interface Conforming extends TrafficResult {
  readonly name: string
}

export interface Figures {
  readonly mutants: readonly Shown[]
  /** Mutants that break only other sentences. */
  readonly unspoken: number
  readonly conforming: readonly Conforming[]
}

interface Sorted {
  readonly onBrokenSentence: readonly Shown[]
  /** Found, on a sentence that is not the one that is broken. */
  readonly other: readonly Shown[]
  readonly unseen: readonly Shown[]
}

function sorted(mutants: readonly Shown[]): Sorted {
  const isRight = ({ breaks, found }: Shown) => found.some(({ requirement }) => breaks.includes(requirement))
  return {
    onBrokenSentence: mutants.filter(isRight),
    other: mutants.filter((mutant) => !isRight(mutant) && mutant.found.length > 0),
    unseen: mutants.filter(({ found }) => found.length === 0),
  }
}

/** The figures as text: each mutant that was not shown for what it breaks, each word against a service that is right. */
export function figures({ mutants, unspoken, conforming }: Figures): string {
  const { onBrokenSentence, other, unseen } = sorted(mutants)
  const lines = [
    ...unseen.map(({ id, breaks }) => `UNSEEN     ${id}  breaks ${breaks.join(' ')}`),
    ...other.map(
      ({ id, breaks, found }) =>
        `OTHERWISE  ${id}  breaks ${breaks.join(' ')}, found ${found.map(({ requirement }) => requirement).join(' ')}`,
    ),
    ...conforming.flatMap(({ name, found, failed, failure }) => [
      ...found.map(
        (finding) => `FAILED  ${name}: ${finding.requirement} ${finding.what}: ${finding.expected}, got ${finding.got}`,
      ),
      ...failed.map(({ caseId, message }) => `THROUGH IT ${name}: ${caseId}: ${message.slice(0, 200)}`),
      ...(failure === undefined ? [] : [`FAILED     ${name}: ${failure}`]),
    ]),
    `${onBrokenSentence.length} of ${mutants.length} mutants seen, on a sentence that they break, ${other.length} on another sentence, ${unseen.length} not seen; ${unspoken} break only other sentences`,
    `${conforming.filter(({ found }) => found.length > 0).length} of ${conforming.length} conforming services failed`,
  ]
  return `${lines.join('\n')}\n`
}

const marks = ['<!-- figures: written by npm run lab -- traffic --page -->', '<!-- end of figures -->'] as const

/** Writes the figures between the marks of the page. */
export function refreshPage(all: Figures, sample: number): void {
  const file = join(packageFolder(), 'bin/observe/README.md')
  const text = readFileSync(file, 'utf8')
  const [from, to] = marks.map((mark) => text.indexOf(mark))
  if (from === undefined || to === undefined || from < 0 || to < from)
    throw new Error('bin/observe/README.md has no marks for the figures')
  const { onBrokenSentence, other, unseen } = sorted(all.mutants)
  const failed = all.conforming.filter(({ found }) => found.length > 0)
  const rows = [
    ['Mutants of the reference server that break a sentence that traffic can show', all.mutants.length],
    ['seen, on a sentence that they break', onBrokenSentence.length],
    ['seen, on another sentence', other.length],
    ['not seen', unseen.length],
    ['Mutants that break only other sentences', all.unspoken],
    ['Correct services (the reference, and its variants in combinations)', all.conforming.length],
    ['of them failed', failed.length],
  ]
  const table = rows.map(([what, count]) => `| ${what} | ${count} |`).join('\n')
  const when = `Taken ${new Date().toISOString().slice(0, 10)} on Node ${process.version}${sample > 1 ? `; every ${sample}th mutant only` : ''}.`
  const names = unseen.map(({ id }) => `- \`${id}\``).join('\n')
  const body = `${when}\n\n| What | Count |\n| --- | --- |\n${table}\n\nNot seen:\n\n${names === '' ? '- none' : names}\n`
  writeFileSync(file, `${text.slice(0, from + marks[0].length)}\n\n${body}\n${text.slice(to)}`)
}
