import { availableParallelism } from 'node:os'
import picomatch from 'picomatch'
import { requirementIds, requirements, type RequirementId, type SubjectKind } from '../../spec/index.js'
import { catalogue } from '../run/catalogue.js'
import {
  combinations,
  randomCombination,
  variantIds,
  type ConformingTrial,
  type FalsePositive,
} from '../../proof/lab/selftest/conforming.js'
import { independentTrials, kindOf, nameOf } from '../../proof/lab/selftest/independent.js'
import type { CaseKill } from '../../proof/lab/selftest/case-kills.js'
import type { MutantResult } from '../../proof/lab/selftest/judge.js'
import { printCaseKills, printMistakes } from '../../proof/lab/selftest/matrix-queries.js'
import {
  casesBy,
  readLikelyKills,
  remembered,
  writeLikelyKills,
  type LikelyKills,
} from '../../proof/lab/selftest/likely-kills.js'
import { keepBusy } from '../../proof/lab/selftest/load.js'
import type { MutantTrial } from '../../proof/lab/selftest/mutants.js'
import { createPool, type Pool } from '../../proof/lab/selftest/pool.js'
import { mutantTrials } from '../../proof/lab/selftest/trials.js'
import { furtherViolations, killedAlone, linesOfWhole } from '../../proof/lab/selftest/whole-run-figures.js'
import type { OptionName } from '../cli/options.js'
import { subjectKinds, textFormats } from '../cli/option-values.js'
import { readSettings } from '../cli/settings.js'
import { exitCodes, oneOf, UsageError, wholeNumber } from '../cli/usage.js'
import { writeError, writeOutput } from '../cli/output.js'

/** What part of a process a trial takes: a client's waits cost nothing, a service's requests do. */
const shares: Readonly<Record<SubjectKind, number>> = {
  client: 1 / 8,
  receiver: 1 / 8,
  sender: 1 / 3,
  service: 1 / 9,
  verifier: 1 / 2,
}
/** Waits are measured, many of them at once: others in the same process would hold them up. */
const shareOfTimed = 1 / 3
const isTimed = (breaks: readonly RequirementId[]) => breaks.some((id) => id === 'CLI-016' || id === 'CLI-017')
const shareOfMutant = ({ kind, breaks }: Pick<MutantTrial, 'kind' | 'breaks'>) =>
  isTimed(breaks) ? shareOfTimed : shares[kind]
/** A whole one needs half an hour: its progress is printed this often, on standard error. */
const progressEveryMs = 30_000
/** Nearly a process of its own: its cases run side by side anyway. */
const shareOfWholeRun = 3 / 4

interface FailedTrial {
  readonly trial: ConformingTrial
  readonly subject: string
  readonly cases: readonly FalsePositive[]
}

/** `conformance selftest`: every mutant killed by a case of a requirement it names, no variant failed, no case without a kill. */
export async function selftest(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('selftest', flags)
  const number = (name: OptionName, min: number) => {
    const text = settings.text(name)
    return text === undefined ? undefined : wholeNumber(`--${name}`, text, min)
  }
  const subject = settings.text('subject')
  const kind = subject === undefined ? undefined : oneOf('--subject', subject, subjectKinds)
  const format = oneOf('--format', settings.text('format') ?? 'text', textFormats)
  const seed = wholeNumber('--seed', settings.text('seed') ?? '1', -0x80000000, 0xffffffff)
  const every = number('sample', 1) ?? 1
  const jobs = number('jobs', 1) ?? availableParallelism() + 1
  const seeds = number('seeds', 1)
  const load = number('load', 0) ?? 0
  const patterns = settings.list('mutant')
  const cases = settings.list('case')
  const isWhole = settings.isOn('full')
  const isOfKind = (trial: { readonly kind: SubjectKind }) => kind === undefined || trial.kind === kind
  const isWanted = patterns.length === 0 ? () => true : picomatch([...patterns])
  const ofKind = mutantTrials(seed).filter((trial) => isOfKind(trial) && isWanted(trial.id))
  if (ofKind.length === 0) throw new UsageError(`--mutant ${patterns.join(', ')}: matches no mutant`)
  if (settings.isOn('diff')) return printMistakes(ofKind, { isNamed: patterns.length > 0, format })
  if (cases.length > 0) {
    if (isWhole || seeds !== undefined) throw new UsageError('--case: leave out --full and --seeds')
    return printCaseKills(cases, { mutants: ofKind, jobs, seed, format, shareOf: shareOfMutant })
  }
  const isPart = every > 1 || patterns.length > 0
  const mutants = seeds === undefined ? ofKind.filter((_, index) => index % every === 0) : []
  const startedAt = performance.now()
  const print = (line: string) => (format === 'text' ? writeOutput(`${line}\n`) : true)

  if (!isPart && seeds === undefined && (kind === undefined || kind === 'service' || kind === 'client'))
    for (const reason of independentTrials().missing) print(`SKIPPED  independent ${reason}`)
  const kills = readLikelyKills()
  const expectedIds = every > 1 ? [] : patterns.length > 0 ? casesToKill() : withoutLikelyKill(kills, mutants)
  const pool = createPool(jobs)
  const stopLoad = keepBusy(load)
  const progress = setInterval(() => {
    const { given, ended } = pool.progress
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    writeError(`${ended} of ${given} trials ended (${seconds} s)\n`)
  }, progressEveryMs)
  try {
    const [firstResults, firstFailed] = await Promise.all([
      tryMutants(pool, mutants, { seed, isWhole, isAlone: false, expectedIds, kills, print }),
      tryAllConforming(pool, conformingTrials({ seed, seeds, isPart, isWhole }).filter(isOfKind)),
    ])
    const results = await confirmed(firstResults, {
      isWrong: ({ verdict }) => verdict !== 'killed',
      again: ({ id }) =>
        tryMutants(
          pool,
          mutants.filter((mutant) => mutant.id === id),
          { seed, isWhole, isAlone: true, expectedIds: [], kills, print },
        ),
      notify: describeMutant,
      print,
    })
    writeLikelyKills(remembered(results, kills, existing(seed)))
    const trials = await confirmed(firstFailed, {
      isWrong: ({ cases }) => cases.length > 0,
      again: ({ trial }) => tryAllConforming(pool, [trial]),
      notify: printFailed,
      print,
    })
    const idle =
      isPart || seeds !== undefined ? [] : await withoutKill(idleCases(results, kind), { pool, mutants, seed })
    for (const id of idle) print(`NO KILL  ${id}`)
    const unbroken = isPart || seeds !== undefined ? [] : unbrokenRequirements(results, kind)
    for (const id of unbroken) print(`NO MUTANT  ${id}  ${requirements[id].text}`)
    const killed = results.filter((result) => result.verdict === 'killed').length
    if (results.length <= mutantsShown)
      for (const result of results) if (result.verdict === 'killed') print(killedLine(result))
    const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
    const summary = {
      seed,
      seconds,
      mutants: results,
      conforming: trials.length,
      failed: trials.flatMap(({ subject, cases }) => (cases.length > 0 ? [{ subject, cases }] : [])),
      casesWithoutKill: idle,
      requirementsWithoutMutant: unbroken,
      ...(isWhole ? { killedByOneCaseAlone: killedAlone(results), furtherViolations: furtherViolations(results) } : {}),
    }
    if (format === 'json') writeOutput(`${JSON.stringify(summary, null, 2)}\n`)
    print(
      `${killed} of ${results.length} mutants killed, ${summary.failed.length} of ${trials.length} conforming subjects failed, ${idle.length} cases without a kill, ${unbroken.length} requirements without a mutant (${seconds} s)`,
    )
    if (isWhole) for (const line of linesOfWhole(results)) print(line)
    const isProved =
      killed === results.length && summary.failed.length === 0 && idle.length === 0 && unbroken.length === 0
    return isProved ? exitCodes.conformant : exitCodes.nonconformant
  } finally {
    clearInterval(progress)
    stopLoad()
    pool.close()
  }
}

/** More misjudged trials than this are not noise: the program is broken, and repeating each alone would not help. */
const maxAgain = 40

/**
 * Returns the results, with the wrong ones replaced by those of the same trial alone: with others, or on a shared machine, it may have had
 * too little time. A result that is wrong again is reported.
 */
async function confirmed<Result>(
  results: readonly Result[],
  options: {
    readonly isWrong: (result: Result) => boolean
    readonly again: (result: Result) => Promise<readonly Result[]>
    readonly notify: (result: Result) => string
    readonly print: (line: string) => unknown
  },
): Promise<readonly Result[]> {
  const { isWrong, again, notify, print } = options
  const isNoise = results.filter(isWrong).length <= maxAgain
  const believed: Result[] = []
  for (const result of results) {
    const [alone = result] = isNoise && isWrong(result) ? await again(result) : [result]
    if (isWrong(alone)) print(notify(alone))
    believed.push(alone)
  }
  return believed
}

function describeMutant({ verdict, id, breaks, title }: MutantResult): string {
  return `${verdict.toUpperCase()}  ${id}  breaks ${breaks.join(' ')}: ${title}`
}

function printFailed({ subject, trial, cases }: FailedTrial): string {
  return `FAILED  ${subject} (seed ${trial.seed})\n${cases.map(({ caseId, message }) => `  ${caseId}: ${message}`).join('\n')}`
}

/** Few enough for each to be shown with the cases that killed it. */
const mutantsShown = 10

function killedLine({ id, killedBy }: MutantResult): string {
  return `KILLED  ${id}  by ${killedBy.join(' ')}`
}

async function tryMutants(
  pool: Pool,
  mutants: readonly MutantTrial[],
  options: {
    readonly seed: number
    readonly isWhole: boolean
    readonly isAlone: boolean
    /** Cases that are tried on every mutant of their requirements until one is killed; alone, none is. */
    readonly expectedIds: readonly string[]
    readonly kills: LikelyKills
    readonly print: (line: string) => unknown
  },
): Promise<MutantResult[]> {
  const { seed, isWhole, isAlone, expectedIds, kills, print } = options
  const idle = new Set(expectedIds)
  const waitingFirst = [...mutants].sort((one, other) => Number(waitsLong(other)) - Number(waitsLong(one)))
  return Promise.all(
    waitingFirst.map(async ({ id, kind, title, breaks }) => {
      const likely = casesBy(kills, id)
      const task = () => ({ kind: 'mutant', mutant: id, seed, likely, idle: [...idle], isWhole, isAlone }) as const
      const result = await pool.run(task, shareOfMutant({ kind, breaks })).then(
        (done) => done as MutantResult,
        (error: unknown): MutantResult => {
          print(`${id}: ${error instanceof Error ? error.message : String(error)}`)
          return { id, kind, title, breaks, verdict: 'broken', killedBy: [], alsoViolates: [], durationMs: 0 }
        },
      )
      for (const id of result.killedBy) idle.delete(id)
      return result
    }),
  )
}

/** The cases and mutants that exist: others of an earlier selftest are forgotten. */
const existing = (seed: number) => ({
  cases: new Set(catalogue.map(({ id }) => id)),
  mutants: new Set<string>(mutantTrials(seed).map(({ id }) => id)),
})

const casesToKill = () => catalogue.filter(needsKill).map(({ id }) => id)

/** The cases that need a kill, and of which none of these mutants is known to be one. */
function withoutLikelyKill(kills: LikelyKills, mutants: readonly MutantTrial[]): readonly string[] {
  const mutantIds = new Set(mutants.map(({ id }) => id))
  return casesToKill().filter((id) => kills[id]?.some((mutant) => mutantIds.has(mutant)) !== true)
}

/** Of these cases those that kill no mutant of their requirements. */
async function withoutKill(
  cases: readonly string[],
  { pool, mutants, seed }: { readonly pool: Pool; readonly mutants: readonly MutantTrial[]; readonly seed: number },
): Promise<readonly string[]> {
  const kills = async (caseId: string): Promise<boolean> => {
    const ownRequirements: readonly RequirementId[] = catalogue.find(({ id }) => id === caseId)?.requirements ?? []
    for (const trial of mutants.filter(({ breaks }) => breaks.some((id) => ownRequirements.includes(id)))) {
      const task = { kind: 'case', mutant: trial.id, caseId, seed } as const
      if (((await pool.run(() => task, shareOfMutant(trial))) as CaseKill).isKilled) return true
    }
    return false
  }
  const found = await Promise.all(cases.map(async (id) => ({ id, isKilled: await kills(id) })))
  const idle: string[] = []
  // One after the other: with others a case that measures time may be too busy to judge.
  for (const { id, isKilled } of found) if (!isKilled && !(await kills(id))) idle.push(id)
  return idle
}

/** Returns the trials that must never fail: the references, and the variants, combined as the options require. */
function conformingTrials(options: {
  readonly seed: number
  readonly seeds: number | undefined
  readonly isPart: boolean
  readonly isWhole: boolean
}): ConformingTrial[] {
  const { seed, seeds, isPart, isWhole } = options
  if (seeds !== undefined)
    return Array.from({ length: seeds }, (_, index) => [
      ...subjectKinds.map((kind) => ({ kind, variants: [], seed: seed + index })),
      ...subjectKinds.map((kind) => ({ kind, variants: randomCombination(kind, seed + index), seed: seed + index })),
    ]).flat()
  if (isPart) return []
  const references = subjectKinds.filter((kind) => kind !== 'service').map((kind) => ({ kind, variants: [], seed }))
  const together = subjectKinds.flatMap((kind) =>
    combinations(kind, seed).map((variants) => ({ kind, variants, seed })),
  )
  const alone = subjectKinds.flatMap((kind) => variantIds(kind).map((id) => ({ kind, variants: [id], seed })))
  const independent = independentTrials().trials.map((trial) => ({
    kind: kindOf(trial),
    variants: [],
    seed,
    independent: trial,
  }))
  // Those in real time wait longest, so they begin first.
  return [...independent.toReversed(), ...references, ...together, ...(isWhole ? alone : [])]
}

async function tryAllConforming(pool: Pool, trials: readonly ConformingTrial[]): Promise<FailedTrial[]> {
  return Promise.all(
    trials.map(async (trial) => {
      const { kind, variants, independent } = trial
      const ofReference = variants.length === 0 ? `reference ${kind}` : variants.join(' + ')
      const subject = independent === undefined ? ofReference : nameOf(independent)
      const share = kind === 'service' || independent !== undefined ? shareOfWholeRun : shares[kind]
      const cases = await pool
        .run(() => ({ kind: 'conforming', trial }), share)
        .then(
          (done) => done as readonly FalsePositive[],
          (error: unknown) => [
            { caseId: 'not tried', message: error instanceof Error ? error.message : String(error) },
          ],
        )
      return { trial, subject, cases }
    }),
  )
}

/** Returns whether a mutant withholds frames or answers, so that cases wait as long as for a slow target: these begin first. */
function waitsLong({ kind, breaks }: MutantTrial): boolean {
  return kind === 'client' || breaks.some((id) => /^(STR|RTY)-|^(DLV-008|SCOPE-002|AUTH-003)$/.test(id))
}

/** Vectors are data: one kill of their kind speaks for all. Recorded traffic is judged for mutants of services, by a command of its own. */
function needsKill(testCase: (typeof catalogue)[number]): boolean {
  return testCase.level === 'must' && testCase.subject !== 'traffic' && !testCase.id.startsWith('verifier/vectors/')
}

/** Cases of level must that failed no mutant. */
function idleCases(results: readonly MutantResult[], kind: SubjectKind | undefined): string[] {
  const killers = new Set(results.flatMap((result) => result.killedBy))
  return catalogue
    .filter(
      (testCase) =>
        (kind === undefined || testCase.subject === kind) && needsKill(testCase) && !killers.has(testCase.id),
    )
    .map((testCase) => testCase.id)
}

/** MUST requirements that a case covers and no mutant breaks. */
function unbrokenRequirements(results: readonly MutantResult[], kind: SubjectKind | undefined): RequirementId[] {
  const broken = new Set(results.flatMap((result) => result.breaks))
  const covered = new Set(catalogue.flatMap((testCase) => testCase.requirements))
  return requirementIds.filter(
    (id) =>
      (kind === undefined || requirements[id].subject === kind) &&
      requirements[id].level === 'must' &&
      covered.has(id) &&
      !broken.has(id),
  )
}
