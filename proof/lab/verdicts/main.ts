// `npm run lab -- verdicts`: draws mutants at random, runs the command on each, and compares the sentence that it prints first with the one
// that the mutant breaks.
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import picomatch from 'picomatch'
import { writeOutput } from '../../../bin/cli/output.js'
import { mutants, type AnyMutant } from '../../mutants/index.js'
import { isFirst, timedRun, type TimedRun } from './timed-run.js'

const usage = `usage: npm run lab -- verdicts [--sample <n>] [--seed <n>] [--mutant <glob>]…
  --sample <n>     mutants drawn at random (default 100)
  --seed <n>       the draw (default 1)
  --mutant <glob>  draw only from these
`

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    mutant: { type: 'string', multiple: true, default: ['**'] },
    help: { type: 'boolean', default: false },
  },
})

/** Lines after the progress, without `--verbose`. */
const maxLines = 60
/** Of 100 runs. */
const leastPercent = 95

function drawn(): readonly AnyMutant[] {
  const place = ({ id }: AnyMutant) => createHash('sha256').update(`${values.seed} ${id}`).digest('hex')
  return mutants
    .filter(({ id }) => picomatch.isMatch(id, values.mutant))
    .map((mutant) => ({ mutant, at: place(mutant) }))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, Number(values.sample))
    .map(({ mutant }) => mutant)
}

function line(mutant: AnyMutant, run: TimedRun): string {
  const { seconds, cpuSeconds, firstFailureSeconds, lines, firstCause, cases } = run
  const times = `${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, first failure ${firstFailureSeconds.toFixed(1)} s`
  const first = `${mutant.id}  ${lines} lines, ${times}; ${cases}\n`
  if (isFirst(mutant, run)) return `named    ${first}`
  return `OTHER    ${first}         breaks ${mutant.breaks.join(', ')}: ${mutant.title}\n         printed ${firstCause?.requirement ?? 'no sentence'}: ${firstCause?.text ?? 'no cause'}\n`
}

async function main(): Promise<void> {
  const all: { readonly mutant: AnyMutant; readonly run: TimedRun }[] = []
  for (const mutant of drawn()) {
    const run = await timedRun(mutant.id)
    all.push({ mutant, run })
    writeOutput(line(mutant, run))
  }
  const share = (count: number) => `${count} of ${all.length}`
  const named = all.filter(({ mutant, run }) => isFirst(mutant, run)).length
  const short = all.filter(({ run }) => run.lines <= maxLines).length
  writeOutput(`the broken sentence is first in ${share(named)}; at most ${maxLines} lines in ${share(short)}\n`)
  if (Math.min(named, short) * 100 < leastPercent * all.length) process.exitCode = 1
}

if (values.help) writeOutput(usage)
else await main()
