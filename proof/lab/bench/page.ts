import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../../bin/cli/package.js'
import type { Growth } from './growth/index.js'
import type { Machine } from './machine.js'
import type { RowResult } from './main.js'
import { svgPlot, textPlot } from './plot.js'
import { table } from './table.js'

/** Writes the figures of this run between the marks of the page, and the plot next to it; other figures stay. */
export function refreshPage(options: {
  readonly machine: Machine
  readonly results: readonly RowResult[]
  readonly curves: readonly Growth[]
  readonly scale: number
}): void {
  const { machine, results, curves, scale } = options
  const where = `${whereOf(machine)}${scale < 1 ? `; only ${scale} of the full work` : ''}.`
  if (results.length > 0) writeOnPage('table', 'bench --', `${where}\n\n${table(results)}`)
  if (curves.length === 0) return
  writeOnPage('growth', 'bench --', `${where}\n\n\`\`\`\n${textPlot(curves)}\`\`\`\n`)
  writeFileSync(join(folder, 'growth.svg'), svgPlot(curves))
}

/** The same for the lines of an hour under load. */
export function refreshHour(machine: Machine, lines: readonly string[]): void {
  writeOnPage('hour', 'lab -- hour', `${whereOf(machine)}.\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`)
}

const folder = join(packageFolder(), 'proof/lab/bench')

function whereOf({ at, node, cores, cpu, load }: Machine): string {
  const [before, after] = load.map((average) => average.toFixed(1))
  return `Taken ${at.slice(0, 10)} on Node ${node}, ${cores} x ${cpu}; load ${before} before, ${after} after`
}

function writeOnPage(name: string, script: string, content: string): void {
  const file = join(folder, 'README.md')
  writeFileSync(file, between(readFileSync(file, 'utf8'), { name, script, content }))
}

function between(
  text: string,
  { name, script, content }: Readonly<Record<'name' | 'script' | 'content', string>>,
): string {
  const [start, end] = [`<!-- ${name}: written by npm run ${script} --page -->`, `<!-- end of ${name} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`proof/lab/bench/README.md has no marks for ${name}`)
  return `${text.slice(0, from + start.length)}\n\n${content}\n${text.slice(to)}`
}
