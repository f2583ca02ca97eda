import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CaseErrored, CheckFailed, type Checks } from './check.js'
import { createPropertyRunner, replayPathOf, type Counterexample, type PropertyRunner } from './property.js'

const seed = 7
const runner = (options: { replayPath?: string; shrink?: boolean; earlier?: Counterexample } = {}): PropertyRunner =>
  createPropertyRunner({ seed, runs: 100, shrink: true, signal: new AbortController().signal, ...options })

async function foundBy(action: Promise<void>): Promise<Counterexample> {
  const error: unknown = await action.catch((thrown: unknown) => thrown)
  if (!(error instanceof CheckFailed)) throw new Error(`expected a failed check, got ${String(error)}`)
  return error.counterexample as Counterexample
}

const tooLarge = (run: PropertyRunner, seen: number[] = []) =>
  run(fc.integer({ min: 0, max: 10_000 }), async (value, require) => {
    seen.push(value)
    require.ok('value', value < 17, 'under 17', value)
  })

test('a failing value is shrunk as far as possible, and reported as the smallest', async () => {
  expect(await foundBy(tooLarge(runner()))).toMatchObject({ value: 17, is_smallest: true })
})

test('where the budget ends the search, no value is reported as the smallest', async () => {
  const stubborn = fc.array(fc.integer(), { minLength: 200, maxLength: 400 })
  const found = await foundBy(
    runner()(stubborn, async (value, require) => void require.ok('sum', value.length < 150, 'short', value.length)),
  )
  expect(found.is_smallest).toBe(false)
})

test('the path of a counterexample leads to it at once, and to it alone', async () => {
  const found = await foundBy(tooLarge(runner()))
  const seen: number[] = []
  expect(await foundBy(tooLarge(runner({ replayPath: found.path }), seen))).toMatchObject({ value: 17 })
  expect(seen).toEqual([17])
})

test('a rerun tries the counterexample of the run before first, and looks for no smaller one', async () => {
  const earlier = await foundBy(tooLarge(runner()))
  const seen: number[] = []
  expect(await foundBy(tooLarge(runner({ earlier }), seen))).toEqual(earlier)
  expect(seen).toEqual([17])
})

test('a rerun in which the counterexample holds tries every value', async () => {
  const earlier = { ...(await foundBy(tooLarge(runner()))), path: '0' }
  const [usual, again]: [number[], number[]] = [[], []]
  const small = (seen: number[]) => async (value: number) => void seen.push(value)
  await runner()(fc.nat(16), small(usual))
  await runner({ earlier })(fc.nat(16), small(again))
  expect(again.slice(1)).toEqual(usual)
  await runner({ earlier: { ...earlier, path: '0:1:2:3:4:5' } })(fc.constant(1), async () => {})
})

test('a counterexample that contains bigints is printed in every report', async () => {
  const addresses = fc.tuple(
    fc.record({ value: fc.bigInt({ min: 5n, max: 9n }), host: fc.constant('h') }),
    fc.constant(''),
  )
  const found = await foundBy(
    runner()(addresses, async (_value, require) => void require.fail('value', 'another', 'this')),
  )
  expect(JSON.parse(JSON.stringify(found))).toMatchObject({ value: [{ value: '5', host: 'h' }, ''] })
})

test('the runner reports that it tries smaller values', async () => {
  const run = runner()
  const phases: boolean[] = []
  await foundBy(
    run(fc.constantFrom(1, 2, 3), async (_value, require) => {
      phases.push(run.isShrinking)
      require.fail('value', 'another', 'this one')
    }),
  )
  expect(phases[0]).toBe(false)
  expect(phases.slice(1).every(Boolean)).toBe(true)
  expect(run.isShrinking).toBe(false)
})

test('a question that could not be put ends the property, and is not made small', async () => {
  let count = 0
  const action = runner()(fc.integer(), async () => {
    count++
    throw new CaseErrored('no answer')
  })
  await expect(action).rejects.toThrow('no answer')
  expect(count).toBe(1)
})

class Step implements fc.AsyncCommand<{ count: number }, { count: number }> {
  check = () => true
  async run(model: { count: number }, real: { count: number; require?: never }): Promise<void> {
    model.count++
    real.count++
  }
  toString = () => 'Step()'
}

test('the path of a program of commands leads to the program that was found', async () => {
  const three = (run: PropertyRunner, seen: string[] = []) =>
    run(
      (replayPath) =>
        fc.commands([fc.constant(new Step())], {
          maxCommands: 12,
          size: 'max',
          ...(replayPath === undefined ? {} : { replayPath }),
        }),
      async (program, require) => {
        const real = { count: 0 }
        await fc.asyncModelRun(() => ({ model: { count: 0 }, real }), program)
        seen.push(`${real.count}`)
        require.ok('steps', real.count < 3, 'under 3', real.count)
      },
    )
  const found = await foundBy(three(runner()))
  expect(found.value).toBe('Step(),Step(),Step()')
  const seen: string[] = []
  expect((await foundBy(three(runner({ replayPath: replayPathOf(found) ?? '' }), seen))).value).toBe(found.value)
  expect(seen).toEqual(['3'])
})

test('values that do not rest on each other are tried side by side, the same ones in the same order', async () => {
  const numbers = fc.integer({ min: 0, max: 10_000 })
  const options = { runs: 6, examples: [3, 4] }
  const seed = { seed: 7, runs: undefined, shrink: true, signal: new AbortController().signal }
  const inTurn: number[] = []
  await createPropertyRunner(seed)(numbers, async (value) => void inTurn.push(value), options)
  const [seen, gates]: [number[], (() => void)[]] = [[], []]
  await createPropertyRunner(seed)(
    numbers,
    async (value) => {
      seen.push(value)
      // Nothing goes on until three are under way: one after the other this would never end.
      await new Promise<void>((go) => {
        gates.push(go)
        if (gates.length % 3 === 0) for (const gate of gates) gate()
      })
    },
    { ...options, atOnce: 3 },
  )
  expect(seen).toEqual(inTurn)
})

test('side by side the same counterexample is found as one by one, whichever fails first', async () => {
  const ends: (() => void)[] = []
  const find = (atOnce: number) =>
    foundBy(
      runner()(
        fc.integer({ min: 0, max: 10_000 }),
        async (value, require) => {
          // The values end in reverse: the last of three ends before the first.
          if (atOnce > 1 && ends.length < 2) await new Promise<void>((end) => void ends.push(end))
          else for (const end of ends) end()
          require.ok('value', value < 17, 'under 17', value)
        },
        { atOnce },
      ),
    )
  expect(await find(3)).toEqual(await find(1))
})

class Add implements fc.AsyncCommand<{ sum: number }, { sum: number; require: Checks }> {
  readonly #value: number

  constructor(value: number) {
    this.#value = value
  }

  check(): boolean {
    return true
  }

  async run(_model: { sum: number }, real: { sum: number; require: Checks }): Promise<void> {
    real.sum += this.#value
    real.require.ok('sum', real.sum < 50, 'under 50', real.sum)
  }

  toString(): string {
    return `Add(${this.#value})`
  }
}

test('a program that fails when run concurrently is reported with its actions, and the smallest is found', async () => {
  const find = (atOnce: number) =>
    foundBy(
      runner()(
        () => fc.commands([fc.nat(40).map((value) => new Add(value))], { maxCommands: 6 }),
        async (program, require) => fc.asyncModelRun(() => ({ model: { sum: 0 }, real: { sum: 0, require } }), program),
        { atOnce },
      ),
    )
  const found = await find(4)
  expect(found).toEqual(await find(1))
  expect(found.value).toMatch(/^Add\(\d+\),Add\(\d+\)$/)
})

test('a request that cannot run concurrently ends the case, with anything else under way', async () => {
  const abort = new AbortController()
  const run = createPropertyRunner({ seed, runs: 10, shrink: true, signal: abort.signal })
  const ended = run(fc.integer(), () => new Promise((_, reject) => abort.signal.addEventListener('abort', reject)), {
    atOnce: 4,
  })
  abort.abort(new CaseErrored('the case was ended'))
  await expect(ended).rejects.toBeDefined()
})
