import { startHost } from '../child.js'
import { scaled } from '../figure.js'
import type { ReferenceFacts } from '../hosts/reference.js'
import { raiseEvents } from '../raise.js'
import type { GrowthRow, Point } from './growth.js'

const counts = [1, 10, 100]
const frames = 100_000

export const growingClients: GrowthRow = {
  name: 'grow-streams',
  title: 'streams x1, x10, x100',
  async run({ scale }) {
    const reference = await startHost<ReferenceFacts>('reference')
    const readers = await startHost<object>('stream-clients')
    const points: Point[] = []
    try {
      for (const clients of counts) {
        const events = scaled(frames / Math.max(clients, 10), scale, 20)
        const url = `${reference.facts.url.replace('http', 'ws')}/v1/events/ws`
        await readers.call('open', { url, key: reference.facts.apiKey, clients })
        const before = (await reference.use()).cpuMs
        await Promise.all([readers.call('wait', events), raiseEvents(reference.facts, events)])
        const { cpuMs, mb } = await reference.use()
        points.push({ size: clients, unitUs: ((cpuMs - before) * 1000) / (events * clients), mb })
      }
    } finally {
      await readers.close()
      await reference.close()
    }
    return {
      name: 'streams',
      size: 'streams open',
      unit: 'CPU of the server for a live frame, the event shared',
      points,
    }
  },
}
