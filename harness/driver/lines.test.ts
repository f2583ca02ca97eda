// Whatever bytes a driver writes, each request ends, and the next one is answered, by this driver or by a new one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DriverProcess } from './process.js'
import { tries } from '../testing/fuzz.js'

/** Writes the pieces of each request unchanged, one a turn, then a valid answer. */
const parrot = `
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, pieces } = JSON.parse(line)
  for (const piece of pieces) {
    process.stdout.write(Buffer.from(piece.replaceAll('$ID', id), 'latin1'))
    await new Promise(setImmediate)
  }
  process.stdout.write('\\n' + JSON.stringify({ id, ok: 'the last word' }) + '\\n')
})`

/** Lines of the protocol, other lines, and pieces of both; `$ID` is the id of the pending request. */
const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r\n',
    '{"id":$ID,"ok":true}\n',
    '{"id":$ID,"ok":true}\n{"id":$ID,"ok":false}\n',
    '{"id":"$ID","ok":true}\n',
    '{"id":$ID.0,"ok":true}\n',
    '{"id":-$ID}\n',
    '{"id":1e999}\n',
    '{"id":9007199254740993}\n',
    '{"id":$ID,"id":0}\n',
    '{"id":null}\n[$ID]\n"$ID"\n',
    '{"id":$ID,"unsupported":{"toString":1}}\n',
    '{"id":$ID,"unsupported":"","ok":true}\n',
    '{"__proto__":{"id":$ID},"constructor":{"prototype":{"id":$ID}}}\n',
    '{"id":$ID,"__proto__":{"ok":true},"event":{"__proto__":{"id":1}}}\n',
    '{"id":$ID,"ok":tr',
    `${'['.repeat(5_000)}\n`,
    '\xff\xc0',
    '\xf0\x9f\x92',
    '\xe2\x80\xa8',
    '\xef\xbb\xbf',
    '\u0000',
  ),
  fc.json({ maxDepth: 2 }).map((text) => Buffer.from(`${text}\n`).toString('latin1')),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
)

test('any bytes on standard output', async () => {
  const members = Object.getOwnPropertyNames(Object.prototype)
  const driver = new DriverProcess({ command: [process.execPath, '-e', parrot] })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const reply = await driver.call({ pieces }, 30_000)
      expect(['answer', 'unsupported', 'garbage']).toContain(reply.kind)
      if (reply.kind === 'answer') expect(reply.fields['id']).toBeTypeOf('number')
      if (reply.kind === 'unsupported') expect(reply.why).toBeTypeOf('string')
      expect(driver.isAlive).toBe(true)
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(members)
    }),
    tries(30),
  )
  // Remains of earlier requests spoil the next answers, at most one for each piece; then the line is clean.
  let reply = await driver.call({ pieces: [] }, 30_000)
  for (let left = 30 * 6; reply.kind === 'garbage' && left > 0; left--)
    reply = await driver.call({ pieces: [] }, 30_000)
  expect(reply).toMatchObject({ kind: 'answer', fields: { ok: 'the last word' } })
  driver.kill()
  await driver.close()
})
