import { sentencesOf, type Sentence } from './index.js'
import { anchorOf } from './parse.js'

/** A sentence with the words it has in its place: without the cells before it, with the mark that ends it. */
export interface PlacedSentence extends Sentence {
  readonly words: string
}

/** A part of the document as it is read: a heading, a paragraph, an item of a list, a table. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly anchor: string; readonly words: string }
  | { readonly kind: 'paragraph'; readonly sentences: readonly PlacedSentence[] }
  | { readonly kind: 'item'; readonly mark: string; readonly sentences: readonly PlacedSentence[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly TableRow[] }

/** The cells before the last unchanged; the last one is its sentences. */
export interface TableRow {
  readonly cells: readonly string[]
  readonly sentences: readonly PlacedSentence[]
}

/** Returns the whole document in its order, each sentence in its place. */
export function blocksOf(markdown: string): readonly Block[] {
  const byLine = new Map<number, Sentence[]>()
  for (const sentence of sentencesOf(markdown))
    byLine.set(sentence.line, [...(byLine.get(sentence.line) ?? []), sentence])
  const blocks: Block[] = []
  let rows: TableRow[] | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const sentences = byLine.get(index + 1) ?? []
    if (!line.startsWith('|')) rows = undefined
    if (line.startsWith('#')) blocks.push(headingOf(line))
    else if (line.startsWith('|')) {
      const cells = cellsOf(line)
      if (rows === undefined) blocks.push({ kind: 'table', head: cells, rows: (rows = []) })
      else if (sentences.length > 0)
        rows.push({ cells: cells.slice(0, -1), sentences: placed(cells.at(-1) ?? '', sentences.map(lastCellOf)) })
    } else if (sentences.length > 0) {
      const [, mark, prose] = /^(- |\d+\. )?(.*)$/s.exec(line) ?? []
      const inPlace = placed(prose ?? '', sentences.map(wholeOf))
      blocks.push(
        mark === undefined
          ? { kind: 'paragraph', sentences: inPlace }
          : { kind: 'item', mark: mark.trim(), sentences: inPlace },
      )
    }
  }
  return blocks
}

function headingOf(line: string): Block {
  const level = line.indexOf(' ')
  return { kind: 'heading', level, anchor: anchorOf(line), words: line.slice(level + 1) }
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

interface Sought {
  readonly sentence: Sentence
  /** The sentence without the cells before it in its row. */
  readonly words: string
}

const wholeOf = (sentence: Sentence): Sought => ({ sentence, words: sentence.text })
const lastCellOf = (sentence: Sentence): Sought => ({ sentence, words: sentence.text.split(' | ').at(-1) ?? '' })

/** Each sentence with the text up to the next one, so that no mark between them is lost. */
function placed(text: string, sought: readonly Sought[]): readonly PlacedSentence[] {
  let from = 0
  const starts = sought.map(({ words }) => {
    const at = Math.max(from, text.indexOf(words, from))
    from = at + words.length
    return at
  })
  return sought.map(({ sentence }, index) => ({
    ...sentence,
    words: text.slice(index === 0 ? 0 : starts[index], starts[index + 1] ?? text.length).trim(),
  }))
}
