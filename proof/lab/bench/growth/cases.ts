import { runNode } from '../child.js'
import { fileURLToPath } from 'node:url'
import type { GrowthRow, Point } from './growth.js'

const factors = [1, 3, 10]

export const growingCases: GrowthRow = {
  name: 'grow-cases',
  title: 'cases x1, x3, x10',
  async run({ scale }) {
    const points: Point[] = []
    const probe = fileURLToPath(new URL('../probes/cases-times.js', import.meta.url))
    for (const factor of factors) {
      const { cpuMs, peakMb, output } = await runNode([probe, String(factor), String(scale)], { measuresUse: true })
      const size = Number(output)
      points.push({ size, unitUs: (cpuMs * 1000) / size, mb: peakMb })
    }
    return {
      name: 'cases',
      size: 'cases of one run',
      unit: 'CPU of all threads for a case, reference included',
      points,
    }
  },
}
