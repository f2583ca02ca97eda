// Measures the rows of the performance table, and the growth of costs; see README.md in this folder.
import { loadavg } from 'node:os'
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Figure, Row } from './figure.js'
import { nodeArguments } from './child.js'
import { growthRows, type Growth, type GrowthRow } from './growth/index.js'
import { machineSince, type Machine } from './machine.js'
import { refreshPage } from './page.js'
import { svgPlot, textPlot } from './plot.js'
import { rows } from './rows/index.js'
import { listing } from './table.js'

export interface RowResult {
  readonly row: Row
  readonly figures: readonly Figure[]
  readonly failure?: string
}

const usage = `npm run bench [-- <row>... --rounds n --scale x --json file --svg file --page --profile folder]

  rows     ${[...rows, ...growthRows].map(({ name }) => name).join(' ')}
           table: every row of the table but selftest, which takes half an hour; growth: how cost grows; default: both
  --rounds   rounds of each comparison (default 5)
  --scale    share of the full work, 0 to 1 (default 1)
  --json     also write the figures to a file
  --svg      also write the plot of growth to a file
  --page     refresh the figures in proof/lab/bench/README.md
  --profile  write a CPU profile of every process to a folder (the figures are worth nothing then)
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    scale: { type: 'string', default: '1' },
    json: { type: 'string' },
    svg: { type: 'string' },
    page: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

function chosen<Kind extends { readonly name: string; readonly isLong?: boolean }>(
  all: readonly Kind[],
  group: string,
): readonly Kind[] {
  const isOfGroup = positionals.length === 0 || positionals.includes(group)
  return all.filter(({ name, isLong }) => positionals.includes(name) || (isOfGroup && isLong !== true))
}

async function main(): Promise<void> {
  const rounds = Number(values.rounds)
  const scale = Number(values.scale)
  const names = new Set(['table', 'growth', ...[...rows, ...growthRows].map(({ name }) => name)])
  const unknown = positionals.filter((name) => !names.has(name))
  if (values.help || unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1 || !(scale > 0 && scale <= 1)) {
    if (unknown.length > 0) process.stderr.write(`bench: there is no row ${unknown.join(', ')}\n\n`)
    process.stderr.write(usage)
    process.exitCode = values.help ? 0 : 2
    return
  }
  if (values.profile !== undefined) {
    mkdirSync(values.profile, { recursive: true })
    nodeArguments.push('--cpu-prof', `--cpu-prof-dir=${values.profile}`)
  }
  const loadBefore = loadavg()[0] ?? 0
  const results: RowResult[] = []
  for (const row of chosen(rows, 'table')) {
    process.stderr.write(`${row.name}: ${row.title}\n`)
    results.push(await measured(row, { rounds, scale }))
  }
  const growths: { row: GrowthRow; growth: Growth }[] = []
  for (const row of chosen(growthRows, 'growth')) {
    process.stderr.write(`${row.name}: ${row.title}\n`)
    growths.push({ row, growth: await row.run({ rounds, scale }) })
  }
  const machine = machineSince(loadBefore)
  const curves = growths.map(({ growth }) => growth)
  if (results.length > 0) process.stdout.write(listing(results))
  if (curves.length > 0) process.stdout.write(`\n${textPlot(curves)}`)
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify(document(machine, results, curves), null, 2)}\n`)
  if (values.svg !== undefined) writeFileSync(values.svg, svgPlot(curves))
  if (values.page) refreshPage({ machine, results, curves, scale })
  if (results.some(({ failure }) => failure !== undefined)) process.exitCode = 1
}

async function measured(row: Row, options: { rounds: number; scale: number }): Promise<RowResult> {
  try {
    return { row, figures: await row.run(options) }
  } catch (error) {
    return { row, figures: [], failure: error instanceof Error ? error.message : String(error) }
  }
}

function document(machine: Machine, results: readonly RowResult[], curves: readonly Growth[]): unknown {
  return {
    machine,
    rows: results.map(({ row, figures, failure }) => ({
      name: row.name,
      title: row.title,
      figures,
      ...(failure === undefined ? {} : { failure }),
    })),
    growth: curves,
  }
}

await main()
