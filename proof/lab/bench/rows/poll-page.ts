import { request } from 'undici'
import { atLeast, contest, mapped, ratioOf, scaled, type Row } from '../figure.js'
import { startHost, type Host } from '../child.js'
import { flood } from '../flood.js'
import type { ReferenceFacts } from '../hosts/reference.js'
import { raiseEvents } from '../raise.js'

const limit = 0.5
const pageSize = 50

/** A page of 50 events, compared with a bare hono route that answers with the same bytes. */
export const pollPage: Row = {
  name: 'poll',
  title: 'reference server, poll page of 50',
  async run({ rounds, scale }) {
    const reference = await startHost<ReferenceFacts>('reference')
    const { url, apiKey } = reference.facts
    await raiseEvents(reference.facts, pageSize)
    const headers = { authorization: `Bearer ${apiKey}` }
    const answer = await request(`${url}/v1/events`, { headers })
    const body = await answer.body.text()
    const plain = await startHost<{ url: string }>('hono-route', { body })
    try {
      const count = scaled(8_000, scale, 100)
      const cpu: Record<string, number[]> = { reference: [], plain: [] }
      const load = (name: string, host: Host<{ url: string }>) => async () => {
        const before = (await host.use()).cpuMs
        const took = await flood({
          url: host.facts.url,
          path: '/v1/events',
          headers,
          count,
          bytes: Buffer.byteLength(body),
        })
        cpu[name]?.push(((await host.use()).cpuMs - before) / count)
        return count / (took / 1000)
      }
      const sides = await contest({ reference: load('reference', reference), plain: load('plain', plain) }, rounds * 2)
      const ratio = ratioOf(sides.reference, sides.plain)
      const per = (name: string) => mapped({ ...sides.plain, values: (cpu[name] ?? []).slice(1) }, (ms) => ms * 1000)
      const [ours, theirs] = [per('reference'), per('plain')]
      const cpuRatio = ratioOf(theirs, ours)
      return [
        {
          what: `pages of ${pageSize} (${body.length.toLocaleString('en')} bytes)`,
          unit: '/s',
          value: sides.reference,
          yardstick: { name: 'bare hono route', value: sides.plain },
          ratio,
          bar: atLeast(limit, ratio, ' of it'),
        },
        {
          what: 'CPU time of the server for a page',
          unit: 'us',
          value: ours,
          yardstick: { name: 'bare hono route', value: theirs },
          ratio: cpuRatio,
          bar: atLeast(limit, cpuRatio, ' of it'),
        },
      ]
    } finally {
      await reference.close()
      await plain.close()
    }
  },
}
