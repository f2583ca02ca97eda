import type { Control } from './control.js'
import { defaultPublicHost, type ServiceTarget } from './target.js'

/** A loopback address at which nothing listens, for the name of webhooks that are never delivered to. */
const deadAddress = '127.0.0.78'

/**
 * Gives the default public host an address if the service's resolver can be controlled: a test deployment without DNS may refuse a name
 * without one. It is an unused, exempted loopback address, so that implementations connect to nothing real.
 */
export async function givePublicHostAnAddress(target: ServiceTarget, control: Control | undefined): Promise<void> {
  if (target.publicHost !== undefined || control === undefined) return
  if (!control.offered.has('dns') || !control.offered.has('egress')) return
  try {
    await control.allowEgress([`${deadAddress}:443`], undefined)
    await control.setAnswers(defaultPublicHost, [[deadAddress]])
  } catch {
    // A control interface may know names of its own zone alone; then the name has the address that it has.
  }
}
