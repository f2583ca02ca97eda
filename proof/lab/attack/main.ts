// `npm run lab -- attack`: the campaign with the figures of ATTACKS.md. Ends within its time limit.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import picomatch from 'picomatch'
import { startReferenceServer } from '../../../reference/server/index.js'
import { packageFolder } from '../../../bin/cli/package.js'
import { hasHeld, pageOf, type AttackTrial } from './page.js'
import { runTests, suitesOf, type SuiteEnd } from './suites.js'
import { trialsOn } from './targets.js'

const usage = `usage: npm run lab -- attack [--minutes <n>] [--kills <n>] [--inputs <n>] [--only <glob>] [--jobs <n>] [--page]
  --minutes <n>   what is not begun by then is told as not tried (default 30)
  --kills <n>     runs that are killed (default 100)
  --inputs <n>    random inputs for each parser (default 10000)
  --only <glob>   hostile targets by kind and name, such as 'stream/*'; no other test then
  --jobs <n>      targets side by side (default 2)
  --page          the figures in ATTACKS.md are replaced by those of this run`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    kills: { type: 'string', default: '100' },
    inputs: { type: 'string', default: '10000' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const deadline = performance.now() + Number(values.minutes) * 60_000
const say = (line: string) => process.stdout.write(`${line}\n`)

async function attackTargets(): Promise<readonly AttackTrial[]> {
  const reference = await startReferenceServer({ control: true })
  const isWanted = values.only === undefined ? () => true : picomatch(values.only)
  const limit = pLimit(Number(values.jobs))
  const told = trialsOn(reference)
    .filter(({ kind, name }) => isWanted(`${kind}/${name}`))
    .map(({ kind, name, run }) =>
      limit(async (): Promise<AttackTrial> => {
        if (performance.now() > deadline) return { kind, name, end: undefined }
        const end = await run()
        const figures = `exit ${end.code}, ${(end.durationMs / 1_000).toFixed(1)} s, ${end.peakMb} MB`
        say(`${kind}/${name}: ${figures}${hasHeld(end) ? '' : '  NOT HELD'}`)
        return { kind, name, end }
      }),
    )
  const all = await Promise.all(told)
  await reference.close()
  return all.toSorted((a, b) => a.kind.localeCompare(b.kind))
}

async function attackBySuites(): Promise<readonly SuiteEnd[]> {
  const suites: SuiteEnd[] = []
  const asked = suitesOf({ kills: Number(values.kills), inputs: Number(values.inputs) })
  for (const suite of values.only === undefined ? asked : []) {
    if (performance.now() > deadline) {
      suites.push({ title: `${suite.title} (not tried: no time was left)`, tests: 0, failed: 0, seconds: 0 })
      continue
    }
    const end = await runTests(suite)
    say(`${end.title}: ${end.tests - end.failed} of ${end.tests} tests, ${end.seconds} s`)
    suites.push(end)
  }
  return suites
}

async function attack(): Promise<number> {
  const [trials, suites] = await Promise.all([attackTargets(), attackBySuites()])
  if (values.page) writePage(pageOf(trials, suites, placeAndTime()))
  const bad = trials.filter(({ end }) => end !== undefined && !hasHeld(end)).length
  const failed = suites.reduce((sum, suite) => sum + suite.failed, 0)
  say(`${bad} of ${trials.length} hostile targets were not held; ${failed} tests failed`)
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

if (values.help) say(usage)
else process.exitCode = await attack()
