// What the files of a run hold before it begins.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { readSettings } from '../cli/settings.js'
import { htmlFileOf, openReporters, requestedReporters } from './reporting.js'

const folder = mkdtempSync(join(tmpdir(), 'reporting-'))
afterAll(() => rmSync(folder, { recursive: true }))
const nothing = { isOn: () => false }

function before(name: string): string {
  const file = join(folder, name)
  writeFileSync(file, 'the report of the run before')
  return file
}

test('a run that is refused for one of its files leaves the reports of the run before', async () => {
  const file = before('kept.json')
  const requested = [
    { name: 'json', file },
    { name: 'tap', file: join(folder, 'nowhere', 'report.tap') },
  ] as const
  await expect(openReporters(requested, nothing)).rejects.toThrow(/--reporter tap=.*cannot be written \(ENOENT/)
  expect(readFileSync(file, 'utf8')).toBe('the report of the run before')
})

test('a report replaces the whole file of an earlier run; a summary of a GitHub job is appended', async () => {
  const [file, summary] = [before('new.json'), before('summary.md')]
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary)
  const requested = [
    { name: 'json', file },
    { name: 'markdown', file: summary },
  ] as const
  const group = await openReporters(requested, nothing)
  expect(group.close()).toBe(true)
  vi.unstubAllEnvs()
  expect(readFileSync(file, 'utf8')).toBe('')
  expect(readFileSync(summary, 'utf8')).toBe('the report of the run before')
})

test('--output-dir writes every report to a folder of its own, which the opening creates', async () => {
  const outputDir = join(folder, 'a', 'b')
  const settings = readSettings('run', { outputDir, open: true, noConfig: true })
  const requested = requestedReporters(settings)
  expect(existsSync(outputDir)).toBe(false)
  expect(htmlFileOf(requested)).toBe(join(outputDir, 'report.html'))
  expect(requested.flatMap(({ file }) => file ?? []).map((file) => relative(outputDir, file))).toEqual([
    'report.json',
    'report.html',
    'report.md',
    'junit.xml',
    'ctrf.json',
    'report.tap',
    'interface.html',
    'attestation.json',
  ])
  const quick = requested.filter(({ name }) => name === 'json' || name === 'junit')
  expect((await openReporters(quick, nothing)).close()).toBe(true)
  expect(readdirSync(outputDir)).toEqual(['junit.xml', 'report.json'])
})

test('--output-dir below a file is refused with its name', async () => {
  const outputDir = join(before('file'), 'reports')
  const requested = requestedReporters(readSettings('run', { outputDir, noConfig: true }))
  const quick = requested.filter(({ name }) => name === 'json')
  await expect(openReporters(quick, nothing)).rejects.toThrow(/--output-dir: .*reports.*cannot be written \(E/)
})
