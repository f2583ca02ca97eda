import { bareTarget } from '../../harness/planning.js'
import type { ServiceTarget } from '../../harness/service/index.js'
import type { ReferenceServer } from '../../reference/server/index.js'

/** What a run needs to know of a reference server. */
export type ReferenceFacts = Pick<ReferenceServer, 'url' | 'apiKey' | 'controlUrl' | 'controlKey'>

/** What makes the reference raise each type of its own: its simulator stands for the servers of recipients. */
const triggers: ServiceTarget['triggers'] = {
  'message.received': { kind: 'send_to_inbox' },
  'message.delivered': { kind: 'to', address: 'delivered@simulator.example' },
  'message.deferred': { kind: 'to', address: 'deferred@simulator.example' },
  'message.bounced': { kind: 'to', address: 'bounced@simulator.example' },
  'message.complained': { kind: 'to', address: 'complained@simulator.example' },
  'message.failed': { kind: 'to', address: 'failed@simulator.example' },
}

/** The reference server as a target: all else comes from the control interface, so nothing more is configured. */
export function referenceTarget(
  { url, apiKey, controlUrl, controlKey }: ReferenceFacts,
  { mutant, ...pace }: Partial<Pick<ServiceTarget, 'retryDepth' | 'maxRps'>> & { readonly mutant?: string } = {},
): ServiceTarget {
  return {
    ...bareTarget(url),
    name: mutant === undefined ? 'reference server' : `reference server with mutant ${mutant}`,
    apiKey,
    triggers,
    control: { url: controlUrl ?? '', key: controlKey ?? '' },
    ...pace,
  }
}
