import { mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writePrivate } from './private-file.js'

const folder = mkdtempSync(join(tmpdir(), 'private-'))
const modeOf = (path: string) => statSync(path).mode & 0o777

test('a new file and an old one are for their owner alone', () => {
  const fresh = join(folder, 'fresh')
  writePrivate(fresh, 'one')
  expect([readFileSync(fresh, 'utf8'), modeOf(fresh)]).toEqual(['one', 0o600])
  const old = join(folder, 'old')
  writeFileSync(old, 'old text', { mode: 0o644 })
  writePrivate(old, '+', { append: true })
  expect([readFileSync(old, 'utf8'), modeOf(old)]).toEqual(['old text+', 0o600])
  writePrivate(old, 'new')
  expect(readFileSync(old, 'utf8')).toBe('new')
})

test('a link is not followed, whether its file exists or not', () => {
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'precious', { mode: 0o644 })
  for (const [name, leadsTo] of [
    ['link', victim],
    ['dangling', join(folder, 'nowhere')],
  ] as const) {
    const link = join(folder, name)
    symlinkSync(leadsTo, link)
    for (const append of [true, false]) expect(() => writePrivate(link, 'x', { append })).toThrow(/ELOOP/)
  }
  expect([readFileSync(victim, 'utf8'), modeOf(victim)]).toEqual(['precious', 0o644])
})

test('a device keeps its mode', () => {
  const before = modeOf('/dev/null')
  writePrivate('/dev/null', 'x')
  expect(modeOf('/dev/null')).toBe(before)
})
