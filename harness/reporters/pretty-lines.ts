import type picocolors from 'picocolors'
import type { ExchangeRecord } from '../result.js'
import { shellLines } from './curl.js'
import { oneLine } from './text.js'

/** Narrower than this a terminal breaks the lines itself. */
const narrowest = 40

/**
 * A label and a text as lines that hang below each other. `columns` is the width of the terminal; without it, as in a build
 * log, nothing is broken. A word that is wider than the line is cut. `label` may hold colour; `paint` colours each line of text.
 */
export function wrapped(
  label: string,
  text: string,
  {
    indent,
    columns,
    paint,
  }: { readonly indent: number; readonly columns: number | undefined; readonly paint: (line: string) => string },
): string[] {
  const width = columns === undefined || columns < narrowest ? Number.POSITIVE_INFINITY : columns - indent
  const head = `  ${label}`
  const shown = visibleLength(head)
  const start = shown < indent ? head + ' '.repeat(indent - shown) : `${head} `
  const [first = '', ...rest] = broken(text, width).map(paint)
  return [`${start}${first}`.trimEnd(), ...rest.map((line) => ' '.repeat(indent) + line)]
}

function broken(text: string, width: number): string[] {
  if (text.length <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width))
  }
  return [...lines, line]
}

function visibleLength(text: string): number {
  return text.replace(/\u001b\[[0-9;]*m/g, '').length
}

/** Characters of a command that sends a delivery again. */
const maxCommand = 1_800

/** The commands that send a request again. Lines to be copied are never broken. */
export function commandLines(
  exchange: ExchangeRecord,
  paint: Pick<ReturnType<typeof picocolors.createColors>, 'dim'>,
): string[] {
  const { resend, valid } = shellLines(exchange)
  const line = (label: string, command: string | undefined) => {
    const text = command?.replaceAll(' \\\n  ', ' ')
    return text === undefined || text.length > maxCommand ? [] : [`  ${label}${paint.dim(oneLine(text))}`]
  }
  return [...line('resend    ', resend), ...line('valid     ', valid)]
}
