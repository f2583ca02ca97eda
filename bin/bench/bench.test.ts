// A tiny round of rows that need nothing installed: the runner measures, prints, and writes what it is asked to.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const main = resolve(import.meta.dirname, '../../dist/bin/bench/main.js')
const bench = (...words: string[]) => promisify(execFile)(process.execPath, [main, ...words])

it('measures a row and a curve', async () => {
  const [json, svg] = [join(folder, 'figures.json'), join(folder, 'growth.svg')]
  const rows = ['deliveries', 'grow-streams']
  const { stdout } = await bench(...rows, '--rounds', '1', '--scale', '0.01', '--json', json, '--svg', svg)
  expect(stdout).toContain('reference server, deliveries')
  expect(stdout).toContain('by streams open')
  const written = JSON.parse(readFileSync(json, 'utf8')) as {
    rows: { name: string; figures: { value: { median: number }; bar?: { isMet: boolean } }[] }[]
    growth: { points: { size: number; unitUs: number }[] }[]
  }
  expect(written.rows.map(({ name }) => name)).toEqual(['deliveries'])
  expect(written.rows[0]?.figures[0]?.value.median).toBeGreaterThan(0)
  expect(written.rows[0]?.figures[0]?.bar).toBeDefined()
  expect(written.growth[0]?.points.map(({ size }) => size)).toEqual([1, 10, 100])
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg [\s\S]*<polyline [\s\S]*<\/svg>\n$/)
})

it('says which rows there are when one is misspelt', async () => {
  await expect(bench('delivery')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no row delivery[\s\S]*deliveries/),
  })
})
