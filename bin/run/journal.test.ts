// What a journal knows of what a case makes, before and after the answer; a real service and a real file.
import { chmodSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Api, Evidence, HttpClient, runMark } from '../../harness/service-calls.js'
import { memberOf } from '../../harness/parsing.js'
import { CreatedResources } from '../../harness/service/shared-org/created-resources.js'
import { Secrets } from '../../harness/safe-text.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { openJournal } from './journal.js'
import { describeLeftovers, readJournal } from './read-journal.js'

async function place() {
  const server = await startReferenceServer()
  const http = new HttpClient()
  const path = join(mkdtempSync(join(tmpdir(), 'journal-')), 'journal.jsonl')
  const journal = openJournal(path, { baseUrl: server.url, apiKey: server.apiKey, control: undefined })
  const belongings = new CreatedResources({ journal, secrets: new Secrets() })
  const options = { http, baseUrl: server.url, key: server.apiKey, evidence: new Evidence(), observe: () => {} }
  const { signal } = new AbortController()
  const api = new Api({ ...options, signal, making: (request, body) => belongings.making(request, body) })
  onTestFinished(async () => {
    await http.close()
    await server.close()
  })
  return { server, path, journal, api, belongings, plain: new Api({ ...options, signal }) }
}

test('emails that a batch schedules are written down, and cancelled at the end', async () => {
  const { server, path, api, belongings, plain } = await place()
  const email = (subject: string, more: object = {}) => ({
    from: `probe@${server.domain}`,
    to: 'somebody@example.com',
    subject: `${subject} c1x${runMark}x0x0`,
    text: 'Hello',
    ...more,
  })
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() }
  const sent = await api.sendBatch([email('one', later), email('two'), email('three', later)])
  expect(sent.status).toBeLessThan(300)
  expect(readFileSync(path, 'utf8')).toMatch(/"intends":1,"kind":"email","isMarked":true,"name":"one/)
  expect(readJournal(path).left.map(({ kind }) => kind)).toEqual(['email', 'email', 'email'])
  expect(readJournal(path).openIntents).toEqual([])
  await belongings.remove(plain, () => false)
  const listed = memberOf((await plain.listEmails()).json, 'data') as { status: string }[]
  expect(listed.filter(({ status }) => status === 'scheduled')).toEqual([])
  expect(describeLeftovers(path)).toBeUndefined()
})

test('certain leftovers and possible ones are counted separately', async () => {
  const { path, journal } = await place()
  journal?.intends({ kind: 'email', isMarked: true, name: 'one' })
  expect(describeLeftovers(path)).toBe('0, and perhaps what 1 request made whose answer was not read')
  journal?.intends({ kind: 'email', isMarked: true, name: 'two' })
  expect(describeLeftovers(path)).toBe('0, and perhaps what 2 requests made whose answers were not read')
})

test('a journal distinguishes keys without containing one', async () => {
  const { server, path } = await place()
  const [{ key, mark } = { key: '', mark: '' }] = readJournal(path).keyMarks
  expect(mark).toBe(runMark)
  expect(key).toMatch(/^[0-9a-f]{8}$/)
  expect(readFileSync(path, 'utf8')).not.toContain(server.apiKey)
})

test('an old journal becomes private, and a link to a file of another is not followed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'))
  const target = { baseUrl: 'http://127.0.0.1:9/', apiKey: 'key_1', control: undefined }
  const old = join(folder, 'old.jsonl')
  openJournal(old, target)?.made({ kind: 'webhook', id: 'whk_1' })
  const victim = join(folder, 'victim')
  writeFileSync(victim, readFileSync(old, 'utf8').replace(/"pid":\d+/, '"pid":1'))
  chmodSync(victim, 0o644)
  const link = join(folder, 'link.jsonl')
  symlinkSync(victim, link)
  const before = readFileSync(victim, 'utf8')
  expect(() => openJournal(link, target)).toThrow(/link\.jsonl: cannot be written/)
  expect([readFileSync(victim, 'utf8'), statSync(victim).mode & 0o777]).toEqual([before, 0o644])
})

test('runs of one process that begin at once write to files of their own', () => {
  vi.stubEnv('XDG_STATE_HOME', mkdtempSync(join(tmpdir(), 'state-')))
  vi.useFakeTimers({ now: 1, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers().unstubAllEnvs())
  const target = { baseUrl: 'http://127.0.0.1:9/', apiKey: 'key_1', control: undefined }
  expect([openJournal(undefined, target), openJournal(undefined, target)]).not.toContain(undefined)
})
