// A selection without a case: the run reports that, and contacts no target.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { commandHere } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'empty-selection-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const run = commandHere(folder)
const suite = ['--suite', 'receiver/raw-body']
const none = [...suite, '--exclude', 'receiver/raw-body/*']

/** Listens, and counts connections; it answers none. */
async function silent() {
  const counts = { connections: 0 }
  const server = createServer((socket) => {
    counts.connections++
    socket.destroy()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

it('reports that nothing was run, with exit code 3, and makes no connection', async () => {
  const { counts, url } = await silent()
  const target = ['receiver', '--url', url, '--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
  const { code, err } = await run([...target, ...none, '--reporter', 'json=report.json'])
  expect(code).toBe(3)
  expect(err).toContain("Nothing to run: --suite receiver/raw-body --exclude 'receiver/raw-body/*' leave no case")
  expect(counts.connections).toBe(0)
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { verdict: string; note: string }
  expect(report).toMatchObject({ verdict: 'none', note: expect.stringMatching(/^Nothing to run/) as string })
  await run([...target, ...suite])
  expect(counts.connections).toBeGreaterThan(0)
})
