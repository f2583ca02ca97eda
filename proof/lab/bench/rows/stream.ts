import { atMost, contest, ratioOf, sampleOf, scaled, type Row } from '../figure.js'
import { startHost } from '../child.js'
import type { ReferenceFacts } from '../hosts/reference.js'
import { raise, raisingAt } from '../raise.js'

const clients = 100
const limitMb = 400

/** What the clients saw. */
export interface StreamCount {
  readonly isInOrder: boolean
  readonly isEqual: boolean
  readonly count: number
}

/** Every event to every client, from the first one raised to the last frame read. */
export const stream: Row = {
  name: 'stream',
  title: 'stream, 100 clients x 10,000 events',
  async run({ rounds, scale }) {
    const reference = await startHost<ReferenceFacts>('reference')
    const plain = await startHost<{ url: string }>('plain-stream')
    const readers = await startHost<object>('stream-clients')
    try {
      const { facts } = reference
      const events = scaled(10_000, scale, 50)
      const { event } = raisingAt(facts)
      const memory: number[] = []
      let exact = 0
      const through = async (base: string, raiseUrl: string, headers: Readonly<Record<string, string>>) => {
        const url = `${base.replace('http', 'ws')}/v1/events/ws`
        await readers.call('open', { url, key: facts.apiKey, clients })
        const began = performance.now()
        const [seen] = await Promise.all([
          readers.call<StreamCount>('wait', events),
          raise({ url: raiseUrl, headers, event }, events),
        ])
        const took = performance.now() - began
        if (seen.count !== events || !seen.isInOrder || !seen.isEqual)
          throw new Error(`the clients saw ${JSON.stringify(seen)} of ${events}`)
        return (events * clients) / (took / 1000)
      }
      const sides = await contest(
        {
          async reference() {
            const { url, headers } = raisingAt(facts)
            const perSecond = await through(facts.url, url, headers)
            exact++
            memory.push((await reference.use()).peakMb)
            return perSecond
          },
          plain: () => through(plain.facts.url, `${plain.facts.url}/raise`, {}),
        },
        Math.max(1, Math.floor(rounds / 2)),
      )
      const peak = sampleOf(memory.slice(1))
      return [
        {
          what: `frames: ${events.toLocaleString('en')} events to each of ${clients} clients`,
          unit: '/s',
          value: sides.reference,
          yardstick: { name: 'bare ws server, nothing stored', value: sides.plain },
          ratio: ratioOf(sides.reference, sides.plain),
          bar: { text: 'each client every event once, in order', isMet: exact === memory.length },
        },
        { what: 'peak memory of the server', unit: 'MB', value: peak, bar: atMost(limitMb, peak, ' MB') },
      ]
    } finally {
      await Promise.all([readers.close(), reference.close(), plain.close()])
    }
  },
}
