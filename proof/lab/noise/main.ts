// `npm run lab -- noise`: puts each disturbance between the kit and services that are right, and holds that nothing is failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import picomatch from 'picomatch'
import type { Report } from '../../../harness/index.js'
import { freePort } from '../../../harness/webhook-sink.js'
import { keepBusy } from '../selftest/load.js'
import { disturbances, type Disturbance } from './disturbances.js'
import { startObserver } from './observed.js'
import { startProxy } from './proxy.js'
import { runKit, subjects, trust, type Subject } from './subjects.js'
import { outcomeOf, textTable, type Cell } from './table.js'

const usage = `usage: npm run lab -- noise [--short] [--disturbance <glob>]… [--subject <glob>]… [--case <glob>]… [--seed <n>] [--jobs <n>] [--sample <n>] [--observed]
  --short          each disturbance on one subject, with a part of the cases
  --sample <n>     combinations of variants (default 2, with --short 1)
  --jobs <n>       runs side by side (default 2; runs among busy processes are always alone)
  --observed       conformance observe is before each subject: it, its capture and a HAR must show no failure`

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    disturbance: { type: 'string', multiple: true, default: ['*'] },
    subject: { type: 'string', multiple: true, default: ['*'] },
    case: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    jobs: { type: 'string', default: '2' },
    sample: { type: 'string' },
    observed: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** The short form runs every third case, and under the slow disturbances every eighth. */
const shortShards = { usual: 3, slow: 8 } as const
const seed = Number(values.seed)
const folder = mkdtempSync(join(tmpdir(), 'noise-'))

interface Trial {
  readonly disturbance: Disturbance
  readonly subject: Subject
  readonly arguments: readonly string[]
}

function plan(): readonly Trial[] {
  const all = subjects(seed, Number(values.sample ?? (values.short ? 1 : 2))).filter(({ id }) =>
    picomatch(values.subject)(id),
  )
  for (const { id, missing } of all) if (missing !== undefined) process.stdout.write(`${id}: skipped, ${missing}\n`)
  for (const { id, parts } of all) if (parts.length > 0) process.stdout.write(`${id}: ${parts.join(' ')}\n`)
  const able = all.filter(({ missing }) => missing === undefined)
  const wanted = disturbances.filter(
    // A disturbance before the sink cannot be combined with the observer's gateway.
    ({ id, startIntermediary }) =>
      picomatch(values.disturbance)(id) && !(values.observed && startIntermediary !== undefined),
  )
  const cases = values.case.flatMap((id) => ['--case', id])
  return wanted.flatMap((disturbance, index) => {
    const rotated = able[(seed + index) % able.length]
    const chosen = values.short ? (rotated === undefined ? [] : [rotated]) : able
    const shards = shortShards[disturbance.isSlow === true ? 'slow' : 'usual']
    // Another part with each, so that all together run nearly everything.
    const shard = values.short ? ['--shard', `${((seed + index) % shards) + 1}/${shards}`] : []
    return chosen.map((subject) => ({ disturbance, subject, arguments: [...cases, ...shard] }))
  })
}

async function attempt({ disturbance, subject, arguments: more }: Trial): Promise<Cell> {
  const name = `${disturbance.id}-${subject.id}`
  const report = join(folder, `${name}.json`)
  const har = join(folder, `${name}.har`)
  const startedAt = performance.now()
  const service = await subject.start()
  const noise = disturbance.start({ url: service.facts.url }, seed)
  const proxy = await startProxy({ url: service.facts.url }, noise)
  const port = await freePort()
  const way = await disturbance.startIntermediary?.({ port })
  if (way?.ca !== undefined) await trust(service.facts, way.ca)
  const observer = values.observed ? await startObserver(proxy.url, folder, name) : undefined
  if (observer !== undefined) await trust(service.facts, observer.ca)
  const ofWay = way && { listen: `127.0.0.1:${port}`, public_url: `https://127.0.0.1:${way.port}/` }
  const stopBusy = keepBusy(disturbance.busyProcesses ?? 0)
  try {
    const { code, stderr } = await runKit(service, observer?.url ?? proxy.url, {
      report,
      seed,
      receiver: observer?.receiver ?? ofWay,
      arguments: observer === undefined ? more : [...more, '--reporter', `har=${har}`],
    })
    const observed = await observer?.end(har)
    const seconds = (performance.now() - startedAt) / 1_000
    const hits = noise.hits() + (way?.hits() ?? 0)
    const place = {
      disturbance: disturbance.id,
      subject: subject.id,
      hits,
      seconds,
      code,
      ...(observed === undefined ? {} : { observed }),
    }
    const results = readReport(report)
    const stderrText = stderr.trim()
    return results === undefined
      ? { ...place, problem: stderrText }
      : { ...place, results, ...(code === 3 ? { stderrText } : {}) }
  } finally {
    stopBusy()
    observer?.kill()
    await proxy.close()
    await way?.close()
    await service.close()
  }
}

function readReport(path: string): Report['cases'] | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Report).cases
  } catch {
    return undefined
  }
}

function tell(cell: Cell): void {
  const { disturbance, subject, results = [], problem, stderrText, hits, seconds, code, observed = [] } = cell
  const count = (outcome: string) => results.filter((result) => outcomeOf(result) === outcome).length
  const sums = `${count('passed')} passed, ${count('failed')} failed, ${count('errored')} errored, ${count('skipped')} skipped`
  process.stdout.write(
    `${disturbance} ${subject}: ${problem ?? sums} (struck ${hits} times, ${seconds.toFixed(0)} s, exit ${code})\n`,
  )
  for (const line of observed) process.stdout.write(`  OBSERVED ${line}\n`)
  if (stderrText !== undefined && stderrText !== '') process.stdout.write(`  ${stderrText}\n`)
  for (const { id, message, reason, ...result } of results)
    if (result.status === 'failed' || result.status === 'errored')
      process.stdout.write(
        `  ${outcomeOf(result).toUpperCase()} ${id}: ${(message ?? reason ?? '').split('\n')[0] ?? ''}\n`,
      )
}

async function run(): Promise<number> {
  process.stdout.write(`seed ${seed}\n`)
  const trials = plan()
  if (trials.length === 0) throw new Error('no disturbance or no subject of this name')
  const limit = pLimit(Number(values.jobs))
  const go = async (trial: Trial) => {
    const cell = await attempt(trial)
    tell(cell)
    return cell
  }
  const isLoud = ({ disturbance }: Trial) => (disturbance.busyProcesses ?? 0) > 0
  const cells = await Promise.all(trials.filter((trial) => !isLoud(trial)).map((trial) => limit(go, trial)))
  for (const trial of trials.filter(isLoud)) cells.push(await go(trial))
  process.stdout.write(`\n${textTable(disturbances, cells)}\n`)
  const wrong = cells.filter(
    ({ results, observed = [] }) =>
      observed.length > 0 || (results?.some((result) => outcomeOf(result) === 'failed') ?? true),
  )
  process.stdout.write(
    wrong.length === 0
      ? `Nothing was failed in ${cells.length} runs (seed ${seed}).\n`
      : `${wrong.length} of ${cells.length} runs failed a case or gave no report (seed ${seed}).\n`,
  )
  return wrong.length === 0 ? 0 : 1
}

if (values.help) process.stdout.write(`${usage}\n`)
else
  try {
    process.exitCode = await run()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
