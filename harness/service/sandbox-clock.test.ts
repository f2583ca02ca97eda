// How far a clock is moved: with a control interface that records its requests, and the sink.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createChecks } from '../check.js'
import { Sink } from '../sink/sink.js'
import { Evidence } from '../wire/evidence.js'
import { HttpClient } from '../wire/http-client.js'
import { Control } from './control.js'
import { ListReads, ShownItems } from './list-reads.js'
import { SandboxClock, type ClockParts } from './sandbox-clock.js'

async function clockOn() {
  /** The requested moves, in milliseconds. */
  const moves: number[] = []
  const server = createServer((incoming, response) => {
    let text = ''
    incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    incoming.on('end', () => {
      if (incoming.method === 'POST') moves.push((JSON.parse(text) as { advance_ms: number }).advance_ms)
      const answer =
        incoming.method === 'POST' ? { now: new Date().toISOString() } : { control: 1, capabilities: ['clock'] }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const http = new HttpClient()
  const sink = await Sink.start({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await Promise.all([http.close(), sink.close()])
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const control = await Control.connect(http, { url: `http://127.0.0.1:${port}`, key: 'k' })
  const tools = { signal: new AbortController().signal, check: createChecks(() => {}), cutOff: () => {} }
  const parts = { tools, evidence: new Evidence(), control, sink, workspaceId: 'wks_1', hasClock: true }
  return { clock: new SandboxClock(parts as unknown as ClockParts), sink, moves }
}

test('a wait before a move is subtracted from it: the clock runs on meanwhile', async () => {
  const { clock, sink, moves } = await clockOn()
  const silent = connect({ port: sink.port, host: '127.0.0.1' })
  onTestFinished(() => void silent.destroy())
  await once(silent, 'connect')
  await clock.advance(60_000)
  // A connection that is being made is waited for two seconds at most.
  expect(moves[0]).toBeLessThanOrEqual(58_000)
  expect(moves[0]).toBeGreaterThan(0)
})

test('no move is shorter than nothing', async () => {
  const { clock, sink, moves } = await clockOn()
  const silent = connect({ port: sink.port, host: '127.0.0.1' })
  onTestFinished(() => void silent.destroy())
  await once(silent, 'connect')
  await clock.settle()
  expect(moves).toEqual([0])
})

const noList = { status: 200, json: {} }
const emptyList = { status: 200, json: { data: [] } }

/** A clock in real time that waits for a list that shows nothing in `rounds` reads. */
function waitOn(answers: readonly (typeof noList | typeof emptyList)[]) {
  const lists = new ListReads(new ShownItems())
  const missed: string[] = []
  const tools = {
    signal: new AbortController().signal,
    patience: () => 1,
    property: { isShrinking: false },
    missed: (...requirements: readonly string[]) => void missed.push(...requirements),
  }
  const clock = new SandboxClock({ tools, lists, hasClock: false } as unknown as ClockParts)
  let rounds = 0
  const hasHeld = clock.until(
    async () => {
      const answer = answers[rounds++ % Math.max(1, answers.length)]
      if (answer !== undefined) lists.saw('pollEvents', '/v1/events', answer)
      return rounds >= 6
    },
    60_000,
    'POL-002',
  )
  return hasHeld.then((held) => ({ held, rounds, missed }))
}

const [whole, cut] = [
  { held: true, rounds: 6, missed: [] },
  { held: false, rounds: 5, missed: ['POL-002'] },
]

test.each([
  ['no answer contains a list', [noList], cut],
  ['one answer of five contains a list', [noList, noList, noList, emptyList, noList], whole],
  ['every list is empty', [emptyList], whole],
  ['nothing is read', [], whole],
])('a wait ends early only after five reads without a list: %s', async (_, answers, expected) => {
  expect(await waitOn(answers)).toEqual(expected)
})

test('a second wait looks twice at most where nothing has changed since the first, which was as long', async () => {
  let changedAt = Date.now()
  const tools = {
    signal: new AbortController().signal,
    patience: () => 1,
    property: { isShrinking: false },
    missed: () => {},
  }
  const parts = { tools, lists: new ListReads(new ShownItems()), changedAt: () => changedAt, workspaceId: 'wks_1' }
  const clock = new SandboxClock({ ...parts, hasClock: true } as unknown as ClockParts)
  const looks = async (longestMs: number) => {
    let count = 0
    expect(await clock.until(() => Promise.resolve((count += 1) < 0), longestMs)).toBe(false)
    return count
  }
  changedAt = Date.now() - 1
  expect(await looks(350)).toBeGreaterThan(3)
  expect(await looks(350)).toBeLessThanOrEqual(2)
  expect(await looks(450)).toBeGreaterThan(3)
  expect(await looks(350)).toBeLessThanOrEqual(2)
  changedAt = Date.now()
  expect(await looks(350)).toBeGreaterThan(3)
})
