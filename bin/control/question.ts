import type { Capability } from '../../harness/planning.js'
import type { CheckedControl } from './checked-control.js'

/** One question about one call of the control interface. */
export interface Question {
  /** `POST /events`. */
  readonly call: string
  /** What a good one does, in a few words. */
  readonly expects: string
  /** What must be offered for it to be asked, the first of them its own. */
  readonly capabilities: readonly Capability[]
  /** The effect shows in the API (`--base-url`), or at a listener of this machine. */
  readonly needs?: 'service' | 'listener'
  /** Throws `Wrong` for what is not as it should be, `NotAsked` where it cannot be asked. */
  ask(checked: CheckedControl): Promise<void>
}
