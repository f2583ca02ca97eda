import { startHost } from '../child.js'
import { scaled } from '../figure.js'
import type { ReferenceFacts } from '../hosts/reference.js'
import { raiseEvents } from '../raise.js'
import { allowSink, createWebhooks, type SinkFacts } from '../sink.js'
import type { GrowthRow, Point } from './growth.js'

const counts = [1, 10, 100, 1_000]
const deliveries = 2_000

export const growingWebhooks: GrowthRow = {
  name: 'grow-webhooks',
  title: 'webhooks on one event: 1 to 1,000',
  async run({ scale }) {
    const sink = await startHost<SinkFacts>('tls-sink')
    const points: Point[] = []
    try {
      for (const full of counts) {
        const size = full === 1 ? 1 : scaled(full, scale, 2)
        const reference = await startHost<ReferenceFacts>('reference')
        try {
          await allowSink(reference.facts, sink.facts)
          const secrets = await createWebhooks(reference.facts, sink.facts, size)
          const events = Math.max(1, Math.round(scaled(deliveries, scale, 20) / size))
          const run = async () => {
            await sink.call('expect', { secrets, count: events * size })
            await Promise.all([sink.call('wait'), raiseEvents(reference.facts, events)])
          }
          await run()
          const before = (await reference.use()).cpuMs
          await run()
          const { cpuMs, mb } = await reference.use()
          points.push({ size, unitUs: ((cpuMs - before) * 1000) / (events * size), mb })
        } finally {
          await reference.close()
        }
      }
    } finally {
      await sink.close()
    }
    return {
      name: 'webhooks',
      size: 'webhooks on one event',
      unit: 'CPU of the server for a delivery, the event shared',
      points,
    }
  },
}
