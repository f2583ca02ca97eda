// A user's own invalid cases: the message names the case, its fault, and that it is theirs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const program = resolve(import.meta.dirname, '../conformance.js')
const authoring = pathToFileURL(resolve(import.meta.dirname, '../../dist/harness/authoring.js')).href
const folder = mkdtempSync(join(tmpdir(), 'own-cases-'))
afterAll(() => rmSync(folder, { recursive: true }))

const good = `import { serviceCase } from ${JSON.stringify(authoring)}
export const requirements = { 'X-ACME-001': { level: 'must', text: 'Each answer has an id.', source: 'handbook' } }
export const cases = [serviceCase({
  id: 'service/acme/answers', requirements: ['X-ACME-001'], level: 'must', title: 'answers',
  async run({ openSandbox, check }) {
    const { api } = (await openSandbox()).project
    check.ok('answer', (await api.listWebhooks()).status === 200, '200', 'another')
  },
})]
`
const judge = (name: string, text?: string) => {
  if (text !== undefined) writeFileSync(join(folder, name), text)
  const options = ['run', '--reference', '--cases', name, '--case', 'service/acme/*', '--quiet']
  return spawnSync(process.execPath, [program, ...options], { encoding: 'utf8', cwd: folder })
}

it('a case without a run function is named', () => {
  const { status, stderr } = judge('silent.mjs', good.replace('async run(', 'async ran('))
  expect(status).toBe(2)
  expect(stderr).toBe(
    'conformance: --cases silent.mjs: service/acme/answers: expected a function run, which does the check\n',
  )
})

it('an error inside a case is reported as its own, with its line', () => {
  const { status, stdout } = judge('throws.mjs', good.replace('api.listWebhooks()', 'api.listNothing()'))
  expect(status).toBe(3)
  expect(stdout).toMatch(/the case itself threw \(TypeError: .*listNothing.*throws\.mjs:7:\d+\): mend it there/)
  expect(stdout).not.toContain('please report')
})

it('a module with a syntax error is reported with a command that prints the line', () => {
  expect(judge('torn.mjs', 'export const cases = [\n').stderr).toMatch(
    /cannot be loaded .*; node --check torn\.mjs shows the line/,
  )
})

it('a folder instead of a module is reported', () => {
  mkdirSync(join(folder, 'cases'))
  expect(judge('cases').stderr).toBe('conformance: --cases cases: this is a folder; give the module in it\n')
})
