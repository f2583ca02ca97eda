import { farRun } from '../far-run.js'
import { atMost, ratioOf, sampleOf, type Figure, type Row } from '../figure.js'

const distancesMs = [50, 200]
const limitTimes = 2

/** The full run where every answer takes its time on the line. */
export const far: Row = {
  name: 'far',
  title: 'full service run, the target so far away',
  async run({ scale }) {
    const near = await farRun(0, { scale })
    const figures: Figure[] = []
    for (const ms of distancesMs) {
      const run = await farRun(ms, { scale })
      const value = sampleOf([run.wallMs / 1000])
      const least = sampleOf([(near.wallMs + run.chain.ms) / 1000])
      const ratio = ratioOf(value, least)
      figures.push({
        what: `${ms} ms away, wall time`,
        unit: 's',
        value,
        yardstick: { name: `the run at 0 ms, and the answers of its longest case (${run.chain.id})`, value: least },
        ratio,
        bar: atMost(limitTimes, ratio, ' x'),
        note: `${run.passed} cases passed`,
      })
      figures.push({ what: `${ms} ms away, CPU time`, unit: 's', value: sampleOf([run.cpuMs / 1000]) })
    }
    return figures
  },
}
