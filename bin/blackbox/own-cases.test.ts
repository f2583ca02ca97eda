// A user's own invalid cases: the message names the case, its fault, and that it is theirs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { commandHere } from '../testing/command.js'

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
const run = commandHere(folder)
const judge = (name: string, text?: string) => {
  if (text !== undefined) writeFileSync(join(folder, name), text)
  return run(['run', '--reference', '--cases', name, '--case', 'service/acme/*', '--quiet'])
}

it('a case without a run function is named', async () => {
  const { code, err } = await judge('silent.mjs', good.replace('async run(', 'async ran('))
  expect(code).toBe(2)
  expect(err).toBe(
    'conformance: --cases silent.mjs: service/acme/answers: expected a function run, which does the check\n',
  )
})

it('an error inside a case is reported as its own, with its line', async () => {
  const { code, out } = await judge('throws.mjs', good.replace('api.listWebhooks()', 'api.listNothing()'))
  expect(code).toBe(3)
  expect(out).toMatch(/the case itself threw \(TypeError: .*listNothing.*throws\.mjs:7:\d+\): mend it there/)
  expect(out).not.toContain('please report')
})

it('a module with a syntax error is reported with a command that prints the line', async () => {
  expect((await judge('torn.mjs', 'export const cases = [\n')).err).toMatch(
    /cannot be loaded .*; node --check torn\.mjs shows the line/,
  )
})

it('a folder instead of a module is reported', async () => {
  mkdirSync(join(folder, 'cases'))
  expect((await judge('cases')).err).toBe('conformance: --cases cases: this is a folder; give the module in it\n')
})

/** Node keeps a module that it has loaded: each has a name of its own. */
let wrong = 0
const small =
  "{ id: 'service/acme/x', subject: 'service', level: 'must', title: 't', needs: [], requirements: ['WHK-001'], run() {} }"
const changed = (from: string, to: string) => `export const cases = [${small.replace(from, to)}]`
it.each([
  ['', 'expected an export `cases`'],
  ['export const cases = []', 'expected an export `cases`'],
  ['export const cases = [{}]', 'is not a case: make it by serviceCase'],
  [`export const cases = [${small}, ${small}]`, 'service/acme/x: there is a case with this id already'],
  [changed('acme/x', 'webhooks/creates-with-201'), 'there is a case with this id already'],
  [changed('acme/x', 'Acme/x'), 'expected an id such as'],
  [changed('WHK-001', 'WHK-999'), 'there is no requirement WHK-999'],
  [changed('WHK-001', 'X-A-1'), 'there is no requirement X-A-1'],
  [changed("['WHK-001']", '[]'), 'it names no requirement'],
  [changed('needs: []', "needs: [], dependsOn: ['DLV-999']"), 'dependsOn: expected a list of ids'],
  [changed('needs: []', "needs: [], dependsOn: ['WHK-001']"), 'that the case does not test'],
  [changed('needs: []', "needs: [], dependsOn: 'DLV-003'"), 'got "DLV-003"'],
  [
    `export const requirements = { 'ACME-1': {} }; export const cases = [${small}]`,
    'expected an id such as X-ACME-001',
  ],
  [`export const requirements = { 'X-A-1': {} }; export const cases = [${small}]`, 'expected { level:'],
  [
    `export const requirements = { 'X-A-1': { level: 'must', text: 't' } }; export const cases = [${small}]`,
    'no case checks this requirement',
  ],
  [
    `export const requirements = { 'X-A-1': { level: 'should', text: 't' } }; ${changed('WHK-001', 'X-A-1')}`,
    'make it should',
  ],
  ['export const cases = [', 'cannot be loaded'],
  [changed("'service'", "'receiver'").replace('service/acme', 'receiver/acme'), 'it contains no case for a service'],
])('%j: %s', async (text, message) => {
  const { code, out, err } = await judge(`wrong-${(wrong += 1)}.mjs`, text)
  expect([code, out, err.split('\n').length]).toEqual([2, '', 2])
  expect(err).toContain(message)
})
