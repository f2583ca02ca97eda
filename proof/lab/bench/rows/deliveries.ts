import { atLeast, atMost, contest, ratioOf, sampleOf, scaled, type Row } from '../figure.js'
import { startHost } from '../child.js'
import type { ReferenceFacts } from '../hosts/reference.js'
import { allowSink, createWebhooks, type SinkFacts, type SinkCount } from '../sink.js'
import { raiseEvents, raisingAt } from '../raise.js'

const limitOfBare = 0.3
/** The server's own memory: code, store and deliveries in flight. */
const limitMb = 400
const webhookCount = 10

/** Signed TLS deliveries, from the first event raised to the last delivery taken. */
export const deliveries: Row = {
  name: 'deliveries',
  title: 'reference server, deliveries',
  async run({ rounds, scale }) {
    const reference = await startHost<ReferenceFacts>('reference')
    const sink = await startHost<SinkFacts>('tls-sink')
    const plain = await startHost<{ secret: string }>('plain-sender', sink.facts)
    try {
      await allowSink(reference.facts, sink.facts)
      const secrets = await createWebhooks(reference.facts, sink.facts, webhookCount)
      const count = scaled(10_000, scale, 100)
      const { event } = raisingAt(reference.facts)
      const body = JSON.stringify({ id: `evt_${'0'.repeat(26)}`, timestamp: new Date().toISOString(), ...event })
      const notes = new Set<string>()
      const memory: number[] = []
      const cpu: number[] = []
      const measured = async (secretsOfSide: Readonly<Record<string, string>>, send: () => Promise<unknown>) => {
        await sink.call('expect', { secrets: secretsOfSide, count })
        const began = performance.now()
        const [taken] = await Promise.all([sink.call<SinkCount>('wait'), send()])
        const took = performance.now() - began
        if (taken.count !== count || taken.repeated > 0 || taken.wrong > 0)
          throw new Error(`the sink counts ${JSON.stringify(taken)} of ${count}`)
        return { perSecond: count / (took / 1000), taken }
      }
      const sides = await contest(
        {
          async reference() {
            const before = (await reference.use()).cpuMs
            const { perSecond, taken } = await measured(secrets, () =>
              raiseEvents(reference.facts, count / webhookCount),
            )
            notes.add(`${taken.connections} connections, ${taken.resumed} of them resumed a session`)
            const used = await reference.use()
            memory.push(used.peakMb)
            cpu.push(((used.cpuMs - before) * 1000) / count)
            return perSecond
          },
          async plain() {
            const paths = Object.keys(secrets)
            const own = Object.fromEntries(paths.map((path) => [path, plain.facts.secret]))
            return (await measured(own, () => plain.call('send', { paths, body, count }))).perSecond
          },
        },
        rounds,
      )
      const peak = sampleOf(memory.slice(1))
      const ratio = ratioOf(sides.reference, sides.plain)
      return [
        {
          what: `${count.toLocaleString('en')} deliveries to ${webhookCount} webhooks, each once`,
          unit: '/s',
          value: sides.reference,
          yardstick: { name: 'node:crypto and one undici pool', value: sides.plain },
          ratio,
          bar: atLeast(limitOfBare, ratio, ' of it'),
          note: [...notes].at(-1) ?? '',
        },
        {
          what: 'CPU time of the server for a delivery, its share of the event included',
          unit: 'us',
          value: sampleOf(cpu.slice(1)),
        },
        { what: 'peak memory of the server', unit: 'MB', value: peak, bar: atMost(limitMb, peak, ' MB') },
      ]
    } finally {
      await Promise.all([reference.close(), plain.close(), sink.close()])
    }
  },
}
