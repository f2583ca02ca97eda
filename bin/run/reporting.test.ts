// What the files of a run hold before it begins.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openReporters } from './reporting.js'

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
  const asked = [
    { name: 'json', file },
    { name: 'tap', file: join(folder, 'nowhere', 'report.tap') },
  ] as const
  await expect(openReporters(asked, nothing)).rejects.toThrow(/--reporter tap=.*cannot be written \(ENOENT/)
  expect(readFileSync(file, 'utf8')).toBe('the report of the run before')
})

test('nothing of a report of before stands behind the new one; a summary of a GitHub job is added to', async () => {
  const [file, summary] = [before('new.json'), before('summary.md')]
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary)
  const asked = [
    { name: 'json', file },
    { name: 'markdown', file: summary },
  ] as const
  const group = await openReporters(asked, nothing)
  expect(group.close()).toBe(true)
  vi.unstubAllEnvs()
  expect(readFileSync(file, 'utf8')).toBe('')
  expect(readFileSync(summary, 'utf8')).toBe('the report of the run before')
})
