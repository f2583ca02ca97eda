import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutants } from '../../proof/mutants/index.js'
import {
  openPoints,
  requirements,
  sentencesOf,
  type Level,
  type RequirementId,
  type Sentence,
  type SubjectKind,
} from '../../spec/index.js'
import { packageFolder } from '../cli/package.js'
import { writeOutput } from '../cli/output.js'
import { subjectKinds } from '../cli/option-values.js'
import type { Settings } from '../cli/settings.js'
import { oneOf } from '../cli/usage.js'
import { catalogue } from '../run/catalogue.js'

/** A requirement of a sentence: its cases, and the mutants they detect. */
interface Criteria {
  readonly id: RequirementId
  readonly subject: SubjectKind
  readonly level: Level
  readonly text: string
  readonly cases: readonly string[]
  readonly mutants: readonly string[]
  readonly untestable?: string
}

interface Row extends Omit<Sentence, 'requirements' | 'openPoints'> {
  readonly requirements: readonly Criteria[]
  readonly openPoints: readonly { readonly id: string; readonly question: string; readonly accepts: string }[]
}

/** `conformance coverage --sentences`: prints each sentence of the interface, its cases, and the mutants they detect. */
export function sentenceCoverage(settings: Settings): number {
  const subject = settings.text('subject')
  const kind = subject === undefined ? undefined : oneOf('--subject', subject, subjectKinds)
  const all = sentencesOf(readFileSync(join(packageFolder(), 'spec/interface.md'), 'utf8')).map(rowOf)
  const isOfKind = ({ requirements: requested }: Row) => requested.some(({ subject }) => subject === kind)
  const rows = kind === undefined ? all : all.filter(isOfKind)
  if (settings.isOn('json')) writeOutput(`${JSON.stringify(rows, null, 2)}\n`)
  else writeOutput(`${rows.map(linesOf).join('\n\n')}\n\n${summaryOf(rows)}\n`)
  return 0
}

function rowOf({ requirements: ids, openPoints: points, ...sentence }: Sentence): Row {
  return {
    ...sentence,
    requirements: ids.map(readCriteria),
    openPoints: points.map((id) => ({ id, question: openPoints[id].question, accepts: openPoints[id].accepts })),
  }
}

function readCriteria(id: RequirementId): Criteria {
  const { subject, level, text, untestable } = requirements[id]
  return {
    id,
    subject,
    level,
    text,
    cases: catalogue.filter((testCase) => testCase.requirements.includes(id)).map((testCase) => testCase.id),
    mutants: mutants.filter(({ breaks }) => breaks.includes(id)).map((mutant) => mutant.id),
    ...(untestable === undefined ? {} : { untestable }),
  }
}

function linesOf({ line, source, text, requirements, openPoints: points, reason }: Row): string {
  return [
    `interface.md:${line} ${source}`,
    `  ${text}`,
    ...requirements.flatMap((requirement) => [
      `    ${requirement.id}  ${requirement.level.padEnd(6)}  ${requirement.text}`,
      ...(requirement.untestable === undefined
        ? [
            `      tested by  ${requirement.cases.join(' ')}`,
            `      mutants    ${requirement.mutants.join(' ') || 'none'}`,
          ]
        : [`      not testable: ${requirement.untestable}`]),
    ]),
    ...points.map(({ id, question, accepts }) => `    open  ${id}: ${question} Accepted: ${accepts}`),
    ...(reason === undefined ? [] : [`    no requirement: ${reason}`]),
  ].join('\n')
}

function summaryOf(rows: readonly Row[]): string {
  const isTested = (row: Row) => row.requirements.some(({ untestable }) => untestable === undefined)
  const tested = rows.filter(isTested).length
  const untestable = rows.filter((row) => row.requirements.length > 0 && !isTested(row)).length
  const open = rows.filter((row) => row.requirements.length === 0 && row.openPoints.length > 0).length
  const silent = rows.filter(({ reason }) => reason !== undefined).length
  return `${rows.length} sentences and table rows: ${tested} tested, ${untestable} not testable from outside, ${open} open, ${silent} without a requirement`
}
