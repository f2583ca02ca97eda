// A tiny round of rows that need nothing installed: the runner measures, prints, and writes the chosen files.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { start } from './hosts/far.js'

const folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const main = resolve(import.meta.dirname, '../../../dist/proof/lab/bench/main.js')
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

it('lists the rows when one is misspelt', async () => {
  await expect(bench('delivery')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no row delivery[\s\S]*deliveries/),
  })
})

it('refuses an invalid number of minutes with a message', async () => {
  const hour = resolve(import.meta.dirname, '../../../dist/proof/lab/bench/hour.js')
  for (const minutes of ['0', 'an hour'])
    await expect(promisify(execFile)(process.execPath, [hour, '--minutes', minutes])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--minutes ${minutes}: a number above 0`),
    })
})

it('a distant target delays the connection and each answer, and loses no byte', async () => {
  const server = createServer((request, response) => request.pipe(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const distance = await start({ port: (server.address() as AddressInfo).port, ms: 80 })
  const { url } = distance.facts as { url: string }
  const body = 'x'.repeat(300_000)
  const send = async () => {
    const began = performance.now()
    expect(await (await fetch(url, { method: 'POST', body })).text()).toBe(body)
    return performance.now() - began
  }
  // A connection that has to be made, and one answer; then the answer alone. A timer may ring a moment early.
  expect(await send()).toBeGreaterThan(155)
  expect(await send()).toBeGreaterThan(75)
  await distance.close()
  server.closeAllConnections()
  server.close()
})
