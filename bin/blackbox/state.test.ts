// A run that is stopped and resumed, as a black box: real processes of the built program, a reference in this one.
import { execFile, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { memberOf } from '../../harness/parsing.js'
import { startReferenceServer, type ReferenceServer } from '../../reference/server/index.js'
import { program } from '../testing/command.js'

const watched = 'service/retries/second-attempt-after-5-seconds'
const short = 'service/webhooks/creates-with-201'

interface Listed {
  readonly id: string
  readonly type?: string
  readonly url?: string
}

interface Ended {
  readonly code: number
  readonly err: string
}

interface Place {
  readonly server: ReferenceServer
  readonly folder: string
  readonly state: string
  run(...more: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> }
}

let server: ReferenceServer | undefined
afterEach(async () => server?.close())

async function place(): Promise<Place> {
  server = await startReferenceServer({ control: true, capabilities: ['egress'] })
  const listener = createServer()
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo
  await new Promise((done) => listener.close(done))
  const folder = mkdtempSync(join(tmpdir(), 'conformance-state-'))
  const state = join(folder, 'state.json')
  const { url, apiKey, domain, inboxes, controlUrl, controlKey } = server
  const configuration = {
    base_url: url,
    api_key: apiKey,
    from: `probe@${domain}`,
    inboxes: inboxes.map((inbox) => ({ id: inbox.id, address: inbox.address, api_key: inbox.apiKey })),
    receiver: { listen: `127.0.0.1:${port}`, public_url: `https://127.0.0.1:${port}/` },
    control: { url: controlUrl, key: controlKey },
    state,
  }
  writeFileSync(join(folder, 'conformance.config.json'), JSON.stringify(configuration))
  return {
    server,
    folder,
    state,
    run: (...more) => {
      let child: ChildProcess | undefined
      const ended = new Promise<Ended>((done) => {
        const run = ['run', '--quiet', '--case', watched, '--case', short]
        const args = [program, ...(more[0] === 'cleanup' ? more : [...run, ...more])]
        child = execFile(process.execPath, args, { cwd: folder }, (error, _out, err) =>
          done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, err }),
        )
      })
      if (child === undefined) throw new Error('no child')
      return { child, ended }
    },
  }
}

/** Resolves once the state file holds the first attempt and the result of the short case. */
async function untilSeen(state: string): Promise<void> {
  for (;;) {
    if (existsSync(state)) {
      const memory = memberOf(JSON.parse(readFileSync(state, 'utf8')), 'memory')
      const [webhook] = (memberOf(memberOf(memberOf(memory, 'watches'), watched), 'webhooks') ?? []) as unknown[]
      const attempts = (memberOf(webhook, 'attempts') ?? []) as unknown[]
      if (attempts.length > 0 && memberOf(memberOf(memory, 'results'), short) !== undefined) return
    }
    await new Promise((done) => setTimeout(done, 50))
  }
}

async function list({ server: { url, apiKey } }: Place, path: string): Promise<Listed[]> {
  const answer = await fetch(`${url}/v1/${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  return ((await answer.json()) as { data: Listed[] }).data
}

test.each(['SIGINT', 'SIGHUP', 'SIGKILL'] as const)('a run stopped by %s goes on where it was', async (signal) => {
  const here = await place()
  const first = here.run()
  await untilSeen(here.state)
  first.child.kill(signal)
  const stopped = await first.ended
  if (signal !== 'SIGKILL') {
    expect(stopped.code).toBe(3)
    expect(stopped.err).toMatch(/the same command resumes this run/)
  }
  expect(await list(here, 'webhooks')).toHaveLength(1)

  const report = join(here.folder, 'report.json')
  expect((await here.run('--reporter', `json=${report}`).ended).code).toBe(0)
  const { cases } = JSON.parse(readFileSync(report, 'utf8')) as {
    cases: { id: string; status: string; reason?: string }[]
  }
  expect(cases.find(({ id }) => id === short)?.status).toBe('passed')
  const outcome = cases.find(({ id }) => id === watched)
  // On a machine so busy that the second attempt fell due meanwhile, the run has to report it.
  if (outcome?.status !== 'passed')
    expect(outcome).toMatchObject({ status: 'skipped', reason: expect.stringMatching(/stopped at/) as string })
  expect((await list(here, 'events')).filter(({ type }) => type === 'message.received')).toHaveLength(1)
  expect(await list(here, 'webhooks')).toEqual([])
  expect(existsSync(here.state)).toBe(false)
})

test('an attempt that was due while the run was stopped neither passes nor fails', async () => {
  const here = await place()
  const first = here.run()
  await untilSeen(here.state)
  first.child.kill('SIGINT')
  await first.ended
  const content = JSON.parse(readFileSync(here.state, 'utf8')) as {
    memory: { watches: Record<string, { webhooks: { attempts: { arrivedAt: number }[] }[] }> }
    listening_until: number
  }
  // As if the stop had been an hour ago.
  content.listening_until -= 3_600_000
  for (const { webhooks } of Object.values(content.memory.watches))
    for (const { attempts } of webhooks) for (const attempt of attempts) attempt.arrivedAt -= 3_600_000
  writeFileSync(here.state, JSON.stringify(content))
  const report = join(here.folder, 'report.json')
  expect((await here.run('--reporter', `json=${report}`).ended).code).toBe(0)
  expect(readFileSync(report, 'utf8')).toMatch(/needs a run that listens when attempt 2 is due/)
})

test('a state of another target, or an invalid one, is refused', async () => {
  const here = await place()
  writeFileSync(here.state, JSON.stringify({ schema: 'conformance-state/1', base_url: 'http://127.0.0.1:1' }))
  expect(await here.run().ended).toMatchObject({
    code: 2,
    err: expect.stringMatching(/belongs to a run on http:/) as string,
  })
  writeFileSync(here.state, '{}')
  expect(await here.run().ended).toMatchObject({
    code: 2,
    err: expect.stringMatching(/not the state of a run/) as string,
  })
  expect(readFileSync(here.state, 'utf8')).toBe('{}')
})

test('cleanup removes what a killed run left; an interrupted run leaves nothing', async () => {
  const here = await place()
  const config = join(here.folder, 'conformance.config.json')
  const { state: _, ...content } = JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown>
  writeFileSync(config, JSON.stringify(content))
  const journal = join(here.folder, 'journal.jsonl')
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const { child, ended } = here.run('--journal', journal)
    while ((await list(here, 'webhooks')).every((webhook) => !webhook.url?.includes('127.0.0.1')))
      await new Promise((done) => setTimeout(done, 50))
    child.kill(signal)
    await ended
    const left = (await list(here, 'webhooks')).length
    if (signal === 'SIGINT') expect(left).toBe(0)
    else expect(left).toBeGreaterThan(0)
    expect(existsSync(journal)).toBe(signal === 'SIGKILL')
  }
  expect(readFileSync(journal, 'utf8')).not.toContain(here.server.apiKey)
  expect((await here.run('cleanup', '--journal', journal).ended).code).toBe(0)
  expect(await list(here, 'webhooks')).toEqual([])
  expect(existsSync(journal)).toBe(false)
})
