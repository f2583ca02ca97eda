import { farRun } from '../far-run.js'
import type { GrowthRow, Point } from './growth.js'

const distancesMs = [1, 20, 50, 100, 200]
const runCounts = [1, 4, 16]

export const growingDistance: GrowthRow = {
  name: 'grow-distance',
  title: 'milliseconds to the target: 1 to 200',
  async run({ scale }) {
    const points: Point[] = []
    for (const ms of distancesMs) {
      const { wallMs, peakMb } = await farRun(ms, { scale })
      points.push({ size: ms, unitUs: wallMs * 1000, mb: peakMb })
    }
    return { name: 'distance', size: 'milliseconds to the target', unit: 'wall time of a full run', points }
  },
}

export const growingRuns: GrowthRow = {
  name: 'grow-runs',
  title: 'runs of each property: 1, 4, 16',
  async run({ scale }) {
    const points: Point[] = []
    for (const runs of runCounts) {
      const { wallMs, peakMb } = await farRun(0, { scale, more: ['--runs', String(runs)] })
      points.push({ size: runs, unitUs: wallMs * 1000, mb: peakMb })
    }
    return { name: 'runs', size: 'runs of each property', unit: 'wall time of a full run', points }
  },
}
