import type { OpenPointId } from '../open-points.js'
import type { RequirementId } from '../index.js'

/**
 * What becomes of a sentence of the interface: the requirements it was cut into and the open points it leaves, or why nothing
 * is asked of anybody.
 */
export type Account = readonly (RequirementId | OpenPointId)[] | Reason

/** Why no requirement and no open point stands by a sentence. */
export interface Reason {
  readonly reason: string
}

/** The sentences of the interface by the anchor of their heading, each as `sentencesOf` tells it. */
export type Accounts = Readonly<Record<`#${string}`, Readonly<Record<string, Account>>>>

/** A sentence that asks nothing. */
export function asksNothing(reason: string): Reason {
  return { reason }
}
