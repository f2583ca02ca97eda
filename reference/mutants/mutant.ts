import type { RequirementId } from '../../spec/index.js'
import type { Policy } from '../server/index.js'

/** A reference broken in one way on purpose. */
export interface Mutant<P> {
  /** Permanent, kebab case: `server/retries-after-six-seconds`. */
  readonly id: string
  /** What is wrong, in one sentence a team would recognise. */
  readonly title: string
  /** The requirements the deviation contradicts. A case of one of them must fail. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]]
  /** The one replaced entry. */
  readonly policy: Partial<P>
}

export type ServerMutant = Mutant<Policy>
