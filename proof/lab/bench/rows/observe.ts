import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../../harness/webhook-sink.js'
import { memberOf } from '../../../../harness/parsing.js'
import type { Report } from '../../../../harness/index.js'
import { packageFolder } from '../../../../bin/cli/package.js'
import { atLeast, atMost, contest, ratioOf, sampleOf, scaled, type Figure, type Row } from '../figure.js'
import { peer, peerHint, startHost } from '../child.js'
import { flood } from '../flood.js'

const limitPerSecond = 2_000
const limitAddedMs = 2
/** Requests that measure what one takes, one after the other. */
const sequential = 500

/** A page with one event, as the service answers it. */
const body = JSON.stringify({
  data: [
    {
      id: 'evt_0000000000000001',
      type: 'message.received',
      org_id: 'org_1',
      created_at: '2026-01-02T03:04:05.000Z',
      data: { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', from: 'ada@x.example', subject: 'Hello' },
    },
  ],
  next_after: 'evt_0000000000000001',
})
const headers = { authorization: 'Bearer sk_bench_0123456789abcdef' }

/** `conformance observe` between clients and a service that answers at once, compared with no proxy and with Prism's. */
export const observe: Row = {
  name: 'observe',
  title: '`observe` between clients and a service',
  async run({ rounds, scale }) {
    const service = await startHost<{ url: string }>('plain-http', { body })
    const folder = mkdtempSync(join(tmpdir(), 'bench-observe-'))
    const report = join(folder, 'report.json')
    const proxy = await startProxy(service.facts.url, report)
    const prism = await startPrism(service.facts.url)
    try {
      const count = scaled(10_000, scale, 100)
      let requestCount = 0
      const times: Record<string, number[]> = {}
      const load = (name: string, url: string) => async () => {
        const all: number[] = []
        await send(url, scaled(sequential, scale, 20), 1, (ms) => all.push(ms))
        times[name] = [...(times[name] ?? []), sampleOf(all).median]
        if (name === 'proxy') requestCount += scaled(sequential, scale, 20) + count
        return count / ((await send(url, count)) / 1_000)
      }
      const both = { proxy: load('proxy', proxy.url), direct: load('direct', service.facts.url) }
      const sides =
        prism === undefined
          ? await contest(both, rounds)
          : await contest({ ...both, prism: load('prism', prism.url) }, rounds)
      await proxy.end()
      const judged = judgedIn(report)
      if (judged !== requestCount) throw new Error(`observe judged ${judged} of ${requestCount} answers`)
      const added = sampleOf(
        (times['proxy'] ?? []).slice(1).map((ms, round) => ms - ((times['direct'] ?? [])[round + 1] ?? 0)),
      )
      return [
        {
          what: `requests passed on and judged, over 16 connections`,
          unit: '/s',
          value: sides.proxy,
          yardstick: { name: 'the service itself', value: sides.direct },
          ratio: ratioOf(sides.proxy, sides.direct),
          bar: atLeast(limitPerSecond, sides.proxy, '/s'),
          note: `every one of ${requestCount.toLocaleString('en')} answers was judged`,
        },
        {
          what: 'added to a request at the median, one after the other',
          unit: 'ms',
          value: added,
          bar: atMost(limitAddedMs, added, ' ms'),
        },
        ...comparedWithPrism(sides, times),
      ]
    } finally {
      await Promise.all([proxy.close(), prism?.close(), service.close()])
      rmSync(folder, { recursive: true })
    }
  },
}

function send(url: string, count: number, connections?: number, onAnswer?: (ms: number) => void): Promise<number> {
  const options = { url, path: '/v1/events', headers, count, bytes: Buffer.byteLength(body) }
  return flood({
    ...options,
    ...(connections === undefined ? {} : { connections }),
    ...(onAnswer === undefined ? {} : { onAnswer }),
  })
}

function comparedWithPrism(
  sides: Readonly<Record<string, ReturnType<typeof sampleOf>>>,
  times: Readonly<Record<string, readonly number[]>>,
): readonly Figure[] {
  const [ours, theirs] = [sides['proxy'], sides['prism']]
  const what = "Prism's proxy, the same requests"
  if (ours === undefined || theirs === undefined) return [{ what, unit: '/s', value: undefined, note: peerHint }]
  const added = (times['prism'] ?? []).slice(1).map((ms, round) => ms - ((times['direct'] ?? [])[round + 1] ?? 0))
  return [
    { what, unit: '/s', value: theirs, yardstick: { name: '`observe`', value: ours }, ratio: ratioOf(theirs, ours) },
    { what: "added by Prism's proxy at the median", unit: 'ms', value: sampleOf(added) },
  ]
}

/** How many answers of the list of events the report has seen. */
function judgedIn(file: string): number {
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const pages = cases.find((result) => result.id === 'observe/polling/has-the-shape-of-a-page')
  return Number(memberOf(pages?.measurements?.['seen'], 'POL-007') ?? 0)
}

interface Proxy {
  readonly url: string
  /** Ends it and waits for its report. */
  end(): Promise<void>
  close(): Promise<void>
}

async function startProxy(baseUrl: string, report: string): Promise<Proxy> {
  const words = ['bin/conformance.js', 'observe', '--base-url', baseUrl, '--reporter', `json=${report}`]
  const child = spawn(process.execPath, words, { cwd: packageFolder(), stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  for await (const chunk of child.stderr) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  const [, url] = /Listening on (\S+)/.exec(text) ?? []
  if (url === undefined) throw new Error(`observe does not listen: ${text}`)
  const end = () => ended(child, 'SIGINT')
  return { url, end, close: end }
}

async function startPrism(upstream: string): Promise<Proxy | undefined> {
  const program = peer('@stoplight/prism-cli/dist/index.js')
  if (program === undefined) return undefined
  const port = await freePort()
  const words = [program, 'proxy', 'spec/openapi.yaml', upstream, '--port', String(port), '--host', '127.0.0.1']
  const child = spawn(process.execPath, words, { cwd: packageFolder(), stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const answer = await fetch(`${url}/v1/events`, { headers }).catch(() => undefined)
    if (answer?.status === 200) break
    if (child.exitCode !== null) throw new Error(`Prism ended with ${child.exitCode}`)
    await pause(100)
  }
  const end = () => ended(child, 'SIGTERM')
  return { url, end, close: end }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
