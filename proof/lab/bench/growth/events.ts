import { request } from 'undici'
import { startHost, type Host } from '../child.js'
import { scaled } from '../figure.js'
import type { ReferenceFacts } from '../hosts/reference.js'
import { raiseEvents } from '../raise.js'
import type { GrowthRow, Point } from './growth.js'

const sizes = [1_000, 10_000, 100_000]
const pages = 400

/** Fills a reference server step by step, and calls `measure` at each size. */
async function filled(
  scale: number,
  measure: (reference: Host<ReferenceFacts>, events: number) => Promise<number>,
): Promise<Point[]> {
  const reference = await startHost<ReferenceFacts>('reference')
  const points: Point[] = []
  let events = 0
  try {
    for (const full of sizes) {
      const size = scaled(full, scale, 100)
      await raiseEvents(reference.facts, size - events)
      events = size
      await measure(reference, size)
      const unitUs = await measure(reference, size)
      points.push({ size, unitUs, mb: (await reference.use()).mb })
    }
  } finally {
    await reference.close()
  }
  return points
}

export const growingEvents: GrowthRow = {
  name: 'grow-events',
  title: 'events x1, x10, x100, polled',
  async run({ scale }) {
    const points = await filled(scale, async ({ facts, use }) => {
      const headers = { authorization: `Bearer ${facts.apiKey}` }
      const before = (await use()).cpuMs
      let after = ''
      for (let page = 0; page < pages; page++) {
        const answer = await request(`${facts.url}/v1/events?limit=50&after=${after}`, { headers })
        const { data, next_after: next } = (await answer.body.json()) as { data: unknown[]; next_after: string }
        after = data.length < 50 ? '' : next
      }
      return (((await use()).cpuMs - before) * 1000) / pages
    })
    return { name: 'poll', size: 'events in the store', unit: 'CPU of the server for a page of 50', points }
  },
}

export const growingStream: GrowthRow = {
  name: 'grow-backlog',
  title: 'events x1, x10, x100, streamed from the first',
  async run({ scale }) {
    const readers = await startHost<object>('stream-clients')
    try {
      const points = await filled(scale, async ({ facts, use }, events) => {
        const before = (await use()).cpuMs
        const url = `${facts.url.replace('http', 'ws')}/v1/events/ws?after=`
        await readers.call('open', { url: `${url}evt_0`, key: facts.apiKey, clients: 2 })
        await readers.call('wait', events)
        return (((await use()).cpuMs - before) * 1000) / (2 * events)
      })
      return {
        name: 'backlog',
        size: 'events in the store',
        unit: 'CPU of the server for a frame of the backlog',
        points,
      }
    } finally {
      await readers.close()
    }
  },
}
