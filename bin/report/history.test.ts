// `conformance report --history`: reports of a folder over time.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CaseResult, Report } from '../../harness/index.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { commandHere } from '../testing/command.js'
import { historyOf } from './history.js'

const folder = mkdtempSync(join(tmpdir(), 'history-'))
afterAll(() => rmSync(folder, { recursive: true }))

const id = 'receiver/acceptance/accepts-a-signed-delivery'

/** Returns the fields of a case that a report must have: it is compared with the catalogue. */
function inCatalogue(caseId: string) {
  const found = receiverCases.find((testCase) => testCase.id === caseId)
  if (found === undefined) throw new Error(`there is no case ${caseId}`)
  const { title, level, requirements } = found
  return { id: caseId, suite: caseId.slice(0, caseId.lastIndexOf('/')), title, level, requirements }
}

function report(name: string, day: number, status: 'passed' | 'failed' | 'skipped'): Report {
  const isFailed = status === 'failed'
  const judged: CaseResult = {
    ...inCatalogue(id),
    status,
    known_failure: false,
    duration_ms: 1,
    ...(status === 'skipped' ? { reason: 'not now' } : {}),
    ...(isFailed ? { message: 'expected 200, got 500' } : {}),
  }
  const steady: CaseResult = {
    ...inCatalogue('receiver/signature/refuses-an-unsigned-post'),
    status: 'passed',
    known_failure: false,
    duration_ms: 1,
  }
  const counts = { passed: isFailed ? 1 : 2, failed: isFailed ? 1 : 0, skipped: 0, errored: 0, known_failures: 0 }
  return {
    schema: 'conformance-report/1',
    tool: { name: 'webhook-conformance', version: '0.1.0' },
    subject: { kind: 'receiver', name },
    started_at: `2026-01-0${day}T03:04:05.678Z`,
    duration_ms: 1,
    seed: 1,
    verdict: isFailed ? 'nonconformant' : 'partial',
    summary: { cases: counts, requirements: { total: 1, verified: 0, violated: 0, unverified: 1 } },
    cases: [judged, steady],
    requirements: [
      {
        id: 'RCV-001',
        text: 'A sentence.',
        level: 'must',
        source: '#limits',
        status: isFailed ? 'violated' : 'unverified',
        cases: [id],
      },
    ],
  }
}

const local = (port: number) => `http://127.0.0.1:${port}/hooks`
beforeAll(() => {
  mkdirSync(join(folder, 'deep'))
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
  write('c.json', report(local(3), 3, 'skipped'))
  write('a.json', report(local(1), 1, 'passed'))
  write('deep/b.json', report(local(2), 2, 'failed'))
  write('d.json', report(local(4), 4, 'passed'))
  write('other.json', report('https://<b>x</b>.example/', 1, 'passed'))
  write('package.json', {})
})

const command = commandHere(folder)
const history = (...args: readonly string[]) => command(['report', '--history', ...args])

it('prints each target in the order of time, with broken, fixed and flaky cases', async () => {
  const { code, out, err } = await history('.')
  expect(code).toBe(0)
  expect(out).toBe(`receiver http://127.0.0.1/hooks  4 runs
  2026-01-01 03:04  partial        0 of 1 requirements verified, 0 violated  (0.1.0)
  2026-01-02 03:04  nonconformant  0 of 1 requirements verified, 1 violated  (0.1.0)
                    broke  ${id}
  2026-01-03 03:04  partial        0 of 1 requirements verified, 0 violated  (0.1.0)
  2026-01-04 03:04  partial        0 of 1 requirements verified, 0 violated  (0.1.0)
                    fixed  ${id}
  changed back and forth
    ${id}  2 times

receiver https://<b>x</b>.example/  1 run
  2026-01-01 03:04  partial        0 of 1 requirements verified, 0 violated  (0.1.0)
`)
  expect(err).toMatch(/^conformance: passed over: package\.json: not a report of this kit/)
})

it('is a page in which no name is markup', async () => {
  const { code } = await history('.', '--reporter', 'html=history.html', '--reporter', 'json=history.data')
  expect(code).toBe(0)
  const page = readFileSync(join(folder, 'history.html'), 'utf8')
  const [, embedded = ''] = /id="data">(.*?)<\/script>/s.exec(page) ?? []
  expect(embedded).toContain('https://\\u003cb>x')
  expect(JSON.parse(embedded)).toMatchObject({
    kind: 'history',
    targets: [{ runs: [{}, { broke: [id] }, {}, {}] }, {}],
  })
  const data = JSON.parse(readFileSync(join(folder, 'history.data'), 'utf8')) as { targets: { runs: unknown[] }[] }
  expect(data.targets.map(({ runs }) => runs.length)).toEqual([4, 1])
})

it('leaves standard output to a reporter that a program reads', async () => {
  const { code, out, err } = await history('deep', '--reporter', 'json')
  expect([code, (JSON.parse(out) as { targets: unknown[] }).targets.length]).toEqual([0, 1])
  expect(err).toContain('receiver http://127.0.0.1/hooks  1 run')
})

it.each([
  [['deep', '--reporter', 'junit'], 'junit cannot show a history'],
  [['deep', '--compare'], '--history and --compare are two views'],
  [['deep', '--strict'], '--strict: --history shows verdicts and has none of its own'],
  [['nowhere.json'], 'cannot be read'],
  [['empty'], 'contains no report'],
])('%j: %s', async (args, message) => {
  mkdirSync(join(folder, 'empty'), { recursive: true })
  const { code, err } = await history(...args)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})

it('a report that is wanted in files is a summary on the terminal', async () => {
  const file = join('deep', 'b.json')
  const whole = await command(['report', file])
  expect(whole.out, whole.err).toMatch(/^failed /m)
  const { code, out } = await command(['report', file, '--reporter', 'markdown=b.md'])
  expect(out).not.toMatch(/^failed /m)
  expect(out).toMatch(/Verdict +nonconformant/)
  expect([code, readFileSync(join(folder, 'b.md'), 'utf8')]).toEqual([1, expect.stringContaining('nonconformant')])
  const both = ['--reporter', 'markdown=b.md', '--reporter', 'pretty']
  expect((await command(['report', file, ...both])).out).toMatch(/^failed /m)
})

it('a URL without a host is reported as such', async () => {
  const { code, err } = await command(['run', '--base-url', 'http:///v1', '--api-key', 'k'])
  expect([code, err]).toEqual([2, expect.stringContaining('the URL has no host; is a variable not set?')])
})

it('puts targets in one order on every machine, whatever its language makes of letters', () => {
  const names = ['https://a.example/b', 'https://a.example/_', 'https://a.example/B', 'https://a.example/ä']
  const read = names.map((name) => ({ file: `${name}.json`, report: report(name, 1, 'passed') }))
  expect(historyOf(read).targets.map((target) => target.name.at(-1))).toEqual(['B', '_', 'b', 'ä'])
})
