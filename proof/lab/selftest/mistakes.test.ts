import { describe, expect, it } from 'vitest'
import { changesOf } from '../../mutants/changes.js'
import { mutants } from '../../mutants/index.js'
import { hunkOf, mistakesOf } from './mistakes.js'

const linesOf = (text: string) => text.trimEnd().split('\n')

/** What a hunk makes of the lines it is about. */
function applied(before: readonly string[], [head = '', ...body]: readonly string[]): readonly string[] {
  const [start = 0, count = 0] = (/^@@ -(\d+),(\d+) /.exec(head)?.slice(1) ?? []).map(Number)
  const answer = (not: string) => body.filter((line) => !line.startsWith(not)).map((line) => line.slice(1))
  expect(answer('+')).toEqual(before.slice(start - 1, start - 1 + count))
  return [...before.slice(0, start - 1), ...answer('-'), ...before.slice(start - 1 + count)]
}

describe('the mistake of a mutant', () => {
  it('is shown for each of them, and turns the reference into the mutant', () => {
    for (const mutant of mutants) {
      const changes = changesOf(mutant)
      expect(changes.length, mutant.id).toBeGreaterThan(0)
      for (const { before, after } of changes) {
        const hunk = hunkOf({ before, after })
        expect(
          hunk.some((line) => /^[-+]/.test(line)),
          mutant.id,
        ).toBe(true)
        expect(applied(linesOf(before), hunk), mutant.id).toEqual(linesOf(after))
      }
    }
  })

  it('of a patch is a hunk of the file as it is written', () => {
    const [mistake] = mistakesOf(['server/streams-binary'])
    expect(mistake?.diff).toMatch(
      /^--- reference\/server\/\S+\n\+\+\+ reference\/server\/\S+ {2}\(server\/streams-binary\)\n@@ -/,
    )
  })

  it('of a policy is the entry and what takes its place', () => {
    const [mistake] = mistakesOf(['server/takes-only-200'])
    expect(mistake?.diff).toContain('--- reference/server/policy: isSuccess')
    expect(mistake?.diff).toMatch(/^-\(status\) => .*299/m)
    expect(mistake?.diff).toMatch(/^\+\(status\) => status === 200/m)
  })

  it('of one that wraps the reference is its source', () => {
    const [mistake] = mistakesOf(['verifier/refuses-after-a-refusal'])
    expect(mistake?.diff).toMatch(/^\+.*throw refusal/m)
  })
})
