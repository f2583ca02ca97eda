// A process that runs trials: one task a message, its result a message, in any order.
import { installLoopbackGuard } from '../../harness/loopback.js'
import { tryConforming, type ConformingTrial, type Conviction } from './conforming.js'
import type { MutantResult } from './judge.js'
import { tryMutant } from './mutants.js'
import { mutantTrials } from './trials.js'

export type Task =
  | {
      readonly kind: 'mutant'
      readonly mutant: string
      readonly seed: number
      readonly idle: readonly string[]
      readonly isWhole: boolean
    }
  | { readonly kind: 'conforming'; readonly trial: ConformingTrial }

/** What a task comes to: a mutant's verdict, or what convicted a conforming subject. */
export type TaskResult = MutantResult | readonly Conviction[]

export interface Request {
  readonly number: number
  readonly task: Task
}

export type Reply = { readonly number: number } & ({ readonly result: TaskResult } | { readonly error: string })

async function perform(task: Task): Promise<TaskResult> {
  if (task.kind === 'conforming') return tryConforming(task.trial)
  const trial = mutantTrials(task.seed).find((each) => each.id === task.mutant)
  if (trial === undefined) throw new Error(`no mutant ${task.mutant}`)
  return tryMutant(trial, { idle: new Set(task.idle), isWhole: task.isWhole })
}

installLoopbackGuard()
process.on('message', ({ number, task }: Request) => {
  perform(task).then(
    (result) => process.send?.({ number, result } satisfies Reply),
    (error: unknown) =>
      process.send?.({
        number,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies Reply),
  )
})
process.on('disconnect', () => process.exit(0))
