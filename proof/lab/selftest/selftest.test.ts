import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openPoints } from '../../../spec/open-points.js'
import { pointsWithoutServerVariant, serverVariants } from '../../variants/server.js'
import type { CaseResult } from '../../../harness/index.js'
import { combinations, replacedBy, variantIds } from './conforming.js'
import { verdictOn } from './judge.js'
import { mutantTrials } from './trials.js'
import { program } from '../../../bin/testing/command.js'

const run = promisify(execFile)

describe('selftest', () => {
  it('kills a mutant of every kind', { timeout: 240_000 }, async () => {
    const ids = [
      'server/lists-secrets',
      'receiver/verifies-nothing',
      'verifier/accepts-stale',
      'client/sends-the-key-without-bearer',
      'sender/uses-put',
    ]
    const named = ids.flatMap((id) => ['--mutant', id])
    const { stdout } = await run(process.execPath, [program, 'selftest', ...named, '--format', 'json'])
    const { mutants } = JSON.parse(stdout) as { mutants: { kind: string; verdict: string }[] }
    expect([...new Set(mutants.map(({ kind }) => kind))].sort()).toEqual([
      'client',
      'receiver',
      'sender',
      'service',
      'verifier',
    ])
    expect(mutants.filter(({ verdict }) => verdict !== 'killed')).toEqual([])
  })
})

describe('mutants', () => {
  it('have ids of their own', () => {
    const ids = mutantTrials(1).map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })
})

describe('verdict on a mutant', () => {
  const result = (violates: CaseResult['violates'], got: string, crashed?: true): CaseResult => ({
    id: 'service/a/b',
    suite: 'service/a',
    title: 'a',
    level: 'must',
    requirements: ['SIG-004', 'ERR-001'],
    status: 'failed',
    known_failure: false,
    duration_ms: 0,
    violates: violates ?? [],
    checks: [{ kind: 'compared', what: 'x', expected: 'y', got, ...(crashed === undefined ? {} : { crashed }) }],
  })

  it('is killed when a check of a requirement it names saw it', () => {
    expect(verdictOn([result(['SIG-004'], 'another text')], ['SIG-004'])).toBe('killed')
  })

  it('is broken when only a crash or silence was seen', () => {
    expect(verdictOn([result(['SIG-004'], 'no answer (reset)', true)], ['SIG-004'])).toBe('broken')
    expect(verdictOn([result(['SIG-004'], '500 {"code":"internal_error"}', true)], ['SIG-004'])).toBe('broken')
  })

  it('is misjudged when only other requirements were seen violated', () => {
    expect(verdictOn([result(['ERR-001'], 'another text')], ['SIG-004'])).toBe('misjudged')
  })

  it('is survived when nothing failed', () => {
    expect(verdictOn([{ ...result([], ''), status: 'passed' }], ['SIG-004'])).toBe('survived')
  })
})

describe('variants', () => {
  it('decide every open point of the service differently', () => {
    const decided = new Set<string>(serverVariants.flatMap(({ openPoints: points }) => points))
    const open = Object.keys(openPoints).filter((id) => !decided.has(id))
    expect(open.sort()).toEqual(Object.keys(pointsWithoutServerVariant).sort())
  })

  it('are combined so that each occurs at least once and no entry is replaced twice', () => {
    for (const seed of [1, 2, 3]) {
      const groups = combinations('service', seed)
      expect([...new Set(groups.flat())].sort()).toEqual([...variantIds('service')].sort())
      for (const group of groups) {
        const entries = serverVariants.filter(({ id }) => group.includes(id)).flatMap(replacedBy)
        expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([])
      }
    }
  })
})
