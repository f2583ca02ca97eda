// A blocked main thread receives no signal: the watchdog ends its work.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { program } from '../testing/command.js'

const authoring = pathToFileURL(resolve(import.meta.dirname, '../../dist/harness/authoring.js')).href
test('a case that loops for ever is named, and the run ends with 3', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stuck-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'own.mjs'),
    `import { serviceCase } from ${JSON.stringify(authoring)}
import { writeFileSync } from 'node:fs'
export const requirements = { 'X-ACME-001': { level: 'must', text: 'It ends.', source: 'handbook' } }
export const cases = [serviceCase({
  id: 'service/acme/hangs', requirements: ['X-ACME-001'], level: 'must', title: 'it ends',
  async run({ openSandbox, check }) {
    const { api } = (await openSandbox()).project
    await api.listWebhooks()
    process.stderr.write('hangs now\\n')
    for (;;);
  },
})]
`,
  )
  const options = ['--cases', 'own.mjs', '--case', 'service/acme/*']
  const child = spawn(process.execPath, [program, 'run', '--reference', ...options], { cwd: folder })
  onTestFinished(() => void child.kill('SIGKILL'))
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    if (text.includes('hangs now')) child.kill('SIGINT')
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(err).toContain('conformance: stuck in service/acme/hangs: ')
  expect(err).not.toContain('debugger')
  expect(code).toBe(3)
})
