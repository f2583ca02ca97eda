import type { Case } from '../harness/case.js'
import type { SubjectKind } from '../spec/index.js'
import { clientCases } from '../suites/client/index.js'
import { receiverCases } from '../suites/receiver/index.js'
import { serviceCases } from '../suites/service/index.js'
import { verifierCases } from '../suites/verifier/index.js'
import { UsageError } from './usage.js'

/** What is known of a case without running it. */
export type CaseInfo = Omit<Case, 'run'>

export const subjectKinds: readonly SubjectKind[] = ['service', 'receiver', 'verifier', 'client']

/** Every case of every kind, in run order. */
export const catalogue: readonly CaseInfo[] = [...serviceCases, ...receiverCases, ...verifierCases, ...clientCases]

/** The kind the user named; undefined for all. */
export function subjectKind(text: unknown): SubjectKind | undefined {
  if (text === undefined) return undefined
  const kind = subjectKinds.find((each) => each === text)
  if (kind === undefined) throw new UsageError(`--subject ${String(text)}: expected one of ${subjectKinds.join(', ')}`)
  return kind
}
