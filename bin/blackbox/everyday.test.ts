// Everyday options: the cases of a requirement, the last failures, repeats, and suggestions for typos.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { judgeHere, type Judged, program } from '../testing/command.js'

const command = judgeHere()
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

/** Starts an endpoint that answers each delivery with `statusOf` of its number, from 1; resolves to its URL. */
async function endpoint(statusOf: (count: number) => number): Promise<string> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(statusOf(++count)).end())
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
}

const state = mkdtempSync(join(tmpdir(), 'everyday-'))
const judge = (url: string, ...options: readonly string[]): Promise<Judged> =>
  command(['receiver', '--url', url, '--secret', secret, '--seed', '1', ...options], { env: { XDG_STATE_HOME: state } })

const oneCase = ['--case', 'receiver/acceptance/accepts-a-signed-delivery']

describe('--repeat', () => {
  it('fails a case that passes and fails, and reports it as flaky', async () => {
    // The first delivery is that before the first case.
    const ended = await judge(await endpoint((count) => (count === 3 ? 401 : 204)), ...oneCase, '--repeat', '3')
    expect(ended.code).toBe(1)
    expect(ended.out).toContain('flaky, passed 2 of 3 times')
    expect(ended.out).toContain('--seed 2')
    expect(ended.report?.cases).toMatchObject([{ status: 'failed', repeats: { passed: 2, failed: 1, errored: 0 } }])
  })

  it('reports no flakiness if a case always passes', async () => {
    const ended = await judge(await endpoint(() => 204), ...oneCase, '--repeat', '2')
    expect(ended.code).toBe(0)
    expect(ended.out).not.toContain('flaky')
    expect(ended.report?.cases).toMatchObject([{ status: 'passed', repeats: { passed: 2, failed: 0, errored: 0 } }])
  })

  it('continues with seed 0 after the largest seed', async () => {
    const last = ['--seed', '4294967295']
    const ended = await judge(
      await endpoint((count) => (count === 3 ? 401 : 204)),
      ...oneCase,
      ...last,
      '--repeat',
      '2',
    )
    expect(ended.out).toContain('--seed 0')
    expect(ended.out).not.toContain('4294967296')
  })

  it('is refused together with --bail', async () => {
    const { code, err } = await judge(await endpoint(() => 204), ...oneCase, '--repeat', '2', '--bail')
    expect([code, err]).toEqual([2, expect.stringContaining('--repeat and --bail do not go together')])
  })
})

it('--last-failed runs the cases that did not pass, and all cases once none is left', async () => {
  let status = 204
  const url = await endpoint(() => status)
  const few = [...oneCase, '--case', 'receiver/signature/refuses-an-unsigned-post']
  expect((await judge(url, ...few)).report?.summary.cases).toMatchObject({ passed: 1, failed: 1 })
  const again = await judge(url, '--last-failed')
  expect(again.report?.cases.map((result) => result.id)).toEqual(['receiver/signature/refuses-an-unsigned-post'])
  status = 500
  await judge(url, ...oneCase)
  status = 204
  expect((await judge(url, '--last-failed')).report?.cases).toHaveLength(2)
})

it('the HTML report shows the last runs of the same selection, and nothing before the second', async () => {
  let [status, next] = [204, 204]
  const url = await endpoint(() => {
    const answer = status
    status = next
    return answer
  })
  const page = join(state, 'history.html')
  const history = async (...options: readonly string[]): Promise<unknown> => {
    await judge(url, ...options, '--reporter', `html=${page}`)
    const [, data = ''] = /id="data">([^]*?)<\/script>/.exec(readFileSync(page, 'utf8')) ?? []
    return (JSON.parse(data) as { readonly history?: unknown }).history
  }
  const [accepts, refuses] = [
    'receiver/acceptance/accepts-a-signed-delivery',
    'receiver/signature/refuses-an-unsigned-post',
  ]
  const both = ['--case', accepts, '--case', refuses]
  expect(await history(...both)).toBeUndefined()
  // The delivery before the first case is accepted.
  next = 401
  const first = { verdict: 'nonconformant', cases: { passed: 1, failed: 1 }, broke: [], fixed: [] }
  expect(await history(...both)).toMatchObject([{ verdict: 'nonconformant', broke: [accepts], fixed: [] }, first])
  ;[status, next] = [204, 204]
  expect(await history('--case', accepts)).toBeUndefined()
  expect(await history(...both)).toMatchObject([{ broke: [], fixed: [accepts] }, { broke: [accepts] }, first])
})

it('--last-failed ignores failures of own cases that are not loaded this time', async () => {
  const module = join(state, 'own.mjs')
  const authoring = pathToFileURL(resolve(import.meta.dirname, '../../dist/harness/authoring.js'))
  writeFileSync(
    module,
    `import { receiverCase } from ${JSON.stringify(authoring)}
export const cases = [receiverCase({ id: 'receiver/own/fails', requirements: ['RCV-001'], level: 'must', title: 'fails',
  async run({ check }) { check.equal('one', 1, 2) } })]\n`,
  )
  const url = await endpoint(() => 204)
  expect((await judge(url, '--cases', module, '--case', 'receiver/own/fails')).code).toBe(1)
  const ended = await judge(url, '--last-failed', ...oneCase)
  expect(ended.err).toContain('nothing failed the last time, so every case is run')
  expect(ended.report?.cases).toHaveLength(1)
})

it('--requirement runs the cases of a requirement, in upper or lower case', async () => {
  const { report } = await judge(await endpoint(() => 204), '--requirement', 'rcv-003')
  expect(report?.cases.length).toBeGreaterThan(0)
  for (const result of report?.cases ?? [])
    expect(result).toMatchObject({ requirements: expect.arrayContaining(['RCV-003']) })
})

it.each([
  [
    ['run', '--reference'],
    'auth-007',
    /: --requirement AUTH-007: no case for a service checks it \(more: conformance explain/,
  ],
  [
    ['verifier'],
    'AUTH-001',
    /: --requirement AUTH-001: no case for a verifier checks it; it applies to a service \(more: conformance explain AUTH-001/,
  ],
])('%s --requirement %s reports that no case checks this requirement', (command, id, message) => {
  const args = [program, ...command, '--requirement', id, ...(command[0] === 'verifier' ? ['--', 'true'] : [])]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toMatch(message)
  expect(status).toBe(2)
})

describe('--dry-run', () => {
  const plan = (kind: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [program, kind, '--dry-run', ...args], { encoding: 'utf8' })

  it('contacts neither the target nor its control interface, and starts no driver', async () => {
    let count = 0
    const url = await endpoint(() => {
      count++
      return 500
    })
    const control = ['--control-url', url, '--control-key', 'c']
    expect(plan('run', '--base-url', url, '--api-key', 'k', ...control).stdout).toContain(
      'assumes that it offers everything',
    )
    expect(plan('receiver', '--url', url, '--secret', secret).stdout).toMatch(/\d+ cases would run/)
    const driver = join(state, 'driver')
    const starts = plan(
      'verifier',
      '--',
      process.execPath,
      '-e',
      `require('fs').writeFileSync(${JSON.stringify(driver)}, '')`,
    )
    expect([starts.status, existsSync(driver), count]).toEqual([0, false, 0])
  })

  it('prints how many requirements could be verified, and what would add most', () => {
    const { stdout } = plan('run', '--base-url', 'http://127.0.0.1:9', '--api-key', 'k')
    expect(stdout).toMatch(/^\d+ of \d+ requirements could be verified, \d+ more in part\.$/m)
    expect(stdout).toMatch(
      /^ {2}add from: \+\d+ requirements\n {2}then inboxes: \+\d+ requirements\n {2}then receiver\.public_url: \+\d+/m,
    )
    expect(stdout).toMatch(/or, alone, add a control interface .*: \+\d+ requirements/)
  })
})

it('a whole run ends with what would verify more; a partial run does not', async () => {
  const url = await endpoint(() => 204)
  expect((await judge(url, '--verbose')).out).toMatch(/Would verify more\n {4}add --handled-url: \+\d+ requirements/)
  expect((await judge(url)).out).toMatch(/--verbose prints them\): .*options? would verify more/)
  expect((await judge(url, ...oneCase, '--verbose')).out).not.toContain('Would verify more')
})

it.each([
  ['--case', 'receiver/acceptance/accept-a-signed-delivery', 'receiver/acceptance/accepts-a-signed-delivery'],
  ['--case', 'refuses-any-changed-bits', 'receiver/signature/refuses-any-changed-bit'],
  ['--suite', 'receiver/acceptence', 'receiver/acceptance'],
  ['--requirement', 'RVC-001', 'RCV-001'],
])('%s %s suggests the nearest name', async (option, given, meant) => {
  const { code, err } = await judge('http://127.0.0.1:9', option, given)
  expect(code).toBe(2)
  expect(err).toContain('did you mean')
  expect(err).toContain(meant)
})

it('explain prints an open point, and suggests the nearest name', () => {
  const explain = (id: string) => spawnSync(process.execPath, [program, 'explain', id], { encoding: 'utf8' })
  expect(explain('error-shape').stdout).toContain('accepted   The three fields together')
  expect(explain('error-shapes').stderr).toContain('did you mean error-shape')
})

it('explain knows the cases and requirements of --cases', () => {
  const cases = resolve(import.meta.dirname, '../../examples/own-cases/cases.mjs')
  const explain = (id: string) =>
    spawnSync(process.execPath, [program, 'explain', id, '--cases', cases], { encoding: 'utf8' })
  expect(explain('service/acme/answers-with-a-request-id').stdout).toMatch(/X-ACME-001 .*\n +handbook, part 3/)
  expect(explain('X-ACME-001').stdout).toContain('service/acme/answers-with-a-request-id')
  expect(explain('service/acme').stdout).toContain('service/acme/keeps-the-query-of-a-url')
  expect(explain('service/acme/keeps-the-query').stderr).toContain('did you mean service/acme/keeps-the-query-of-a-url')
})

it('a verifier that ignores the age of a delivery reads so in the report', async () => {
  const driver = join(state, 'ageless.mjs')
  const library = JSON.stringify(
    pathToFileURL(resolve(import.meta.dirname, '../../dist/reference/verifier/index.js')).href,
  )
  writeFileSync(
    driver,
    `import { createInterface } from 'node:readline'
import { verifyWebhook } from ${library}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, secret, headers, payload_base64: body, now } = JSON.parse(line)
  const answer = () => {
    if (op !== 'verify') return op === 'hello' ? { name: 'ageless', version: '1', language: 'js' } : { unsupported: op }
    try {
      const at = Number(headers['webhook-timestamp'])
      return { ok: true, event: verifyWebhook({ payload: Buffer.from(body, 'base64'), headers, secret, now: Number.isInteger(at) ? at : now }) }
    } catch (error) {
      return { ok: false, error: { code: error.code, message: error.message } }
    }
  }
  process.stdout.write(JSON.stringify({ id, ...answer() }) + '\\n')
}
`,
  )
  const { out, report } = await command([
    'verifier',
    '--suite',
    'verifier/vectors',
    '--seed',
    '1',
    '--',
    process.execPath,
    driver,
  ])
  expect(out).toMatch(/BROKEN +The limit on the age of deliveries is missing/)
  const stale = report?.cases.find((result) => result.id === 'verifier/vectors/0013-boundary-timestamp')
  expect(stale).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/^verdict .*expected "refused", got "accepted"$/),
  })
})
