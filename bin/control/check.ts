import { CaseErrored } from '../../harness/service-calls.js'
import type { Capability } from '../../harness/planning.js'
import { PreconditionMissing, ControlFault, type CheckedControl } from './checked-control.js'
import { effectQuestions } from './effects.js'
import { describeQuestions, formQuestions } from './forms.js'
import type { Question } from './question.js'

/** The result of one check. */
export type Finding =
  | { readonly outcome: 'right' }
  | { readonly outcome: 'wrong'; readonly expected: string; readonly got: string }
  | { readonly outcome: 'not run'; readonly why: string }

/** Every check, in order. */
export const questions: readonly Question[] = [...describeQuestions, ...formQuestions, ...effectQuestions]

/**
 * Runs every check, and reports each result as it arrives; a control interface that does not describe itself gets no more calls, nor does
 * one after the signal. Drops the workspaces it made however it ends.
 */
export async function checkControl(
  checked: CheckedControl,
  onFinding: (question: Question, finding: Finding) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const question of questions) {
    if (signal.aborted) return
    try {
      const finding = await find(question, checked)
      onFinding(question, finding)
      if (question === questions[0] && finding.outcome === 'wrong' && checked.offered.size === 0) return
    } catch (error) {
      if (!signal.aborted || !(error instanceof CaseErrored)) throw error
    } finally {
      await checked.clear()
    }
  }
}

async function find(question: Question, checked: CheckedControl): Promise<Finding> {
  const missing = question.capabilities.find((capability) => !checked.offered.has(capability))
  if (missing !== undefined) return { outcome: 'not run', why: notOffered(missing) }
  if (question.needs === 'service' && !checked.hasService) return { outcome: 'not run', why: 'needs --base-url' }
  if (question.needs === 'listener' && checked.place === undefined)
    return { outcome: 'not run', why: 'needs --base-url of a service on this machine' }
  try {
    await question.run(checked)
    return { outcome: 'right' }
  } catch (error) {
    if (error instanceof ControlFault) return { outcome: 'wrong', expected: error.expected, got: error.got }
    if (error instanceof PreconditionMissing) return { outcome: 'not run', why: error.message }
    throw error
  }
}

function notOffered(capability: Capability): string {
  return `${capability} is not offered`
}
