import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOnce, wholeOf } from './read-once.js'

test.each([1, 4_095, 4_096, 400_000])('a file of %i bytes is read whole, its start too', async (length) => {
  const path = join(mkdtempSync(join(tmpdir(), 'read-once-')), 'file')
  const bytes = Buffer.alloc(length, 'abcdefg')
  writeFileSync(path, bytes)
  const { start, chunks } = await readOnce(path, 4_096)
  expect(start.length).toBeGreaterThanOrEqual(Math.min(length, 4_096))
  expect(bytes.subarray(0, start.length).equals(start)).toBe(true)
  expect((await wholeOf(chunks, length))?.equals(bytes)).toBe(true)
  expect(await wholeOf((await readOnce(path, 10)).chunks, length - 1)).toBeUndefined()
})
