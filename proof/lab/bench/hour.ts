// `npm run lab -- hour`: the reference server at half its top rate for an hour. Memory, descriptors and latency must stay flat.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import { startHost, type Host } from './child.js'
import { sampleOf } from './figure.js'
import type { ReferenceFacts } from './hosts/reference.js'
import { machineSince } from './machine.js'
import { refreshHour } from './page.js'
import { raiseEvents } from './raise.js'
import { allowSink, createWebhooks, type SinkCount, type SinkFacts } from './sink.js'

const usage = `usage: npm run lab -- hour [--minutes <n>] [--page]
  --minutes <n>   how long (default 60); a figure is printed 20 times in all
  --page          refresh the figures in proof/lab/bench/README.md`

/** Webhooks each event goes to. */
const webhookCount = 10
/** Events by which the top rate is found. */
const topCount = 2_000
const parts = 20
const columns = ['minute', 'events/s', 'MB', 'descriptors', 'page of 50, median ms', '99th ms'] as const
/** A day. */
const maxMinutes = 1_440
/** By how much the last third may exceed the first. */
const maxGrowth = { mb: 1.3, descriptors: 1.2, latency: 2 } as const

/** One part of the time. */
interface Part {
  readonly mb: number
  readonly descriptors: number
  /** Milliseconds a page of 50 events took, at the median and at the 99th of a hundred. */
  readonly median: number
  readonly late: number
  readonly perSecond: number
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const reported: string[] = []
const print = (line: string) => {
  reported.push(line)
  process.stdout.write(`${line}\n`)
}

async function hour(minutes: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-hour-'))
  const reference = await startHost<ReferenceFacts>('reference', { data: join(folder, 'state.db') })
  const sink = await startHost<SinkFacts>('tls-sink')
  try {
    await allowSink(reference.facts, sink.facts)
    const secrets = await createWebhooks(reference.facts, sink.facts, webhookCount)
    const top = await topRate(reference, sink, secrets)
    const rate = Math.max(1, Math.floor(top / 2))
    print(
      `top rate: ${top.toFixed(0)} events a second to ${webhookCount} webhooks each; ${rate} a second for ${minutes} minutes`,
    )
    print(columns.join('  '))
    const all: Part[] = []
    for (let part = 1; part <= parts; part++) {
      const measured = await runPart(reference, sink, { secrets, rate, ms: (minutes * 60_000) / parts })
      all.push(measured)
      const { perSecond, mb, descriptors, median, late } = measured
      const minute = ((part * minutes) / parts).toFixed(1)
      const cells = [minute, ...[perSecond, mb, descriptors].map((figure) => figure.toFixed(0)), median.toFixed(1)]
      print([...cells, late.toFixed(1)].map((cell, index) => cell.padStart(columns[index]?.length ?? 0)).join('  '))
    }
    return judged(all)
  } finally {
    await Promise.all([reference.close(), sink.close()])
    rmSync(folder, { recursive: true })
  }
}

async function topRate(reference: Host<ReferenceFacts>, sink: Host<SinkFacts>, secrets: object): Promise<number> {
  const began = performance.now()
  await delivered(sink, secrets, topCount, () => raiseEvents(reference.facts, topCount))
  return topCount / ((performance.now() - began) / 1_000)
}

/** Raises events and waits until each was delivered to each webhook, and signed; reports the repeated deliveries of a busy machine. */
async function delivered(
  sink: Host<SinkFacts>,
  secrets: object,
  events: number,
  raise: () => Promise<void>,
): Promise<void> {
  const count = events * webhookCount
  await sink.call('expect', { secrets, count })
  const [taken] = await Promise.all([sink.call<SinkCount>('wait'), raise()])
  if (taken.repeated > 0) print(`sent again, since this machine took more than 10 s: ${taken.repeated} of ${count}`)
  if (taken.count !== count || taken.wrong > 0) throw new Error(`the sink counts ${JSON.stringify(taken)} of ${count}`)
}

async function runPart(
  reference: Host<ReferenceFacts>,
  sink: Host<SinkFacts>,
  { secrets, rate, ms }: { readonly secrets: object; readonly rate: number; readonly ms: number },
): Promise<Part> {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  const took: number[] = []
  const began = performance.now()
  await delivered(sink, secrets, rate * seconds, async () => {
    for (let second = 0; second < seconds; second++) {
      await raiseEvents(reference.facts, rate)
      took.push(await timeOfPage(reference.facts))
      await pause(Math.max(0, began + (second + 1) * 1_000 - performance.now()))
    }
  })
  const { mb, descriptors } = await reference.use()
  const sorted = took.toSorted((a, b) => a - b)
  const late = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
  const perSecond = (rate * seconds) / ((performance.now() - began) / 1_000)
  return { mb, descriptors, median: sampleOf(took).median, late, perSecond }
}

async function timeOfPage({ url, apiKey }: ReferenceFacts): Promise<number> {
  const began = performance.now()
  const answer = await request(`${url}/v1/events?limit=50`, { headers: { authorization: `Bearer ${apiKey}` } })
  await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`a page was answered with ${answer.statusCode}`)
  return performance.now() - began
}

/** Prints whether the last third equals the first; returns the exit code. */
function judged(all: readonly Part[]): number {
  const third = Math.max(1, Math.floor(all.length / 3))
  const grown = (of: (part: Part) => number) =>
    sampleOf(all.slice(-third).map(of)).median / sampleOf(all.slice(0, third).map(of)).median
  const growth = {
    mb: grown(({ mb }) => mb),
    descriptors: grown((part) => part.descriptors),
    latency: grown(({ median }) => median),
  }
  let code = 0
  for (const [what, times] of Object.entries(growth)) {
    const most = maxGrowth[what as keyof typeof maxGrowth]
    const isFlat = times <= most
    if (!isFlat) code = 1
    print(
      `${what}: the last third is ${times.toFixed(2)} x the first, at most ${most} x: ${isFlat ? 'met' : 'NOT MET'}`,
    )
  }
  return code
}

async function main(): Promise<void> {
  const minutes = Number(values.minutes)
  if (values.help) return print(usage)
  if (!(minutes > 0 && minutes <= maxMinutes)) {
    process.stderr.write(`bench:hour: --minutes ${values.minutes}: a number above 0, up to ${maxMinutes}\n\n${usage}\n`)
    process.exitCode = 2
    return
  }
  const loadBefore = loadavg()[0] ?? 0
  process.exitCode = await hour(minutes)
  if (values.page) refreshHour(machineSince(loadBefore), reported)
}

await main()
