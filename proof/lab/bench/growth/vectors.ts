import { runNode } from '../child.js'
import { scaled } from '../figure.js'
import type { GrowthRow, Point } from './growth.js'

const counts = [50_000, 500_000, 5_000_000]

export const growingVectors: GrowthRow = {
  name: 'grow-vectors',
  title: 'vectors to 5 million',
  async run({ scale }) {
    const points: Point[] = []
    for (const full of counts) {
      const size = scaled(full, scale, 500)
      const words = ['bin/conformance.js', 'vectors', 'generate', '--format', 'ndjson', '--count', String(size)]
      const { cpuMs, peakMb } = await runNode(words, { measuresUse: true, isDiscarded: true })
      points.push({ size, unitUs: (cpuMs * 1000) / size, mb: peakMb })
    }
    return { name: 'vectors', size: 'vectors written', unit: 'CPU for a vector, start-up included', points }
  },
}
