import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TrafficLine } from '../../../../harness/observe/index.js'
import { atLeast, atMost, sampleOf, scaled, type Row } from '../figure.js'
import { runNode } from '../child.js'

const limitPerSecond = 10_000
const limitMb = 300
/** Events of one page; each event is delivered and streamed too. */
const pageSize = 10
const start = Date.UTC(2026, 0, 2)
const secret = 'secret_0123456789ab'
const url = 'https://hooks.customer.example/in'

/** A capture judged by `conformance observe --from`: every event in a delivery, in a frame and in a page. */
export const captures: Row = {
  name: 'captures',
  title: '`observe --from`, a capture of a million lines',
  async run({ rounds, scale }) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-captures-'))
    const file = join(folder, 'traffic.ndjson')
    try {
      const count = await writeCapture(file, scaled(1_000_000, scale, 1_000))
      const [perSecond, peak]: [number[], number[]] = [[], []]
      for (let round = 0; round < Math.min(rounds, 2); round++) {
        const words = ['bin/conformance.js', 'observe', '--from', file, '--quiet']
        const { wallMs, peakMb } = await runNode(words, { measuresUse: true })
        perSecond.push(count / (wallMs / 1_000))
        peak.push(peakMb)
      }
      const [speed, memory] = [sampleOf(perSecond), sampleOf(peak)]
      return [
        {
          what: `lines judged, start-up included (${count.toLocaleString('en')})`,
          unit: '/s',
          value: speed,
          bar: atLeast(limitPerSecond, speed, '/s'),
        },
        { what: 'peak memory', unit: 'MB', value: memory, bar: atMost(limitMb, memory, ' MB') },
      ]
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

/** Writes a capture in which nothing is wrong; resolves to the number of its lines. */
async function writeCapture(file: string, least: number): Promise<number> {
  const out = createWriteStream(file)
  let count = 0
  const write = async (...lines: readonly object[]) => {
    count += lines.length
    if (!out.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))) await once(out, 'drain')
  }
  await write({ capture: 'conformance-capture/1', tool: { name: 'bench', version: '0' }, started_at: at(0) })
  await write(createdLine(), {
    kind: 'stream',
    at: at(0),
    stream: 's1',
    service: 'api.example',
    path: '/v1/events/ws',
    key: 'key_1',
  })
  for (let n = 1; count < least; n++) {
    await write(...linesOf(n))
    if (n % pageSize === 0) await write(pageLine(n))
  }
  out.end()
  await once(out, 'finish')
  return count
}

function at(n: number): string {
  return new Date(start + n).toISOString()
}

function eventOf(n: number) {
  const data = {
    message_id: `msg_${n}`,
    inbox_id: 'ibx_1',
    thread_id: `thr_${n}`,
    from: 'ada@x.example',
    subject: `No ${n}`,
  }
  return { id: idOf(n), type: 'message.received', timestamp: at(n), data }
}

function idOf(n: number): string {
  return `evt_${String(n).padStart(16, '0')}`
}

function linesOf(n: number): readonly TrafficLine[] {
  const body = JSON.stringify(eventOf(n))
  const headers: readonly (readonly [string, string])[] = [
    ['webhook-id', idOf(n)],
    ['webhook-timestamp', String(Math.floor((start + n) / 1_000))],
    ['webhook-signature', `v1,${'A'.repeat(43)}=`],
  ]
  const response = { status: 204, headers: [] }
  const signature = { verdict: 'right', secret } as const
  return [
    { kind: 'frame', at: at(n), stream: 's1', body },
    {
      kind: 'delivery',
      at: at(n),
      duration_ms: 1,
      url,
      method: 'POST',
      request: { headers, body },
      response,
      signature,
    },
  ]
}

function createdLine(): TrafficLine {
  const body = { id: 'whk_1', url, event_types: [], inbox_id: null, secret: `[secret:${secret}]` }
  const request = { headers: [], body: JSON.stringify({ url }) }
  const response = { status: 201, headers: [], body: JSON.stringify(body) }
  return { ...exchangeAt(0, '/v1/webhooks'), method: 'POST', request, response }
}

function pageLine(n: number): TrafficLine {
  const data = Array.from({ length: pageSize }, (_, index) => {
    const { timestamp, ...event } = eventOf(n - pageSize + 1 + index)
    return { ...event, org_id: 'org_1', created_at: timestamp }
  })
  const after = n === pageSize ? '' : `&after=${idOf(n - pageSize)}`
  const response = { status: 200, headers: [], body: JSON.stringify({ data, next_after: idOf(n) }) }
  return { ...exchangeAt(n, `/v1/events?limit=${pageSize}${after}`), method: 'GET', request: { headers: [] }, response }
}

function exchangeAt(n: number, path: string) {
  return { kind: 'exchange', at: at(n), duration_ms: 1, service: 'api.example', path, key: 'key_1' } as const
}
