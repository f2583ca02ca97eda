import { createHash } from 'node:crypto'
import {
  closeSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterEach, expect, test } from 'vitest'
import { startReferenceServer } from './index.js'
import { testBench } from './testing/bench.js'
import { serveProcess } from './testing/served.js'

const bench = testBench()
const folders: string[] = []
afterEach(async () => {
  await bench.closeAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reference-data-'))
  folders.push(folder)
  return folder
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Starting on a file fails with the reason, and leaves the file as it is. */
async function expectRefused(data: string, reason: RegExp): Promise<void> {
  const before = digestOf(data)
  await expect(startReferenceServer({ data })).rejects.toThrow(reason)
  expect(digestOf(data)).toBe(before)
}

test('a file that another process has open is refused, and free again when that one ends', async () => {
  const data = join(newFolder(), 'data.db')
  const first = await serveProcess(['--data', data])
  await expectRefused(data, /data\.db: another process has it open\. Stop that one/)
  expect(await first.end('SIGTERM')).toBe(0)
  const second = await serveProcess(['--data', data])
  expect(second.apiKey).toBe(first.apiKey)
  await second.end('SIGKILL')
  const third = await bench.server({ data })
  expect(third.apiKey).toBe(first.apiKey)
})

test('text, and a database of another program, are refused unchanged', async () => {
  const folder = newFolder()
  const text = join(folder, 'notes.txt')
  writeFileSync(text, 'Dear diary,\n'.repeat(100))
  await expectRefused(text, /notes\.txt: it is not an SQLite database/)

  const other = join(folder, 'other.db')
  const database = new Libsql(other)
  database.exec("create table accounts (name text); insert into accounts values ('Ann')")
  database.close()
  await expectRefused(other, /other\.db: it is a database of another program/)
})

test('a damaged file is refused unchanged', async () => {
  const data = join(newFolder(), 'data.db')
  const server = await bench.server({ data })
  for (let count = 0; count < 40; count++) await server.raise({ subject: 'x'.repeat(2000) })
  await server.close()
  const file = openSync(data, 'r+')
  for (let at = 8192; at < statSync(data).size; at += 4096) writeSync(file, Buffer.alloc(600, 0xa5), 0, 600, at)
  closeSync(file)
  await expectRefused(data, /data\.db: it is (not an SQLite database, or it is )?damaged\. Bring back a copy/)
})

test('a folder that does not exist is named', async () => {
  const data = join(newFolder(), 'none', 'data.db')
  await expect(startReferenceServer({ data })).rejects.toThrow(
    /none\/data\.db: it cannot be opened\. Check that its folder exists/,
  )
})

// A file system of its own, of a few megabytes, needs a mount: not everybody may.
const small = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c']
const canMount =
  spawnSync(small[0] ?? '', [...small.slice(1), 'mount -t tmpfs -o size=1m none /mnt'], { stdio: 'ignore' }).status ===
  0

test.skipIf(!canMount)(
  'on a full disk the server refuses with an error, keeps all it acknowledged, and goes on when there is room (needs unshare and mount)',
  async () => {
    const folder = newFolder()
    const setUp = `mount -t tmpfs -o size=6m none ${folder} && dd if=/dev/zero of=${folder}/filler bs=1M count=4 2>/dev/null && exec "$@"`
    const server = await serveProcess(['--data', join(folder, 'data.db'), '--control'], {
      wrap: [...small, setUp, 'sh'],
    })
    const post = async (): Promise<{ status: number; body: Record<string, unknown> }> => {
      const data = { message_id: 'msg_1', subject: 'x'.repeat(50_000) }
      const response = await fetch(`${server.controlUrl}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.controlKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ org_id: server.orgId, type: 'message.received', data }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const kept: unknown[] = []
    let answer = await post()
    for (; answer.status === 201 && kept.length < 1000; answer = await post()) kept.push(answer.body['id'])
    expect(answer.status).toBe(507)
    expect(answer.body).toMatchObject({ code: 'storage_failed', fix: expect.stringContaining('Free space') })
    const listed = await fetch(`${server.url}/v1/events?limit=100`, {
      headers: { authorization: `Bearer ${server.apiKey}` },
    })
    const { data } = (await listed.json()) as { data: readonly { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(kept)

    const filler = `/proc/${server.process.pid}/root${folder}/filler`
    expect(existsSync(filler)).toBe(true)
    rmSync(filler)
    expect((await post()).status).toBe(201)
    await server.end('SIGTERM')
  },
)

test('the file and its log are for their owner alone, one that others could read too', async () => {
  const data = join(newFolder(), 'data.db')
  const modes = (): string[] => [data, `${data}-wal`].map((file) => (statSync(file).mode & 0o777).toString(8))
  const first = await bench.server({ data })
  await first.raise()
  expect(modes()).toEqual(['600', '600'])
  await first.close()
  chmodSync(data, 0o644)
  const again = await bench.server({ data })
  await again.raise()
  expect(modes()).toEqual(['600', '600'])
})
