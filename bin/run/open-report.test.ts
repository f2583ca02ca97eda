import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { openReport } from './open-report.js'

afterEach(() => void vi.unstubAllEnvs())

it('starts the opener of the platform with the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'opener-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'xdg-open'),
    `#!/bin/sh\nprintf %s "$1" > ${folder}/part && mv ${folder}/part ${folder}/opened\n`,
  )
  chmodSync(join(folder, 'xdg-open'), 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  const opened = new Promise<void>((done) => {
    const watcher = watch(folder, () => {
      if (!existsSync(join(folder, 'opened'))) return
      watcher.close()
      done()
    })
  })
  expect(await openReport('/reports/a b.html', { platform: 'linux', isByPerson: true })).toBeUndefined()
  await opened
  expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe('/reports/a b.html')
})

it('names the opener that is missing', async () => {
  vi.stubEnv('PATH', '/nowhere')
  const problem = await openReport('report.html', { platform: 'linux', isByPerson: true })
  expect(problem).toBe('xdg-open cannot be started (ENOENT); open the file yourself')
})

it('opens nothing where no person watches', async () => {
  vi.stubEnv('PATH', '/nowhere')
  const problem = await openReport('report.html', { platform: 'linux', isByPerson: false })
  expect(problem).toBe('a browser is opened only from a terminal, and not in CI')
})
