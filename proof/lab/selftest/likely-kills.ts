import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { invocation } from '../../../bin/cli/invocation.js'
import type { MutantResult } from './judge.js'

/**
 * The mutants that each case killed in earlier selftests of this user. A kill is searched for there first; nothing depends on it: a mutant
 * that is not killed there meets the other cases, and a case that kills none of these is tried on every mutant of its requirements.
 */
export type LikelyKills = Readonly<Record<string, readonly string[]>>

/** Returns the file in the user's cache folder. Throws in a container whose user has no home. */
function cacheFile(): string {
  const given = invocation().env['XDG_CACHE_HOME'] ?? ''
  return join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'webhook-conformance', 'likely-kills.json')
}

/** Returns the kills of earlier selftests; none if the file is missing or damaged. */
export function readLikelyKills(file = cacheFile): LikelyKills {
  try {
    const kills = Object(JSON.parse(readFileSync(file(), 'utf8'))) as Record<string, unknown>
    return Object.values(kills).every((mutants) => Array.isArray(mutants)) ? (kills as LikelyKills) : {}
  } catch {
    return {}
  }
}

/** Writes the kills for later selftests. A cache that cannot be written costs time, and nothing else. */
export function writeLikelyKills(kills: LikelyKills, file = cacheFile): void {
  try {
    const path = file()
    mkdirSync(dirname(path), { recursive: true })
    const part = `${path}.${process.pid}`
    writeFileSync(part, JSON.stringify(kills))
    renameSync(part, path)
  } catch {
    return
  }
}

/** The cases by which a mutant is likely to be killed. */
export function casesBy(kills: LikelyKills, mutant: string): readonly string[] {
  return Object.entries(kills).flatMap(([id, mutants]) => (mutants.includes(mutant) ? [id] : []))
}

/**
 * Returns the kills to remember of a selftest: for each mutant the case that was first to kill it, and for each case that was never first
 * the mutant with the fewest others. Mutants that did not run stay as `before`, unless they are gone.
 */
export function remembered(
  results: readonly Pick<MutantResult, 'id' | 'verdict' | 'killedBy'>[],
  before: LikelyKills,
  exists: { readonly cases: ReadonlySet<string>; readonly mutants: ReadonlySet<string> },
): LikelyKills {
  const killed = results.filter(({ verdict }) => verdict === 'killed')
  const requested = new Set(results.map(({ id }) => id))
  const byMutant = new Map<string, Set<string>>()
  const add = (mutant: string, id: string) => byMutant.set(mutant, (byMutant.get(mutant) ?? new Set()).add(id))
  for (const [id, mutants] of Object.entries(before))
    for (const mutant of mutants) if (!requested.has(mutant) && exists.mutants.has(mutant)) add(mutant, id)
  for (const { id, killedBy } of killed) if (killedBy[0] !== undefined) add(id, killedBy[0])
  const isKnown = (id: string) => [...byMutant.values()].some((cases) => cases.has(id))
  for (const id of new Set(killed.flatMap(({ killedBy }) => killedBy))) {
    if (isKnown(id)) continue
    const candidates = killed.filter(({ killedBy }) => killedBy.includes(id)).map((mutant) => mutant.id)
    const count = (mutant: string) => byMutant.get(mutant)?.size ?? 0
    const [fewest] = candidates.toSorted((one, other) => count(one) - count(other) || one.localeCompare(other))
    if (fewest !== undefined) add(fewest, id)
  }
  const byCase: Record<string, string[]> = {}
  for (const [mutant, cases] of byMutant)
    for (const id of cases) if (exists.cases.has(id)) (byCase[id] ??= []).push(mutant)
  return Object.fromEntries(
    Object.entries(byCase)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, mutants]) => [id, mutants.sort()]),
  )
}
