// Where journals are kept for a user whom the system knows by a number alone, as in a container that runs as any user.
import { mkdtempSync, statSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { journalFolders, makeJournalFolder } from './journal-folder.js'

const unknown = () => {
  throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)')
}

vi.mock('node:os', async (original) => {
  const real = await original<typeof import('node:os')>()
  return { ...real, homedir: vi.fn(real.homedir), userInfo: vi.fn(real.userInfo) }
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.mocked(userInfo).mockReset()
  vi.mocked(homedir).mockReset()
})

test('a user without a name has a folder', () => {
  vi.mocked(userInfo).mockImplementation(unknown)
  const state = mkdtempSync(join(tmpdir(), 'state-'))
  vi.stubEnv('XDG_STATE_HOME', state)
  expect(makeJournalFolder()).toBe(join(state, 'webhook-conformance'))
  expect(statSync(join(state, 'webhook-conformance')).mode & 0o777).toBe(0o700)
})

test('a user without a home has one in the folder for temporary files', () => {
  vi.mocked(userInfo).mockImplementation(unknown)
  vi.mocked(homedir).mockImplementation(unknown)
  vi.stubEnv('XDG_STATE_HOME', '')
  expect(journalFolders()).toEqual([join(tmpdir(), `webhook-conformance-${process.getuid?.()}`)])
})
