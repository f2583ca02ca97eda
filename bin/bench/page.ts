import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../cli/package.js'
import type { Growth } from './growth/index.js'
import type { Machine, RowResult } from './main.js'
import { svgPlot, textPlot } from './plot.js'
import { table } from './table.js'

/** Writes the figures of this run between the marks of the page, and the plot beside it; what was not run stays. */
export function refreshPage(options: {
  readonly machine: Machine
  readonly results: readonly RowResult[]
  readonly curves: readonly Growth[]
  readonly scale: number
}): void {
  const { machine, results, curves, scale } = options
  const folder = join(packageFolder(), 'bin/bench')
  const file = join(folder, 'README.md')
  const [before, after] = machine.load.map((load) => load.toFixed(1))
  const where =
    `Taken ${machine.at.slice(0, 10)} on Node ${machine.node}, ${machine.cores} x ${machine.cpu}; ` +
    `load ${before} before, ${after} after${scale < 1 ? `; only ${scale} of the full work` : ''}.`
  let text = readFileSync(file, 'utf8')
  if (results.length > 0) text = between(text, 'table', `${where}\n\n${table(results)}`)
  if (curves.length > 0) {
    text = between(text, 'growth', `${where}\n\n\`\`\`\n${textPlot(curves)}\`\`\`\n`)
    writeFileSync(join(folder, 'growth.svg'), svgPlot(curves))
  }
  writeFileSync(file, text)
}

function between(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: written by npm run bench -- --page -->`, `<!-- end of ${name} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`bin/bench/README.md has no marks for ${name}`)
  return `${text.slice(0, from + start.length)}\n\n${content}\n${text.slice(to)}`
}
