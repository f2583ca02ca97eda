import { availableParallelism } from 'node:os'
import picomatch from 'picomatch'
import { requirementIds, requirements, type RequirementId, type SubjectKind } from '../../spec/index.js'
import { catalogue, subjectKind, subjectKinds } from '../catalogue.js'
import {
  combinations,
  randomCombination,
  variantIds,
  type ConformingTrial,
  type Conviction,
} from '../selftest/conforming.js'
import type { MutantResult } from '../selftest/judge.js'
import { keepBusy } from '../selftest/load.js'
import type { MutantTrial } from '../selftest/mutants.js'
import { createPool, type Pool } from '../selftest/pool.js'
import { mutantTrials } from '../selftest/trials.js'
import { exitCodes, UsageError, wholeNumber } from '../usage.js'

/** What part of a process a trial takes: a client's waits cost nothing, a service's requests do. */
const shares: Readonly<Record<SubjectKind, number>> = {
  client: 1 / 8,
  receiver: 1 / 8,
  service: 1 / 9,
  verifier: 1 / 2,
}
/** Waits are measured, many of them at once: others in the same process would hold them up. */
const shareOfTimed = 1 / 3
const isTimed = (breaks: readonly RequirementId[]) => breaks.some((id) => id === 'CLI-016' || id === 'CLI-017')
/** Nearly a process of its own: its cases run side by side anyway. */
const shareOfWholeRun = 3 / 4

interface Convicted {
  readonly subject: string
  readonly cases: readonly Conviction[]
}

/** `conformance selftest`: every mutant killed by a case of a requirement it names, no variant convicted, no case without a kill. */
export async function selftest(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const kind = subjectKind(flags['subject'])
  const format = String(flags['format'])
  if (format !== 'text' && format !== 'json') throw new UsageError(`--format ${format}: expected text or json`)
  const seed = wholeNumber('--seed', String(flags['seed']), -0x80000000, 0xffffffff)
  const every = flags['sample'] === undefined ? 1 : wholeNumber('--sample', String(flags['sample']), 1)
  const jobs =
    flags['jobs'] === undefined ? availableParallelism() + 1 : wholeNumber('--jobs', String(flags['jobs']), 1)
  const seeds = flags['seeds'] === undefined ? undefined : wholeNumber('--seeds', String(flags['seeds']), 1)
  const load = flags['load'] === undefined ? 0 : wholeNumber('--load', String(flags['load']), 0)
  const patterns = Array.isArray(flags['mutant']) ? flags['mutant'].map(String) : []
  const isWhole = flags['full'] === true
  const isOfKind = (each: { readonly kind: SubjectKind }) => kind === undefined || each.kind === kind
  const isWanted = patterns.length === 0 ? () => true : picomatch(patterns)
  const ofKind = mutantTrials(seed).filter((each) => isOfKind(each) && isWanted(each.id))
  if (ofKind.length === 0) throw new UsageError(`--mutant ${patterns.join(', ')}: matches no mutant`)
  const isPart = every > 1 || patterns.length > 0
  const mutants = seeds === undefined ? ofKind.filter((_, index) => index % every === 0) : []
  const startedAt = performance.now()
  const say = (line: string) => (format === 'text' ? process.stdout.write(`${line}\n`) : true)

  const pool = createPool(jobs)
  const stopLoad = keepBusy(load)
  try {
    const [results, convicted] = await Promise.all([
      tryMutants(pool, mutants, { seed, isWhole, say }),
      tryAllConforming(pool, conformingTrials({ seed, seeds, isPart, isWhole }).filter(isOfKind), say),
    ])
    const idle = isPart || seeds !== undefined ? [] : idleCases(results, kind)
    for (const id of idle) say(`NO KILL  ${id}`)
    const unbroken = isPart || seeds !== undefined ? [] : unbrokenRequirements(results, kind)
    for (const id of unbroken) say(`NO MUTANT  ${id}  ${requirements[id].text}`)
    const killed = results.filter((each) => each.verdict === 'killed').length
    const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
    const summary = {
      seed,
      seconds,
      mutants: results,
      conforming: convicted.length,
      convicted: convicted.filter((each) => each.cases.length > 0),
      casesWithoutKill: idle,
      requirementsWithoutMutant: unbroken,
    }
    if (format === 'json') process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`)
    say(
      `${killed} of ${results.length} mutants killed, ${summary.convicted.length} of ${convicted.length} conforming subjects convicted, ${idle.length} cases without a kill, ${unbroken.length} requirements without a mutant (${seconds} s)`,
    )
    const isProved =
      killed === results.length && summary.convicted.length === 0 && idle.length === 0 && unbroken.length === 0
    return isProved ? exitCodes.conformant : exitCodes.nonconformant
  } finally {
    stopLoad()
    pool.close()
  }
}

async function tryMutants(
  pool: Pool,
  mutants: readonly MutantTrial[],
  options: { readonly seed: number; readonly isWhole: boolean; readonly say: (line: string) => unknown },
): Promise<MutantResult[]> {
  const { seed, isWhole, say } = options
  const idle = new Set<string>(catalogue.filter(needsKill).map((each) => each.id))
  const waitingFirst = [...mutants].sort((one, other) => Number(waitsLong(other)) - Number(waitsLong(one)))
  return Promise.all(
    waitingFirst.map(async ({ id, kind, title, breaks }) => {
      const task = () => ({ kind: 'mutant', mutant: id, seed, idle: [...idle], isWhole }) as const
      const result = await pool.run(task, isTimed(breaks) ? shareOfTimed : shares[kind]).then(
        (done) => done as MutantResult,
        (error: unknown): MutantResult => {
          say(`${id}: ${error instanceof Error ? error.message : String(error)}`)
          return { id, kind, title, breaks, verdict: 'broken', killedBy: [], alsoViolates: [], durationMs: 0 }
        },
      )
      for (const each of result.killedBy) idle.delete(each)
      if (result.verdict !== 'killed')
        say(`${result.verdict.toUpperCase()}  ${id}  breaks ${breaks.join(' ')}: ${title}`)
      return result
    }),
  )
}

/** What must never be convicted: the references, and the variants, put together as the options ask. */
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
  return [...references, ...together, ...(isWhole ? alone : [])]
}

async function tryAllConforming(
  pool: Pool,
  trials: readonly ConformingTrial[],
  say: (line: string) => unknown,
): Promise<Convicted[]> {
  return Promise.all(
    trials.map(async (trial) => {
      const { kind, variants, seed } = trial
      const subject = variants.length === 0 ? `reference ${kind}` : variants.join(' + ')
      const share = kind === 'service' ? shareOfWholeRun : shares[kind]
      const cases = (await pool.run(() => ({ kind: 'conforming', trial }), share)) as readonly Conviction[]
      if (cases.length > 0)
        say(
          `CONVICTED  ${subject} (seed ${seed})\n${cases.map(({ caseId, message }) => `  ${caseId}: ${message}`).join('\n')}`,
        )
      return { subject, cases }
    }),
  )
}

/** Where frames or answers fail to come, cases wait as long as they would for a slow target: these begin first. */
function waitsLong({ kind, breaks }: MutantTrial): boolean {
  return kind === 'client' || breaks.some((id) => /^(STR|RTY)-|^(DLV-008|SCOPE-002|AUTH-003)$/.test(id))
}

/** Vectors are data: one kill of their kind speaks for all. */
function needsKill(each: (typeof catalogue)[number]): boolean {
  return each.level === 'must' && !each.id.startsWith('verifier/vectors/')
}

/** Cases of level must that failed no mutant. */
function idleCases(results: readonly MutantResult[], kind: SubjectKind | undefined): string[] {
  const killers = new Set(results.flatMap((each) => each.killedBy))
  return catalogue
    .filter((each) => (kind === undefined || each.subject === kind) && needsKill(each) && !killers.has(each.id))
    .map((each) => each.id)
}

/** MUST requirements that a case covers and no mutant breaks. */
function unbrokenRequirements(results: readonly MutantResult[], kind: SubjectKind | undefined): RequirementId[] {
  const broken = new Set(results.flatMap((each) => each.breaks))
  const covered = new Set(catalogue.flatMap((each) => each.requirements))
  return requirementIds.filter(
    (id) =>
      (kind === undefined || requirements[id].subject === kind) &&
      requirements[id].level === 'must' &&
      covered.has(id) &&
      !broken.has(id),
  )
}
