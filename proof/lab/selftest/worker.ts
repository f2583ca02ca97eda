// A process that runs trials: one task a message, its result a message, in any order.
import { installLoopbackGuard } from '../../../harness/loopback.js'
import { tryCaseOn, type CaseKill } from './case-kills.js'
import { tryConforming, type ConformingTrial, type FalsePositive } from './conforming.js'
import type { MutantResult } from './judge.js'
import { tryMutant } from './mutants.js'
import { tryTraffic, type TrafficResult, type TrafficTrial } from './traffic.js'
import { mutantTrials } from './trials.js'

export type Task =
  | {
      readonly kind: 'mutant'
      readonly mutant: string
      readonly seed: number
      readonly likely: readonly string[]
      readonly idle: readonly string[]
      readonly isWhole: boolean
      readonly isAlone: boolean
    }
  | { readonly kind: 'case'; readonly mutant: string; readonly caseId: string; readonly seed: number }
  | { readonly kind: 'conforming'; readonly trial: ConformingTrial }
  | { readonly kind: 'traffic'; readonly trial: TrafficTrial; readonly seed: number }

/**
 * The result of a task: a mutant's verdict, the result of a case on it, the false positives of a conforming subject, or the findings in its
 * traffic.
 */
export type TaskResult = MutantResult | CaseKill | readonly FalsePositive[] | TrafficResult

export interface Request {
  readonly number: number
  readonly task: Task
}

export type Reply = { readonly number: number } & ({ readonly result: TaskResult } | { readonly error: string })

async function perform(task: Task): Promise<TaskResult> {
  if (task.kind === 'conforming') return tryConforming(task.trial)
  if (task.kind === 'traffic') return tryTraffic(task.trial, task.seed)
  const trial = mutantTrials(task.seed).find((candidate) => candidate.id === task.mutant)
  if (trial === undefined) throw new Error(`no mutant ${task.mutant}`)
  if (task.kind === 'case') return tryCaseOn(trial, task.caseId)
  const { likely, idle, isWhole, isAlone } = task
  return tryMutant(trial, { likely, idle: new Set(idle), isWhole, isAlone })
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
