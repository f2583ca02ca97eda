import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeOutputFile } from './output-file.js'

const folder = mkdtempSync(join(tmpdir(), 'output-'))
afterAll(() => rmSync(folder, { recursive: true }))
const victim = join(folder, 'victim')

test('a shorter text replaces a longer one, and a device accepts it', () => {
  const file = join(folder, 'file')
  writeOutputFile(file, 'a long text')
  writeOutputFile(file, 'short')
  expect(readFileSync(file, 'utf8')).toBe('short')
  writeOutputFile('/dev/null', 'x')
})

test('a link of the user in a folder of the user is followed', () => {
  writeFileSync(victim, 'old')
  const link = join(folder, 'own')
  symlinkSync(victim, link)
  writeOutputFile(link, 'new')
  expect(readFileSync(victim, 'utf8')).toBe('new')
})

test('a link in a folder that everybody may write is not followed, nor does it make a file', () => {
  writeFileSync(victim, 'precious')
  const open = join(folder, 'open')
  mkdirSync(open)
  chmodSync(open, 0o777)
  for (const [name, leadsTo] of [
    ['planted', victim],
    ['dangling', join(folder, 'nowhere')],
  ] as const) {
    const link = join(open, name)
    symlinkSync(leadsTo, link)
    expect(() => writeOutputFile(link, 'x')).toThrow(
      `it is a link, and ${open} may be written by everybody; name the file itself`,
    )
  }
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(() => readFileSync(join(folder, 'nowhere'))).toThrow(/ENOENT/)
})

test.skipIf(process.getuid?.() !== 0)('a link of another user is not followed', () => {
  writeFileSync(victim, 'precious')
  const link = join(folder, 'foreign')
  symlinkSync(victim, link)
  lchownSync(link, 12_345, 12_345)
  expect(() => writeOutputFile(link, 'x')).toThrow(`${link} belongs to user 12345, who is neither you nor root`)
  expect(readFileSync(victim, 'utf8')).toBe('precious')
})
