import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../bin/run/catalogue.js'
import { casesBy, readLikelyKills, remembered } from './likely-kills.js'
import { mutantTrials } from './trials.js'

const exists = { cases: new Set(['one', 'two', 'three']), mutants: new Set(['a', 'b', 'c']) }
const killed = (id: string, ...killedBy: string[]) => ({ id, verdict: 'killed' as const, killedBy })

describe('the remembered kills of a selftest', () => {
  it('is the first case that killed a mutant', () => {
    expect(remembered([killed('a', 'one', 'two'), killed('b', 'two', 'one')], {}, exists)).toEqual({
      one: ['a'],
      two: ['b'],
    })
  })

  it('gives a case that was never first to the mutant that has fewest', () => {
    const results = [killed('a', 'one', 'three'), killed('b', 'one', 'two'), killed('c', 'one', 'two', 'three')]
    expect(remembered(results, {}, exists)).toEqual({ one: ['a', 'b', 'c'], three: ['a'], two: ['b'] })
  })

  it('keeps mutants that did not run, and drops those that no longer exist', () => {
    const before = { one: ['b', 'gone'], gone: ['b'], two: ['a'] }
    expect(remembered([killed('a', 'one')], before, exists)).toEqual({ one: ['a', 'b'] })
  })

  it('is nothing of a mutant that lived', () => {
    expect(remembered([{ id: 'a', verdict: 'misjudged', killedBy: [] }], { one: ['a'] }, exists)).toEqual({})
  })
})

describe('the likely kills of this kit', () => {
  it('name cases and mutants that are there', () => {
    const kills = readLikelyKills()
    const cases = new Set(catalogue.map(({ id }) => id))
    const mutants = new Set(mutantTrials(1).map(({ id }) => id))
    expect(Object.keys(kills).filter((id) => !cases.has(id))).toEqual([])
    expect(
      Object.values(kills)
        .flat()
        .filter((id) => !mutants.has(id)),
    ).toEqual([])
  })

  it('may be missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kills-'))
    try {
      expect(readLikelyKills(join(folder, 'none.json'))).toEqual({})
      writeFileSync(join(folder, 'some.json'), '{"one":["a","b"],"two":["b"]}')
      expect(casesBy(readLikelyKills(join(folder, 'some.json')), 'b')).toEqual(['one', 'two'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
