import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { loadSchema } from '../../../fixtures/index.js'
import type { CommandEnd } from '../../../harness/testing/hostile/command.js'

/**
 * Resident memory a run may take whatever its target does, with the heap that Node chooses, in MiB. A quiet one takes some 200, and up to
 * twice that where other work keeps the collector from its turn.
 */
export const maxMb = 512

/** Every report that is text and not the JSON one. */
export const everyReporter = ['junit', 'ctrf', 'html', 'markdown', 'github', 'tap']

const validate = (() => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  return ajv.compile(loadSchema('report'))
})()

/** Checks the facts that hold for every target: an exit code of `codes`, little memory, a valid report, and no injected command. */
export function expectIntact(end: CommandEnd, codes: readonly number[]): void {
  expect(codes, `${end.out}\n${end.err}`).toContain(end.code)
  expect(end.peakMb).toBeLessThan(maxMb)
  expect(end.err).not.toMatch(/unexpected/)
  expect(end.report?.cases.filter((result) => /of the kit itself/.test(result.reason ?? result.message ?? ''))).toEqual(
    [],
  )
  expect(validate(end.report), JSON.stringify(validate.errors?.slice(0, 2))).toBe(true)
  expectHarmless({ out: end.out, err: end.err, ...end.reports })
}

/** No text steers a terminal, a build log or a page. By name: `html`, `markdown` and `junit` are looked at as such. */
function expectHarmless(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    expect(text, name).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/)
    expect(text, name).not.toMatch(/##\w*\[/)
    if (name !== 'html')
      expect(text, name).not.toMatch(
        /^\s*::(?!(?:error|warning|notice) title=(?:service|client|verifier|receiver|conformance))/m,
      )
  }
  for (const name of ['html', 'markdown', 'junit'])
    expect(texts[name] ?? '', name).not.toMatch(/<script>owned|<svg onload|<img src=x|\]\]><\/failure/)
}

/** A complaint is at most six lines of words, after the line that names the configuration, and contains nothing of the program's own. */
export function expectPlainError({ out, err }: { readonly out: string; readonly err: string }): void {
  expect(`${out}${err}`).not.toMatch(/unexpected|^\s+at |node:internal/m)
  expect(err).toMatch(/^(?:Configuration: .+\n)?conformance: /)
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(6)
}

/** Ids of the failed cases that do not match. */
export function failedOutside(end: CommandEnd, pattern: RegExp): string[] {
  const bad = end.report?.cases.filter((result) => result.status === 'failed') ?? []
  return bad.map((result) => result.id).filter((id) => !pattern.test(id))
}
