import { rawBodyRemedy } from '../causes/frameworks.js'
import type { Fault } from './finding.js'

/** Where a body was parsed and serialized again, the remedy names how to get the raw bytes in each framework. */
export function withFrameworks(fault: Fault): Fault {
  return fault.cause === 'body-rewritten' ? { ...fault, remedy: rawBodyRemedy([]) } : fault
}
