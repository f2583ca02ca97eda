import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseResult, Report } from '../../../../harness/index.js'
import { bareExchanges } from '../bare-exchanges.js'
import { runNode } from '../child.js'
import { farRun } from '../far-run.js'
import { atMost, contest, ratioOf, sampleOf, scaled, type Row } from '../figure.js'

const limitOfBare = 3
const limitOfLongest = 1.5
const limitMb = 400

/** A run of every service case on the reference, the control interface on, compared with the same exchanges without checks. */
export const serviceRun: Row = {
  name: 'run',
  title: 'full service run on the reference, control on, every case',
  async run({ rounds, scale }) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-'))
    const file = join(folder, 'report.json')
    const part = scale < 1 ? ['--shard', `1/${scaled(1 / scale, 1)}`] : []
    const outputs = [`--reporter=json=${file}`, '--reporter=pretty']
    const words = ['bin/conformance.js', 'run', '--reference', '--quiet', ...outputs, ...part]
    const runs: { cpuSeconds: number; peakMb: number; longest: CaseResult | undefined; passed: number }[] = []
    const { exchanges } = await farRun(0, { scale })
    const bare = await bareExchanges(exchanges)
    try {
      const sides = await contest(
        {
          async run() {
            const { wallMs, cpuMs, peakMb } = await runNode(words, { measuresUse: true })
            const { cases } = JSON.parse(readFileSync(file, 'utf8')) as Report
            const [longest] = cases.toSorted((a, b) => b.duration_ms - a.duration_ms)
            const passed = cases.filter((result) => result.status === 'passed').length
            runs.push({ cpuSeconds: cpuMs / 1000, peakMb, longest, passed })
            return wallMs / 1000
          },
          bare: async () => (await bare.make()) / 1000,
        },
        rounds,
      )
      const counted = runs.slice(1)
      const value = sides.run
      const longest = sampleOf(counted.map((run) => (run.longest?.duration_ms ?? Number.NaN) / 1000))
      const memory = sampleOf(counted.map((run) => run.peakMb))
      const [ofBare, ofLongest] = [ratioOf(value, sides.bare), ratioOf(value, longest)]
      const { requests, deliveries, deliveryConnections } = exchanges
      const names = [...new Set(counted.map((run) => run.longest?.id ?? ''))].join(', ')
      return [
        {
          what: 'wall time, start-up included',
          unit: 's',
          value,
          yardstick: {
            name: `${requests.toLocaleString('en')} requests by an undici client, and ${deliveries.toLocaleString('en')} deliveries over ${deliveryConnections.toLocaleString('en')} connections to a TLS sink`,
            value: sides.bare,
          },
          ratio: ofBare,
          bar: atMost(limitOfBare, ofBare, ' x'),
          note: `${counted[0]?.passed ?? 0} cases passed`,
        },
        {
          what: 'wall time',
          unit: 's',
          value,
          yardstick: { name: `its longest case (${names})`, value: longest },
          ratio: ofLongest,
          bar: atMost(limitOfLongest, ofLongest, ' x'),
        },
        { what: 'CPU time of all threads', unit: 's', value: sampleOf(counted.map((run) => run.cpuSeconds)) },
        { what: 'peak memory', unit: 'MB', value: memory, bar: atMost(limitMb, memory, ' MB') },
      ]
    } finally {
      await bare.close()
      rmSync(folder, { recursive: true })
    }
  },
}
