// `npm run lab -- attack`: the campaign with the figures of ATTACKS.md. Ends within its time limit.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import picomatch from 'picomatch'
import { startReferenceServer } from '../../../reference/server/index.js'
import { packageFolder } from '../../../bin/cli/package.js'
import { isWithinLimits, pageOf, type AttackTrial } from './page.js'
import { randomTrials } from './random-targets.js'
import { runTests, suitesOf, type SuiteEnd } from './suites.js'
import { trialsOn, type Trial } from './targets.js'

const usage = `usage: npm run lab -- attack [--minutes <n>] [--kills <n>] [--inputs <n>] [--random <n>] [--only <glob>] [--jobs <n>] [--page]
  --minutes <n>   trials that have not begun by then are reported as not tried (default 30)
  --kills <n>     runs that are killed (default 100)
  --inputs <n>    random inputs for each parser (default 10000)
  --random <n>    targets whose answers are composed at random, by seeds from 1 (default 200)
  --only <glob>   hostile targets by kind and name, such as 'stream/*' or 'random service/17'; no other test then
  --jobs <n>      concurrent targets (default 2)
  --page          replaces the figures in ATTACKS.md by those of this run`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    kills: { type: 'string', default: '100' },
    inputs: { type: 'string', default: '10000' },
    random: { type: 'string', default: '200' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const deadline = performance.now() + Number(values.minutes) * 60_000
const print = (line: string) => process.stdout.write(`${line}\n`)

async function attackTargets(): Promise<readonly AttackTrial[]> {
  const reference = await startReferenceServer({ control: true })
  const isWanted = values.only === undefined ? () => true : picomatch(values.only)
  const limit = pLimit(Number(values.jobs))
  const trials = [...trialsOn(reference), ...randomTrials(Number(values.random))]
  const running = inTurn(trials)
    .filter(({ kind, name }) => isWanted(`${kind}/${name}`))
    .map(({ kind, name, run }) =>
      limit(async (): Promise<AttackTrial> => {
        if (performance.now() > deadline) return { kind, name, end: undefined }
        const end = await run()
        const problem = end.problem === undefined ? '' : `, ${end.problem}`
        const figures = `exit ${end.code}, ${(end.durationMs / 1_000).toFixed(1)} s, ${end.peakMb} MB${problem}`
        print(`${kind}/${name}: ${figures}${isWithinLimits(end) ? '' : '  NOT HELD'}`)
        return { kind, name, end }
      }),
    )
  const all = await Promise.all(running)
  await reference.close()
  return all.toSorted((a, b) => a.kind.localeCompare(b.kind))
}

/** Orders trials so that each kind gets the same share of the time. */
function inTurn(trials: readonly Trial[]): readonly Trial[] {
  const places = new Map<string, number>()
  const placed = trials.map((trial) => {
    const place = places.get(trial.kind) ?? 0
    places.set(trial.kind, place + 1)
    return { trial, place }
  })
  return placed.toSorted((a, b) => a.place - b.place).map(({ trial }) => trial)
}

async function attackBySuites(): Promise<readonly SuiteEnd[]> {
  const suites: SuiteEnd[] = []
  const requested = suitesOf({ kills: Number(values.kills), inputs: Number(values.inputs) })
  for (const suite of values.only === undefined ? requested : []) {
    if (performance.now() > deadline) {
      suites.push({ title: `${suite.title} (not tried: no time was left)`, tests: 0, failed: 0, seconds: 0 })
      continue
    }
    const end = await runTests(suite)
    print(`${end.title}: ${end.tests - end.failed} of ${end.tests} tests, ${end.seconds} s`)
    suites.push(end)
  }
  return suites
}

async function attack(): Promise<number> {
  const [trials, suites] = await Promise.all([attackTargets(), attackBySuites()])
  if (values.page) writePage(pageOf(trials, suites, placeAndTime()))
  const bad = trials.filter(({ end }) => end !== undefined && !isWithinLimits(end)).length
  const failed = suites.reduce((sum, suite) => sum + suite.failed, 0)
  print(`${bad} of ${trials.length} hostile targets were not held; ${failed} tests failed`)
  return bad + failed === 0 ? 0 : 1
}

/** The figures go between the marks of the page. */
function writePage(figures: string): void {
  const path = join(packageFolder(), 'ATTACKS.md')
  const [before = '', rest = ''] = readFileSync(path, 'utf8').split(/(?<=<!-- figures: [^>]*-->\n)/)
  const end = rest.slice(rest.indexOf('<!-- end of figures -->'))
  writeFileSync(path, `${before}\n${figures}\n\n${end}`)
}

function placeAndTime(): string {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: packageFolder(), encoding: 'utf8' }).trim()
  return `${new Date().toISOString().slice(0, 10)} at commit ${git('rev-parse', '--short', 'HEAD')}, Node ${process.version}`
}

if (values.help) print(usage)
else process.exitCode = await attack()
