import type { OpenPointId } from '../open-points.js'
import type { RequirementId } from '../index.js'

/** The treatment of a sentence of the interface: its requirements and the open points it leaves, or why it has none. */
export type Account = readonly (RequirementId | OpenPointId)[] | Reason

/** Why a sentence has neither a requirement nor an open point. */
export interface Reason {
  readonly reason: string
}

/** The sentences of the interface by the anchor of their heading, each as `sentencesOf` returns it. */
export type Accounts = Readonly<Record<`#${string}`, Readonly<Record<string, Account>>>>

/** Marks a sentence without a requirement. */
export function withoutRequirement(reason: string): Reason {
  return { reason }
}
