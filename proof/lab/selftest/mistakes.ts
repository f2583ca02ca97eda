import { changesOf, type Change } from '../../mutants/changes.js'
import { mutants } from '../../mutants/index.js'
import type { RequirementId } from '../../../spec/index.js'

/** A mutant's mistake as a reviewer would see it. */
export interface Mistake {
  readonly id: string
  readonly title: string
  readonly breaks: readonly RequirementId[]
  /** Unified: a hunk for each place. */
  readonly diff: string
}

/** Lines shown before and after the change. */
const context = 3

/** The mistakes of the mutants with these ids. */
export function mistakesOf(ids: readonly string[]): readonly Mistake[] {
  return mutants
    .filter(({ id }) => ids.includes(id))
    .map((mutant) => {
      const changes = changesOf(mutant)
      const files = [...new Set(changes.map((change) => change.of))]
      const diff = files.flatMap((of) => [
        `--- ${of}`,
        `+++ ${of}  (${mutant.id})`,
        ...changes.filter((change) => change.of === of).flatMap(hunkOf),
      ])
      return { id: mutant.id, title: mutant.title, breaks: mutant.breaks, diff: diff.join('\n') }
    })
}

/** One hunk: what a mutant changes at one place is in one piece. */
export function hunkOf({ before, after }: Pick<Change, 'before' | 'after'>): readonly string[] {
  const [old, young] = [before.trimEnd().split('\n'), after.trimEnd().split('\n')]
  const shorter = Math.min(old.length, young.length)
  let head = 0
  while (head < shorter && old[head] === young[head]) head++
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail) === young.at(-1 - tail)) tail++
  const start = Math.max(0, head - context)
  const end = Math.min(old.length, old.length - tail + context)
  return [
    `@@ -${start + 1},${end - start} +${start + 1},${end - start + young.length - old.length} @@`,
    ...old.slice(start, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...young.slice(head, young.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, end).map((line) => ` ${line}`),
  ]
}
