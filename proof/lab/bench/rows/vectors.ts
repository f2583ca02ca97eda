import { createHmac, randomBytes } from 'node:crypto'
import { atLeast, atMost, contest, ratioOf, sampleOf, scaled, type Row } from '../figure.js'
import { runNode } from '../child.js'

const limitOfMacs = 0.5
const limitMb = 150

/** Vectors as lines, start-up included, compared with the MACs alone. */
export const vectors: Row = {
  name: 'vectors',
  title: 'vectors generate, ndjson',
  async run({ rounds, scale }) {
    const count = scaled(600_000, scale, 1000)
    const peaks: number[] = []
    const cpu: number[] = []
    const sides = await contest(
      {
        async kit() {
          const words = ['vectors', 'generate', '--format', 'ndjson', '--count', String(count)]
          const { wallMs, cpuMs, peakMb } = await runNode(['bin/conformance.js', ...words], {
            measuresUse: true,
            isDiscarded: true,
          })
          peaks.push(peakMb)
          cpu.push((cpuMs * 1000) / count)
          return count / (wallMs / 1000)
        },
        bare: () => macsPerSecond(count),
      },
      rounds,
    )
    const memory = sampleOf(peaks.slice(1))
    const ratio = ratioOf(sides.kit, sides.bare)
    return [
      {
        what: `${count.toLocaleString('en')} vectors, start-up included`,
        unit: '/s',
        value: sides.kit,
        yardstick: { name: 'the MACs alone, bare node:crypto', value: sides.bare },
        ratio,
        bar: atLeast(limitOfMacs, ratio, ' of it'),
      },
      { what: 'CPU time for a vector', unit: 'us', value: sampleOf(cpu.slice(1)) },
      { what: 'peak memory', unit: 'MB', value: memory, bar: atMost(limitMb, memory, ' MB') },
    ]
  },
}

function macsPerSecond(count: number): number {
  const key = randomBytes(40)
  const body = randomBytes(180)
  let length = 0
  const began = performance.now()
  for (let index = 0; index < count; index++)
    length += createHmac('sha256', key).update(`evt_${index}.1700000000.`).update(body).digest('base64').length
  if (length !== count * 44) throw new Error('a MAC was missing')
  return count / ((performance.now() - began) / 1000)
}
