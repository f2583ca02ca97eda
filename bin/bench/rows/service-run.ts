import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from '../../../harness/index.js'
import { atMost, ratioOf, sampleOf, scaled, type Row } from '../figure.js'
import { runNode } from '../child.js'

const limitSeconds = 6
const limitOfLongest = 1.5

/** A run of every service case on the reference, the control interface on. */
export const serviceRun: Row = {
  name: 'run',
  title: 'full service run on the reference, control on, every case',
  async run({ rounds, scale }) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-'))
    const file = join(folder, 'report.json')
    const [wall, cpu, longest, names, counts] = [[], [], [], [], []] as [
      number[],
      number[],
      number[],
      string[],
      number[],
    ]
    try {
      for (let round = 0; round <= rounds; round++) {
        const part = scale < 1 ? ['--shard', `1/${scaled(1 / scale, 1)}`] : []
        const words = [
          'bin/conformance.js',
          'run',
          '--reference',
          '--quiet',
          `--reporter=json=${file}`,
          '--reporter=pretty',
        ]
        const { wallMs, cpuMs } = await runNode([...words, ...part], { measuresUse: true })
        const { cases } = JSON.parse(readFileSync(file, 'utf8')) as Report
        const slowest = cases.toSorted((a, b) => b.duration_ms - a.duration_ms)[0]
        if (round === 0 || slowest === undefined) continue
        wall.push(wallMs / 1000)
        cpu.push(cpuMs / 1000)
        longest.push(slowest.duration_ms / 1000)
        names.push(slowest.id)
        counts.push(cases.filter((each) => each.status === 'passed').length)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
    const value = sampleOf(wall)
    const ratio = ratioOf(value, sampleOf(longest))
    const yardstick = { name: `its longest case (${[...new Set(names)].join(', ')})`, value: sampleOf(longest) }
    return [
      {
        what: 'wall time, start-up included',
        unit: 's',
        value,
        bar: atMost(limitSeconds, value, ' s'),
        note: `${counts[0] ?? 0} cases passed`,
      },
      { what: 'wall time', unit: 's', value, yardstick, ratio, bar: atMost(limitOfLongest, ratio, ' x') },
      { what: 'CPU time of all threads', unit: 's', value: sampleOf(cpu) },
    ]
  },
}
