// The parts of a run on machines that know nothing of each other: the parts that are judged are real processes of the built program.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../harness/index.js'
import { commandHere, commandIn } from '../testing/command.js'

const driver = resolve(import.meta.dirname, '../../fixtures/drivers/verifier.mjs')
const folder = mkdtempSync(join(tmpdir(), 'shards-'))
const at = (file: string) => join(folder, file)

const conformance = commandHere(folder)
/** A machine of its own. */
const machine = commandIn(folder)

const plan = ['run', '--reference', '--case', 'service/webhooks/*', '--dry-run']

describe('--shard auto', () => {
  it.concurrent.each([
    ['GitLab CI', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' }],
    ['CircleCI', { CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '3' }],
    ['Buildkite', { BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '3' }],
    ['an Indexed Job', { JOB_COMPLETION_INDEX: '1', CONFORMANCE_SHARDS: '3' }],
  ])('runs the part that the variables of %s name', async (_, variables) => {
    const auto = await conformance([...plan, '--shard', 'auto'], variables)
    const second = await conformance([...plan, '--shard', '2/3'])
    expect([auto.code, auto.out]).toEqual([0, second.out])
    expect(second.out).toMatch(/3 cases would run/)
    expect((await conformance([...plan, '--shard', '1/3'])).out).not.toBe(second.out)
  })

  it.concurrent.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['no variable is set', {}, /--shard auto: no CI system tells this job its part .*CI_NODE_INDEX and CI_NODE_TOTAL/],
    ['one variable is missing', { JOB_COMPLETION_INDEX: '1' }, /--shard auto: no CI system/],
    [
      'the part does not exist',
      { CIRCLE_NODE_INDEX: '3', CIRCLE_NODE_TOTAL: '3' },
      /CIRCLE_NODE_INDEX=3.*expected 0 to 2/,
    ],
    [
      'the variables of two systems are set',
      { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3', CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '5' },
      /two CI systems .*CI_NODE_INDEX and CI_NODE_TOTAL, CIRCLE_NODE_INDEX and CIRCLE_NODE_TOTAL/,
    ],
    ['a number is invalid', { CI_NODE_INDEX: 'two', CI_NODE_TOTAL: '3' }, /CI_NODE_INDEX=two: expected a whole number/],
  ])('is wrong usage if %s', async (_, variables, message) => {
    const { code, err } = await conformance([...plan, '--shard', 'auto'], variables)
    expect([code, err.trim()]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('--shard-by', () => {
  const judge = (...args: readonly string[]) =>
    machine(['verifier', '--level', 'must', '--seed', '7', ...args, '--', process.execPath, driver])

  /** A report without what differs between two runs of the same: times. */
  const timeless = (text: string): unknown =>
    JSON.parse(text, (key, value: unknown) =>
      key === 'duration_ms' || key === 'started_at' || key === 'shards' ? undefined : value,
    )

  it(
    'splits the run into eight shards whose merged report equals that of the whole run',
    { timeout: 120_000 },
    async () => {
      await judge('--reporter', `json=${at('whole.json')}`)
      const whole = JSON.parse(readFileSync(at('whole.json'), 'utf8')) as Report
      // As long as it takes with a slow driver: the first case takes as long as a hundred others.
      const durations = {
        ...whole,
        cases: whole.cases.map((result, place) => ({ ...result, duration_ms: place === 0 ? 100 : 1 })),
      }
      writeFileSync(at('durations.json'), JSON.stringify(durations))
      const shards = [1, 2, 3, 4, 5, 6, 7, 8]
      for (const shard of shards)
        await judge(
          '--shard',
          `${shard}/8`,
          '--shard-by',
          at('durations.json'),
          '--reporter',
          `json=${at(`${shard}.json`)}`,
        )
      const lengths = shards.map(
        (shard) => (JSON.parse(readFileSync(at(`${shard}.json`), 'utf8')) as Report).cases.length,
      )
      expect(Math.min(...lengths)).toBe(lengths[0])
      expect(Math.max(...lengths.slice(1)) - Math.min(...lengths.slice(1))).toBeLessThanOrEqual(1)
      const merged = await conformance(['report', ...shards.map((shard) => at(`${shard}.json`)), '--reporter', 'json'])
      expect(timeless(merged.out)).toEqual(timeless(readFileSync(at('whole.json'), 'utf8')))
    },
  )

  it('is wrong usage without --shard, and with a file that is not a report', async () => {
    expect(await judge('--shard-by', at('none.json'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/give --shard too/) as string,
    })
    expect(await judge('--shard', '1/2', '--shard-by', driver)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/verifier\.mjs/) as string,
    })
  })
})
