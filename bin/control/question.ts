import type { Capability } from '../../harness/planning.js'
import type { CheckedControl } from './checked-control.js'

/** One question about one call of the control interface. */
export interface Question {
  /** `POST /events`. */
  readonly call: string
  /** What a good one does, in a few words. */
  readonly expects: string
  /** The capabilities that the check needs, the first of them its own. */
  readonly capabilities: readonly Capability[]
  /** The effect shows in the API (`--base-url`), or at a listener of this machine. */
  readonly needs?: 'service' | 'listener'
  /** Throws `Wrong` for a fault, `NotAsked` if the check cannot run. */
  run(checked: CheckedControl): Promise<void>
}
