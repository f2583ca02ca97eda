import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { casesBy, readLikelyKills, remembered, writeLikelyKills } from './likely-kills.js'

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

describe('the likely kills of earlier selftests', () => {
  it('are read as they were written, and are none without a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kills-'))
    const file = () => join(folder, 'cache', 'kills.json')
    try {
      expect(readLikelyKills(file)).toEqual({})
      writeLikelyKills({ one: ['a', 'b'], two: ['b'] }, file)
      expect(casesBy(readLikelyKills(file), 'b')).toEqual(['one', 'two'])
      expect(readdirSync(join(folder, 'cache'))).toEqual(['kills.json'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('are none if the file is damaged, and cost nothing if it cannot be written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kills-'))
    const file = () => join(folder, 'damaged.json')
    try {
      for (const text of ['null', '{"one":1}', '{"one":']) {
        writeFileSync(file(), text)
        expect(readLikelyKills(file), text).toEqual({})
      }
      writeLikelyKills({ one: ['a'] }, () => join(file(), 'kills.json'))
      expect(readFileSync(file(), 'utf8')).toBe('{"one":')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
