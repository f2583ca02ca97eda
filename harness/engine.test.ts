import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, test, vi } from 'vitest'
import type { RequirementId } from '../spec/index.js'
import { caseDefiner, type CaseTools } from './case.js'
import { AnswerLost, TooBusy } from './check.js'
import { runCases } from './engine.js'
import { Secrets } from './secrets.js'
import type { Subject } from './subject.js'
import { Evidence } from './wire/evidence.js'

const subject: Subject<CaseTools> = {
  kind: 'service',
  name: 'nobody',
  secrets: new Secrets(),
  concurrency: 1,
  findMissing: () => undefined,
  open: async (tools) => ({ context: tools, evidence: new Evidence(), close: async () => {} }),
  close: async () => {},
}

/** Runs one case; `standsStillMs` is how long it holds up the event loop. */
async function judged(standsStillMs: number, find: (tools: CaseTools) => void) {
  const define = caseDefiner<'service', CaseTools, never>('service')
  const only = define({
    id: 'service/engine/one',
    requirements: ['RTY-002'],
    level: 'must',
    title: 'one case',
    async run(tools) {
      await pause(60)
      const until = performance.now() + standsStillMs
      while (performance.now() < until);
      await pause(60)
      find(tools)
    },
  })
  const [result] = await runCases([only], subject, { seed: 1 })
  return { status: result?.status, found: result?.checks?.map(({ what }) => what) }
}

const measured = ({ check }: CaseTools) => check.measured.between('seconds', 9, 1, 2)
const plain = ({ check }: CaseTools) => check.equal('status', 'failed', 'pending')

test('a failure next to a gateway answer is rerun alone, and counts if it occurs again', async () => {
  const define = caseDefiner<'service', CaseTools, never>('service')
  const stated = { requirements: ['RTY-002'], level: 'must', title: 'one case' } as const
  for (const [answers, status, news] of [
    [[503, 200], 'passed', ['held: failed', 'ended: passed']],
    [[503, 503], 'failed', ['held: failed', 'ended: failed']],
    [[503], 'failed', ['ended: failed']],
  ] as const) {
    const left: number[] = [...answers]
    const reported: string[] = []
    let latest = 0
    const crowded: typeof subject = {
      ...subject,
      maxRepeats: answers.length - 1,
      open: async (tools) => {
        latest = left.shift() ?? 0
        return { context: tools, evidence: new Evidence(), wasTurnedAway: () => latest === 503, close: async () => {} }
      },
    }
    const run = async ({ check }: CaseTools) => void check.equal('status', latest, 200)
    const only = define({ id: 'service/engine/one', ...stated, run })
    const [result] = await runCases([only], crowded, {
      seed: 1,
      onCaseHeld: (result) => reported.push(`held: ${result.status}`),
      onCaseEnd: (result) => reported.push(`ended: ${result.status}`),
    })
    expect([result?.status, left]).toEqual([status, []])
    expect(reported).toEqual(news)
  }
})

test('a time measured while a 429 delayed requests is rerun, and judged once no 429 does', async () => {
  const held = [5_000, 0]
  const limited: typeof subject = {
    ...subject,
    open: async (tools) => {
      const heldBackMs = held.shift() ?? 5_000
      return { context: tools, evidence: new Evidence(), heldBackMs: () => heldBackMs, close: async () => {} }
    },
  }
  const define = caseDefiner<'service', CaseTools, never>('service')
  const stated = { requirements: ['RTY-002'], level: 'must', title: 'one case' } as const
  const only = define({ id: 'service/engine/one', ...stated, run: async (tools) => void measured(tools) })
  const [judgedThen] = await runCases([only], limited, { seed: 1 })
  expect(judgedThen?.status).toBe('failed')
  const [neverJudged] = await runCases([only], limited, { seed: 1, maxRepeats: 1 })
  expect(neverJudged).toMatchObject({ status: 'errored', reason: expect.stringContaining('limits the rate (429)') })
  const wrong = define({ id: 'service/engine/two', ...stated, run: async (tools) => void plain(tools) })
  const [judgedAnyhow] = await runCases([wrong], limited, { seed: 1, maxRepeats: 1 })
  expect(judgedAnyhow?.status).toBe('failed')
})

test.each([
  ['late', [16_000, 0], 'passed', 2],
  ['late twice', [16_000, 16_000, 0], 'passed', 3],
  ['always late', [16_000, 16_000, 16_000], 'failed', 3],
  ['in time', [2_000], 'failed', 1],
] as const)('a case that failed over an answer that was %s is rerun', async (_, lateness, status, times) => {
  const left = [...lateness]
  let latest = 0
  let count = 0
  const slow: typeof subject = {
    ...subject,
    open: async (tools) => {
      latest = left.shift() ?? 0
      count++
      return { context: tools, evidence: new Evidence(), slowestMs: () => latest, close: async () => {} }
    },
  }
  const define = caseDefiner<'service', CaseTools, never>('service')
  const only = define({
    id: 'service/engine/one',
    requirements: ['RTY-002'],
    level: 'must',
    title: 'one case',
    run: async ({ check }) => void check.equal('attempts', latest > 0 ? 2 : 1, 1),
  })
  const [result] = await runCases([only], slow, { seed: 1 })
  expect([result?.status, count]).toEqual([status, times])
})

describe('a case that did not pass while this process was blocked', () => {
  /** Runs a case that blocks the process and fails the first `failures` times; returns its statuses and the number of its runs. */
  async function runCase(failures: number, options: { standsStillMs: number; maxRepeats?: number }) {
    let count = 0
    const { standsStillMs, ...rest } = options
    const only = caseDefiner<'service', CaseTools, never>('service')({
      id: 'service/engine/one',
      requirements: ['RTY-002'],
      level: 'must',
      title: 'one case',
      async run({ check }) {
        const isBad = ++count <= failures
        const until = performance.now() + (isBad ? standsStillMs : 0)
        await pause(30)
        while (performance.now() < until);
        await pause(30)
        if (isBad) check.fail('it', 'good', 'bad')
      },
    })
    const [result] = await runCases([only], subject, { seed: 1, ...rest })
    return { status: result?.status, count }
  }

  it('is rerun, and passes if it was noise', async () => {
    expect(await runCase(2, { standsStillMs: 600 })).toEqual({ status: 'passed', count: 3 })
  })

  it('fails if it fails every time', async () => {
    expect(await runCase(9, { standsStillMs: 600 })).toEqual({ status: 'failed', count: 3 })
  })

  it('runs once if reruns are off', async () => {
    expect(await runCase(1, { standsStillMs: 600, maxRepeats: 0 })).toEqual({ status: 'failed', count: 1 })
  })
})

describe('a case that took minutes next to others', () => {
  /** Runs a case that takes `tookMs` and fails by `find` the first `failures` times; returns its status and the number of its runs. */
  async function runCase(find: (tools: CaseTools) => void, { tookMs = 300_000, failures = 1 } = {}) {
    let [count, aheadMs] = [0, 0]
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs)
    const only = caseDefiner<'service', CaseTools, never>('service')({
      id: 'service/engine/one',
      requirements: ['RTY-002'],
      level: 'must',
      title: 'one case',
      async run(tools) {
        if (++count > failures) return
        await pause(30)
        aheadMs += tookMs
        await pause(60)
        find(tools)
      },
    })
    const [result] = await runCases([only], subject, { seed: 1 })
    clock.mockRestore()
    return { status: result?.status, count }
  }

  it('is rerun if its result was too late to be judged', async () => {
    expect(await runCase(measured, { tookMs: 90_000 })).toEqual({ status: 'passed', count: 2 })
  })

  it('is left without a verdict if that took longer than four minutes', async () => {
    expect(await runCase(measured)).toEqual({ status: 'errored', count: 1 })
  })

  it('is rerun if its failure is in doubt, and fails if each rerun shows it', async () => {
    expect(await runCase(plain)).toEqual({ status: 'passed', count: 2 })
    expect(await runCase(plain, { failures: 9 })).toEqual({ status: 'failed', count: 3 })
  })
})

describe('cases of a suite that did not pass while this process was blocked', () => {
  /** Runs `count` cases that block the process and fail; the first may pass when it is rerun. Returns how often each ran. */
  async function runCase(count: number, isFirstOverturned: boolean) {
    const rounds = Array.from({ length: count }, () => 0)
    const cases = rounds.map((_, index) =>
      caseDefiner<'service', CaseTools, never>('service')({
        id: `service/engine/case-${index}`,
        requirements: ['RTY-002'],
        level: 'must',
        title: 'one of several',
        async run({ check }) {
          rounds[index] = (rounds[index] ?? 0) + 1
          if (index === 0 && isFirstOverturned && rounds[index] > 1) return
          const until = performance.now() + 200
          await pause(5)
          while (performance.now() < until);
          await pause(30)
          check.fail('it', 'good', 'bad')
        },
      }),
    )
    await runCases(cases, subject, { seed: 1, maxRepeats: 1 })
    return rounds
  }

  it('count once three of their requirement failed each time they ran', async () => {
    expect(await runCase(6, false)).toEqual([2, 2, 2, 1, 1, 1])
  })

  it('are all rerun if one passed then', async () => {
    expect(await runCase(6, true)).toEqual([2, 2, 2, 2, 2, 2])
  })
})

describe('a time measured while this process was blocked', () => {
  it('fails nobody', async () => {
    expect(await judged(700, measured)).toMatchObject({ status: 'errored' })
  })

  it('also drops later mismatches, which may follow from it', async () => {
    const both = (tools: CaseTools) => [measured(tools), plain(tools)]
    expect(await judged(700, (tools) => void both(tools))).toMatchObject({ status: 'errored' })
  })

  it('keeps earlier mismatches', async () => {
    const both = (tools: CaseTools) => [plain(tools), measured(tools)]
    expect(await judged(700, (tools) => void both(tools))).toEqual({ status: 'failed', found: ['status'] })
  })

  it('fails the case if this process ran on', async () => {
    expect(await judged(0, measured)).toEqual({ status: 'failed', found: ['seconds'] })
  })

  it('keeps a mismatch that depends on no clock', async () => {
    expect(await judged(700, plain)).toEqual({ status: 'failed', found: ['status'] })
  })
})

describe('a mismatch after a late answer of ours', () => {
  it('fails nobody', async () => {
    expect(await judged(0, (tools) => void [tools.late(600), plain(tools)])).toMatchObject({ status: 'errored' })
  })

  it('fails the case if the answer was only a little late', async () => {
    expect(await judged(0, (tools) => void [tools.late(100), plain(tools)])).toMatchObject({ status: 'failed' })
  })
})

describe('a mismatch after a wait that timed out', () => {
  const waited = (tools: CaseTools) => void [tools.missed('RTY-001'), plain(tools)]

  it('fails the case if this process was blocked for less than the wait', async () => {
    expect(await judged(700, waited)).toEqual({ status: 'failed', found: ['status'] })
  })

  it('fails no case if this process was blocked for longer than any patience', async () => {
    expect(await judged(2_300, waited)).toMatchObject({ status: 'errored' })
  })

  it('fails no case if a busy machine may have cut the target off at a time limit', async () => {
    const cutOff = (tools: CaseTools) => void [tools.cutOff(), waited(tools)]
    expect(await judged(700, cutOff)).toMatchObject({ status: 'errored' })
    expect(await judged(0, cutOff)).toMatchObject({ status: 'failed' })
  })

  it('fails the case for a mismatch that lateness cannot cause, despite an earlier timeout', async () => {
    const certain = ({ missed, cutOff, check }: CaseTools) =>
      void [missed('RTY-001'), cutOff(), check.certain.equal('attempts that must not be', 6, 0)]
    expect(await judged(700, certain)).toEqual({ status: 'failed', found: ['attempts that must not be'] })
  })
})

const define = caseDefiner<'service', CaseTools, never>('service')
type Question = (tools: CaseTools, round: number) => void | Promise<void>

/** Runs cases with these requirements, each named by the last part of its id; returns their results and how often each ran. */
async function ran(cases: Record<string, [RequirementId, Question]>, concurrency = 1) {
  const rounds: Record<string, number> = {}
  const defined = Object.entries(cases).map(([name, [requirement, ask]]) =>
    define({
      id: `service/engine/${name}`,
      requirements: [requirement],
      level: 'must',
      title: name,
      run: async (tools) => ask(tools, (rounds[name] = (rounds[name] ?? 0) + 1)),
    }),
  )
  const results = await runCases(defined, subject, { seed: 1, concurrency })
  return { results: Object.fromEntries(results.map((result) => [result.id.split('/')[2], result])), rounds }
}

describe('an answer that did not arrive', () => {
  it('starts the case again', async () => {
    const { results, rounds } = await ran({
      one: [
        'POL-001',
        (_tools, round) => {
          if (round < 3) throw new AnswerLost('GET /v1/events: no answer')
        },
      ],
    })
    expect([results['one']?.status, rounds['one']]).toEqual(['passed', 3])
  })

  it('fails nothing if it never arrives', async () => {
    const { results } = await ran({
      one: [
        'POL-001',
        () => {
          throw new AnswerLost('GET /v1/events: no answer')
        },
      ],
    })
    expect(results['one']).toMatchObject({ status: 'errored', message: 'GET /v1/events: no answer' })
  })

  it('is requested again while no other case runs', async () => {
    let underWay = 0
    const alone = async () => {
      underWay++
      await new Promise((resolve) => setTimeout(resolve, 20))
      const others = underWay-- - 1
      if (others > 0) throw new AnswerLost('GET /v1/events: the connection was closed')
    }
    const { results } = await ran({ one: ['POL-001', alone], two: ['POL-002', alone], three: ['POL-003', alone] }, 3)
    expect(['one', 'two', 'three'].map((name) => results[name]?.status)).toEqual(['passed', 'passed', 'passed'])
  })

  it('is then requested value by value, however many values a property tries concurrently', async () => {
    let underWay = 0
    const { results } = await ran({
      one: [
        'POL-001',
        async ({ property }) =>
          property(
            fc.nat(),
            async () => {
              underWay++
              await pause(10).finally(() => underWay--)
              if (underWay > 0) throw new AnswerLost('GET /v1/events: the connection was closed')
            },
            { runs: 3, atOnce: 2 },
          ),
      ],
    })
    expect(results['one']?.status).toBe('passed')
  })

  it('is not requested alone in each of many cases if it never arrives', async () => {
    const lost = () => {
      throw new AnswerLost('GET /v1/events: no answer')
    }
    const names = Array.from({ length: 8 }, (_, index) => `case${index}`)
    const { results, rounds } = await ran(Object.fromEntries(names.map((name) => [name, ['POL-001', lost] as const])))
    expect(new Set(names.map((name) => results[name]?.status))).toEqual(new Set(['errored']))
    expect(Object.values(rounds).filter((count) => count > 5)).toHaveLength(4)
  })
})

describe('a case that finds this machine too busy', () => {
  it('is rerun, and stays errored if it always is', async () => {
    const busy = (untilRound: number) => (_tools: unknown, round: number) => {
      if (round < untilRound) throw new TooBusy('this machine was too busy')
    }
    const { results, rounds } = await ran({ one: ['POL-001', busy(2)], other: ['POL-002', busy(Infinity)] })
    expect([results['one']?.status, rounds['one']]).toEqual(['passed', 2])
    expect(results['other']).toMatchObject({ status: 'errored', message: 'this machine was too busy' })
  })
})

test('a failure found twice on a busy machine is not repeated for sentences that another case has shown broken', async () => {
  const define = caseDefiner<'service', CaseTools, never>('service')
  const rounds: string[] = []
  const busy: typeof subject = {
    ...subject,
    open: async (tools, id) => {
      rounds.push(id)
      const heldBackMs = () => (id.endsWith('late') ? 16_000 : 0)
      return { context: tools, evidence: new Evidence(), heldBackMs, close: async () => {} }
    },
  }
  const failing = (name: string, requirement: RequirementId) =>
    define({
      id: `service/engine/${name}`,
      requirements: [requirement],
      level: 'must',
      title: name,
      run: async ({ check }) => void check.equal('status', 1, 2),
    })
  const late = failing('late', 'RTY-002')
  const [, folded] = await runCases([failing('sure', 'RTY-002'), late], busy, { seed: 1 })
  expect(folded).toMatchObject({
    status: 'skipped',
    not_judged: { see: 'RTY-002', failed_in: 'service/engine/sure' },
    reruns: [{ earlier: 'failed' }],
  })
  expect(folded).not.toHaveProperty('violates')
  const [, judgedAlone] = await runCases([failing('sure', 'RTY-001'), late], busy, { seed: 1 })
  expect(judgedAlone).toMatchObject({ status: 'failed', violates: ['RTY-002'] })
  expect(rounds.filter((id) => id === late.id).length).toBeGreaterThan(4)
})

describe('a failure in doubt', () => {
  it('after a wait is rerun while no other case runs', async () => {
    let underWay = 0
    let most = 0
    const { results, rounds } = await ran({
      other: ['POL-001', async () => pause(50)],
      one: [
        'RTY-002',
        ({ missed, check }, round) => {
          most = Math.max(most, ++underWay)
          missed('RTY-001')
          if (round === 1) check.equal('attempts', 0, 1)
          underWay--
        },
      ],
    })
    expect([results['one']?.status, rounds['one'], rounds['other'], most]).toEqual(['passed', 2, 1, 1])
  })

  it('counts if it occurs again', async () => {
    const { results, rounds } = await ran({
      one: [
        'RTY-002',
        ({ missed, check }) => {
          missed('RTY-001')
          check.equal('attempts', 0, 1)
        },
      ],
    })
    expect([results['one']?.status, results['one']?.violates, rounds['one']]).toEqual(['failed', ['RTY-002'], 2])
  })

  it('of a control counts for the requirement of the control alone', async () => {
    const { results, rounds } = await ran({
      one: ['RTY-002', ({ require }) => void require.of('WHK-001').equal('status', 500, 201)],
    })
    expect([results['one']?.status, results['one']?.violates, rounds['one']]).toEqual(['failed', ['WHK-001'], 2])
  })

  it('over stale reads is rerun concurrently, and alone if another doubt remains', async () => {
    const define = caseDefiner<'service', CaseTools, never>('service')
    const underWay = { now: 0, most: 0 }
    const runCase: string[] = []
    const cases = ['one', 'two'].map((name) =>
      define({
        id: `service/engine/${name}`,
        requirements: ['POL-003'],
        level: 'must',
        title: name,
        async run({ check, missed, readsLate }) {
          runCase.push(name)
          if (!readsLate) return void check.equal('ids', [], ['e1'])
          underWay.most = Math.max(underWay.most, ++underWay.now)
          await pause(50)
          underWay.now--
          if (name !== 'two' || runCase.filter((ran) => ran === name).length > 2) return
          missed('RTY-001')
          check.equal('attempts', 0, 1)
        },
      }),
    )
    const behind: typeof subject = {
      ...subject,
      concurrency: 2,
      open: async (tools) => ({
        context: tools,
        evidence: new Evidence(),
        wasStale: async () => true,
        close: async () => {},
      }),
    }
    const results = await runCases(cases, behind, { seed: 1 })
    expect(results.map(({ status }) => status)).toEqual(['passed', 'passed'])
    expect([underWay.most, runCase.filter((ran) => ran === 'one').length]).toEqual([2, 2])
    expect(runCase.filter((ran) => ran === 'two').length).toBe(3)
  })

  it('over a stale read is rerun with late reads, and counts if it occurs again', async () => {
    const define = caseDefiner<'service', CaseTools, never>('service')
    for (const [wrongWhenLate, status] of [
      [false, 'passed'],
      [true, 'failed'],
    ] as const) {
      const late: boolean[] = []
      const only = define({
        id: 'service/engine/one',
        requirements: ['POL-003'],
        level: 'must',
        title: 'one case',
        async run({ check, readsLate }) {
          late.push(readsLate)
          check.equal('ids', readsLate && !wrongWhenLate ? ['e1'] : [], ['e1'])
        },
      })
      const behind: typeof subject = {
        ...subject,
        open: async (tools) => ({
          context: tools,
          evidence: new Evidence(),
          wasStale: async () => true,
          close: async () => {},
        }),
      }
      const [result] = await runCases([only], behind, { seed: 1 })
      expect([result?.status, late]).toEqual([status, [false, true]])
      await runCases([only], behind, { seed: 1, maxRepeats: 0 })
      expect(late).toEqual([false, true, false])
    }
  })

  it('of a property is confirmed by its counterexample alone', async () => {
    const tried: number[][] = []
    const { results } = await ran({
      one: [
        'RTY-002',
        async ({ missed, property }) => {
          const values: number[] = []
          tried.push(values)
          await property(fc.nat(1_000), async (value, require) => {
            values.push(value)
            if (value > 20) missed('RTY-001')
            require.ok('attempts', value <= 20, 'at most 20', value)
          })
        },
      ],
    })
    expect([results['one']?.status, tried.map((values) => values.length > 1)]).toEqual(['failed', [true, false]])
    expect(tried[1]).toEqual([21])
  })

  it('is not in doubt if the target answered something else', async () => {
    const { rounds } = await ran({ one: ['RTY-002', ({ check }) => void check.equal('status', 500, 201)] })
    expect(rounds['one']).toBe(1)
  })
})

describe('a failure that is certain', () => {
  it('is reported while other cases still run, and what depends on it is not run again', async () => {
    const news: string[] = []
    let runsOfDependent = 0
    let end: () => void = () => {}
    const lastEnds = new Promise<void>((resolve) => (end = resolve))
    const cases = [
      define({
        id: 'service/engine/dependent',
        requirements: ['RTY-003', 'RTY-004'],
        level: 'must',
        title: 'waits for what does not arrive',
        run: async ({ missed, check }) => {
          runsOfDependent++
          missed('RTY-001')
          check.equal('attempts', 0, 1)
        },
      }),
      define({
        id: 'service/engine/cause',
        requirements: ['RTY-001'],
        level: 'must',
        title: 'the cause',
        run: async ({ check }) => void check.equal('attempts', 0, 1),
      }),
      define({
        id: 'service/engine/long',
        requirements: ['RTY-005'],
        level: 'must',
        title: 'runs until the others are reported',
        run: () => lastEnds,
      }),
    ]
    const results = await runCases(cases, subject, {
      seed: 1,
      concurrency: 3,
      onCaseEnd: ({ id, status }) => {
        news.push(`${id.split('/')[2]} ${status}`)
        if (news.length === 2) end()
      },
    })
    expect(news.toSorted()).toEqual(['cause failed', 'dependent skipped', 'long passed'])
    expect(runsOfDependent).toBe(1)
    expect(results.map(({ reruns }) => reruns)).toEqual([undefined, undefined, undefined])
  })

  it('records in its result why it was rerun', async () => {
    const { results } = await ran({
      one: [
        'RTY-002',
        ({ missed, check }, round) => {
          missed('RTY-001')
          if (round === 1) check.equal('attempts', 0, 1)
        },
      ],
    })
    expect(results['one']?.reruns).toEqual([
      { reason: 'waited', evidence: 'something did not arrive in its time', earlier: 'failed' },
    ])
  })

  it('is rerun with other cases if the target can serve them too', async () => {
    let end: () => void = () => {}
    const confirmed = new Promise<void>((resolve) => (end = resolve))
    const waited = define({
      id: 'service/engine/waited',
      requirements: ['RTY-002'],
      level: 'must',
      title: 'waits for what does not arrive',
      run: async ({ missed, check }) => {
        missed('RTY-002')
        check.equal('attempts', 0, 1)
      },
    })
    const long = define({
      id: 'service/engine/long',
      requirements: ['RTY-005'],
      level: 'must',
      title: 'runs until the other is confirmed',
      run: () => confirmed,
    })
    const [result] = await runCases(
      [waited, long],
      { ...subject, calmWidth: Infinity },
      { seed: 1, concurrency: 2, onCaseEnd: () => end() },
    )
    expect(result).toMatchObject({ status: 'failed', reruns: [{ reason: 'waited' }] })
  })

  it('is confirmed by three of its kind', async () => {
    const missing: Question = ({ missed, check }) => {
      missed()
      check.equal('attempts', 0, 1)
    }
    const names = Array.from({ length: 6 }, (_, index) => `case${index}`)
    const { results, rounds } = await ran(
      Object.fromEntries(names.map((name) => [name, ['RTY-002', missing] as const])),
    )
    expect(names.map((name) => results[name]?.status)).toEqual(names.map(() => 'failed'))
    expect(names.map((name) => rounds[name])).toEqual([2, 2, 2, 1, 1, 1])
  })
})

describe('a case that depends on a requirement that failed in its own case', () => {
  const basic: [RequirementId, Question] = ['RTY-001', ({ check }) => void check.equal('attempts', 0, 1)]

  it('is not judged, whether it was a control or waited for', async () => {
    const { results } = await ran({
      basic,
      controlled: ['RTY-002', ({ require }) => void require.of('RTY-001').equal('attempts', 0, 1)],
      waiting: [
        'RTY-003',
        ({ missed, check }) => {
          missed('RTY-001')
          check.equal('attempts', 0, 1)
        },
      ],
      following: ['RTY-010', ({ check }) => void check.dependingOn('RTY-001').equal('next_attempt_at', 10, 5)],
    })
    expect(results['basic']?.status).toBe('failed')
    for (const name of ['controlled', 'waiting', 'following'])
      expect(results[name]).toMatchObject({
        status: 'skipped',
        reason: 'not evaluated because RTY-001 failed in service/engine/basic',
        not_judged: { see: 'RTY-001', failed_in: 'service/engine/basic' },
      })
  })

  it('is judged if that has not failed', async () => {
    const { results } = await ran({
      following: ['RTY-010', ({ check }) => void check.dependingOn('RTY-001').equal('next_attempt_at', 10, 5)],
    })
    expect(results['following']).toMatchObject({ status: 'failed', violates: ['RTY-010'] })
  })

  it('is judged for what it found by itself', async () => {
    const { results } = await ran({
      basic,
      both: [
        'RTY-002',
        ({ check }) => {
          check.equal('of its own', 1, 2)
          check.of('RTY-001').equal('attempts', 0, 1)
        },
      ],
    })
    expect(results['both']).toMatchObject({ status: 'failed', violates: ['RTY-002'] })
  })
})

test('a check of ours that throws fails no case, and names its place', async () => {
  const { results } = await ran({ one: ['EVT-004', () => void (undefined as unknown as string[]).includes('to')] })
  expect(results['one']).toMatchObject({ status: 'errored' })
  expect(results['one']?.message).toMatch(/^a check of the kit itself failed \(TypeError: .*engine\.test\.ts:\d+/)
})

it('runs a case that changes shared state when no other runs', async () => {
  const underWay = new Set<string>()
  const besides: number[] = []
  const cases = ['one', 'changing', 'two', 'changing-too'].map((name) =>
    caseDefiner<'service', CaseTools, string>('service')({
      id: `service/engine/${name}`,
      requirements: ['RTY-002'],
      level: 'must',
      title: name,
      needs: name.startsWith('changing') ? ['change'] : [],
      async run() {
        underWay.add(name)
        await pause(20)
        if (name.startsWith('changing')) besides.push(underWay.size)
        underWay.delete(name)
      },
    }),
  )
  const changing = {
    ...subject,
    concurrency: 4,
    isAlone: ({ needs }: { needs: readonly string[] }) => needs.length > 0,
  }
  const results = await runCases(cases, changing, { seed: 1 })
  expect(results.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed'])
  expect(besides).toEqual([1, 1])
})

describe('the clean-up of a case', () => {
  it('runs in reverse order, even if the case or another clean-up fails', async () => {
    const done: string[] = []
    const only = define({
      id: 'service/engine/one',
      requirements: ['RTY-002'],
      level: 'must',
      title: 'one case',
      async run({ cleanup, require }) {
        cleanup(async () => void done.push('first'))
        cleanup(() => Promise.reject(new Error('gone')))
        cleanup(() => {
          throw new Error('gone at once')
        })
        cleanup(async () => void done.push('last'))
        require.equal('status', 'failed', 'pending')
      },
    })
    const closing: typeof subject = {
      ...subject,
      open: async (tools, caseId) => ({
        ...(await subject.open(tools, caseId)),
        close: async () => void done.push('context'),
      }),
    }
    const [result] = await runCases([only], closing, { seed: 1 })
    expect(done).toEqual(['last', 'first', 'context'])
    expect(result).toMatchObject({ status: 'failed' })
  })
})

test('a target that was away fails no case', async () => {
  const only = define({
    id: 'service/engine/one',
    requirements: ['RTY-002'],
    level: 'must',
    title: 'one case',
    run: async (tools) => void plain(tools),
  })
  const [result] = await runCases([only], { ...subject, absence: async () => 'the target was away' }, { seed: 1 })
  expect(result).toMatchObject({ status: 'errored', message: 'no result: the target was away' })
})

test('an unusable input of the user gets its own message, and is not reported as a fault of the kit', async () => {
  class UsageError extends Error {
    override readonly name = 'UsageError'
  }
  const define = caseDefiner<'service', CaseTools, never>('service')
  const only = define({
    id: 'service/engine/one',
    requirements: ['RTY-002'],
    level: 'must',
    title: 'one case',
    run: () => Promise.reject(new UsageError('--journal j: cannot be written (ENOSPC)')),
  })
  const [result] = await runCases([only], subject, { seed: 1, maxRepeats: 0 })
  expect(result).toMatchObject({ status: 'errored', reason: '--journal j: cannot be written (ENOSPC)' })
})

test.each([
  [1, 1],
  [2, 2],
  [9, 4],
])('a limit of %i failures ends the run after %i', async (maxFailures, failed) => {
  const define = caseDefiner<'service', CaseTools, never>('service')
  const wrong = ['a', 'b', 'c', 'd'].map((name) =>
    define({
      id: `service/engine/${name}`,
      requirements: ['RTY-002'],
      level: 'must',
      title: 'one case',
      run: async ({ check }) => void check.equal('attempts', 2, 1),
    }),
  )
  const results = await runCases(wrong, subject, { seed: 1, concurrency: 1, maxFailures })
  expect(results.filter(({ status }) => status === 'failed')).toHaveLength(failed)
  expect(results.filter((result) => result.not_reached === true)).toHaveLength(4 - failed)
})
