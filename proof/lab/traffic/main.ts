// `npm run lab -- traffic`: counts the mutants of the reference server that passing traffic shows, and the false positives on correct
// services.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import picomatch from 'picomatch'
import { serverMutants } from '../../mutants/index.js'
import { trafficCases } from '../../../suites/traffic/index.js'
import { combinations } from '../selftest/conforming.js'
import { createPool } from '../selftest/pool.js'
import type { TrafficResult, TrafficTrial } from '../selftest/traffic.js'
import { figures, refreshPage, type Conforming, type Shown } from './figures.js'

const usage = `npm run lab -- traffic [--mutant <glob>… --sample n --jobs n --seed n --page]

  --mutant   mutants to run: an id or a glob; no conforming services then
  --sample   every n-th mutant only
  --jobs     processes (default: one for each core)
  --seed     seed of the random data (default 1)
  --page     write the figures into bin/observe/README.md
`

const { values } = parseArgs({
  options: {
    mutant: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string', default: '1' },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Parts of a process that a trial takes: those with every case nearly all of it. */
const shares = { mutant: 1 / 3, whole: 3 / 4 } as const
const seed = Number(values.seed)
const spoken = new Set(trafficCases.flatMap((testCase) => testCase.requirements))

async function main(): Promise<void> {
  const numbers = [values.sample, values.jobs, values.seed].map(Number)
  if (values.help || numbers.some((count) => !Number.isInteger(count) || count < 1)) {
    process.stderr.write(usage)
    process.exitCode = values.help ? 0 : 2
    return
  }
  const isWanted = values.mutant.length === 0 ? () => true : picomatch(values.mutant)
  const shown = serverMutants.filter(({ breaks }) => breaks.some((id) => spoken.has(id)))
  const mutants = shown.filter(({ id }, index) => isWanted(id) && index % Number(values.sample) === 0)
  const pool = createPool(Number(values.jobs))
  const watch = (trial: TrafficTrial, share: number) =>
    pool.run(() => ({ kind: 'traffic', trial, seed }), share) as Promise<TrafficResult>
  try {
    const groups = values.mutant.length > 0 ? [] : [[], ...combinations('service', seed)]
    const [results, conforming] = await Promise.all([
      Promise.all(
        mutants.map(async ({ id, breaks }): Promise<Shown> => {
          const { found } = await watch({ mutant: id }, shares.mutant)
          return { id, breaks, found }
        }),
      ),
      Promise.all(
        groups.map(async (variants, index): Promise<Conforming> => {
          const { found, failed, failure } = await watch({ variants }, shares.whole)
          return {
            name: variants.length === 0 ? 'the reference' : `${variants.length} variants (${index})`,
            found,
            failed,
            failure,
          }
        }),
      ),
    ])
    const all = { mutants: results, unspoken: serverMutants.length - shown.length, conforming }
    process.stdout.write(figures(all))
    if (values.page) refreshPage(all, Number(values.sample))
    if (conforming.some(({ found, failure }) => found.length > 0 || failure !== undefined)) process.exitCode = 1
  } finally {
    pool.close()
  }
}

await main()
