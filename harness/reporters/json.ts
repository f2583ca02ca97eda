import type { Report } from '../result.js'
import type { CreateReporter } from './reporter.js'
import { visible } from './text.js'

/** The report itself (docs/contract.md, section 6), written member by member: no text of the whole is ever held. */
export const json: CreateReporter = (output) => ({
  onRunEnd(report) {
    // Characters that a terminal or a build log would obey are written as JSON escapes.
    const write = (text: string) => output.write(visible(text))
    let separator = '{\n'
    for (const [name, value] of Object.entries(report) as [keyof Report, unknown][]) {
      if (value === undefined) continue
      write(`${separator}  ${JSON.stringify(name)}: `)
      if (Array.isArray(value) && value.length > 0) writeList(write, value)
      else write(indented(value, '  '))
      separator = ',\n'
    }
    write('\n}\n')
  },
})

function writeList(write: (text: string) => void, items: readonly unknown[]): void {
  items.forEach((item, index) => write(`${index === 0 ? '[' : ','}\n    ${indented(item, '    ')}`))
  write('\n  ]')
}

/** Formats the JSON of a value whose first line follows `indent`. A JSON text never contains a line feed. */
function indented(value: unknown, indent: string): string {
  return (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`)
}
