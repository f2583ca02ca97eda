import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { caseDefiner, type CaseTools } from './case.js'
import { timingMark } from './check.js'
import { runCases } from './engine.js'
import { Secrets } from './secrets.js'
import type { Subject } from './subject.js'

const subject: Subject<CaseTools> = {
  kind: 'service',
  name: 'nobody',
  secrets: new Secrets(),
  concurrency: 1,
  lacks: () => undefined,
  open: async (tools) => ({ context: tools, exchanges: () => [], close: async () => {} }),
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

const measured = ({ check }: CaseTools) => check.between(`seconds ${timingMark}`, 9, 1, 2)
const plain = ({ check }: CaseTools) => check.equal('status', 'failed', 'pending')

describe('a case that did not pass while this process stood still', () => {
  /** The statuses of a case that stands still, and fails, the first `failures` times it is asked, and how often it was. */
  async function asked(failures: number, options: { standsStillMs: number; mostRepeats?: number }) {
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

  it('is asked again, and passes where it was noise', async () => {
    expect(await asked(2, { standsStillMs: 600 })).toEqual({ status: 'passed', count: 3 })
  })

  it('fails where it fails every time', async () => {
    expect(await asked(9, { standsStillMs: 600 })).toEqual({ status: 'failed', count: 3 })
  })

  it('is asked once where nobody wants it repeated', async () => {
    expect(await asked(1, { standsStillMs: 600, mostRepeats: 0 })).toEqual({ status: 'failed', count: 1 })
  })
})

describe('a time measured while this process stood still', () => {
  it('convicts nobody', async () => {
    expect(await judged(700, measured)).toMatchObject({ status: 'errored' })
  })

  it('nor does what was found behind it, which may follow from it', async () => {
    const both = (tools: CaseTools) => [measured(tools), plain(tools)]
    expect(await judged(700, (tools) => void both(tools))).toMatchObject({ status: 'errored' })
  })

  it('leaves what was found before it', async () => {
    const both = (tools: CaseTools) => [plain(tools), measured(tools)]
    expect(await judged(700, (tools) => void both(tools))).toEqual({ status: 'failed', found: ['status'] })
  })

  it('convicts where it ran on', async () => {
    expect(await judged(0, measured)).toEqual({ status: 'failed', found: [`seconds ${timingMark}`] })
  })

  it('leaves a mismatch that rests on no clock', async () => {
    expect(await judged(700, plain)).toEqual({ status: 'failed', found: ['status'] })
  })
})
