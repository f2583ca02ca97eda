// Cuts the Markdown of the interface into sentences. It knows the few forms that the document has: headings, paragraphs, lists
// and tables.

/** One statement of the interface: a sentence, a part of one between semicolons, or a row of a table. */
export interface Statement {
  /** The heading above it, as an anchor. */
  readonly source: `#${string}`
  /** Line of the document, from 1. */
  readonly line: number
  /** Unchanged; of a row the cells joined by ` | `, of a later sentence of its last cell the first cell and the sentence. */
  readonly text: string
}

/** The statements of a document, in its order. */
export function statementsOf(markdown: string): readonly Statement[] {
  const lines = markdown.split('\n')
  let source: `#${string}` = '#'
  return lines.flatMap((line, index): Statement[] => {
    if (line.startsWith('#')) {
      source = anchorOf(line)
      return []
    }
    const isHead = /^\|[\s|-]+\|$/.test(lines[index + 1] ?? '')
    const texts = line.startsWith('|') ? (isHead ? [] : ofRow(line)) : ofProse(line.replace(/^(?:-|\d+\.) /, ''))
    return texts.map((text) => ({ source, line: index + 1, text }))
  })
}

/** A heading as the anchor that a Markdown reader makes of it. */
export function anchorOf(heading: string): `#${string}` {
  const words = heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .trim()
  return `#${words.replaceAll(' ', '-')}`
}

function ofRow(line: string): readonly string[] {
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
  if (cells.every((cell) => /^-+$/.test(cell))) return []
  const [first = ''] = cells
  const [sentence = '', ...others] = ofProse(cells.at(-1) ?? '')
  return [[...cells.slice(0, -1), sentence].join(' | '), ...others.map((other) => `${first} | ${other}`)]
}

/** Sentences, and their parts between semicolons; none is cut within brackets. */
function ofProse(text: string): readonly string[] {
  const ends = [...text.matchAll(/;(?= )|[.?!](?= [A-Z`{'"])/g)]
    .map(({ index }) => index + 1)
    .filter((end) => !/\b(?:e\.g|i\.e)\.$/.test(text.slice(0, end)) && isClosed(text.slice(0, end)))
  return [0, ...ends]
    .map((start, index) => text.slice(start, ends[index] ?? text.length).trim())
    .map((part) => part.replace(/;$/, ''))
    .filter((part) => part !== '')
}

/** Whether every bracket that was opened is closed. */
function isClosed(text: string): boolean {
  return text.split('(').length === text.split(')').length
}
