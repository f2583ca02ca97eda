import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf, openPoints, requirements, type PlacedSentence } from '../../spec/index.js'
import type { AnnotatedBlock, AnnotatedSentence, InterfaceData, Reader } from '../../pages/data.js'
import { standalonePage } from '../../pages/index.js'
import type { Report } from '../result.js'
import { pageResult } from './page-data.js'
import type { CreateReporter, Mistakes } from './reporter.js'

/** Writes the interface on one self-contained page, each sentence coloured by its result. */
export const annotated: CreateReporter = ({ write }, { mistakes }) => ({
  onRunEnd(report) {
    write(annotatedPage([{ label: report.subject.name, report }], mistakes))
  },
})

/** The same of several reports: one column for each, so that they are compared sentence by sentence. */
export function annotatedPage(
  reports: readonly { readonly label: string; readonly report: Report }[],
  mistakes?: Mistakes,
): string {
  const data: InterfaceData = { kind: 'interface', blocks: annotatedBlocks(mistakes), readers: reports.map(readerOf) }
  return standalonePage({
    page: 'report',
    title: `the interface: ${reports.map((labelled) => labelled.label).join(', ')}`,
    data,
  })
}

/** Characters of exchanges shown next to the sentences, for each report. */
const maxExchanges = 5_000_000

function readerOf({ label, report }: { readonly label: string; readonly report: Report }): Reader {
  let room = maxExchanges
  const cases = report.cases.map((result) => {
    const cut = pageResult(result, room)
    room -= cut.characters
    return cut.result
  })
  const { subject, verdict, requirements: results } = report
  return { label, kind: subject.kind, verdict, requirements: results, cases }
}

/** Known mistakes listed for one requirement; some have dozens. */
const maxMistakes = 5

/** The interface in its parts, each sentence with its requirements, what breaks them, and open points. */
export function annotatedBlocks(mistakes: Mistakes = new Map()): readonly AnnotatedBlock[] {
  let at = 0
  const sentence = (placed: PlacedSentence): AnnotatedSentence => ({
    at: at++,
    words: placed.words,
    ...(placed.text.endsWith(` | ${placed.words}`) ? { row: placed.text } : {}),
    requirements: placed.requirements.map((id) => {
      const { subject, text, untestable } = requirements[id]
      const made = mistakes.get(id) ?? []
      return {
        id,
        subject,
        text,
        ...(untestable === undefined ? {} : { untestable }),
        ...(made.length === 0 ? {} : { mistakes: { first: made.slice(0, maxMistakes), count: made.length } }),
      }
    }),
    open: placed.openPoints.map((id) => {
      const { question, accepts, reference } = openPoints[id]
      return { question, accepts, reference }
    }),
    ...(placed.reason === undefined ? {} : { reason: placed.reason }),
  })
  return blocksOf(interfaceText()).map((block): AnnotatedBlock => {
    if (block.kind === 'heading') return block
    if (block.kind !== 'table') return { ...block, sentences: block.sentences.map(sentence) }
    const rows = block.rows.map((row) => ({ cells: row.cells, sentences: row.sentences.map(sentence) }))
    return { ...block, rows }
  })
}

/** Reads the text itself, which is in the package next to `dist`. */
function interfaceText(): string {
  const places = ['../..', '../../..'].map((up) => join(import.meta.dirname, up, 'spec/interface.md'))
  return readFileSync(places.find((place) => existsSync(place)) ?? 'spec/interface.md', 'utf8')
}
