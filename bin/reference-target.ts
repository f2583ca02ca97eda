import type { ServiceTarget } from '../harness/service/target.js'
import type { ReferenceServer } from '../reference/server/index.js'

/** What a run needs to know of a reference server. */
export type ReferenceFacts = Pick<ReferenceServer, 'url' | 'apiKey' | 'controlUrl' | 'controlKey'>

/** The reference server as a target: all of it comes from the control interface, so nothing is configured. */
export function referenceTarget(
  { url, apiKey, controlUrl, controlKey }: ReferenceFacts,
  pace: Pick<ServiceTarget, 'retryDepth' | 'maxRps'> = { retryDepth: 2, maxRps: Number.POSITIVE_INFINITY },
): ServiceTarget {
  return {
    name: 'reference server',
    baseUrl: url,
    apiKey,
    from: undefined,
    inboxes: [],
    receiver: undefined,
    triggers: {},
    dns: undefined,
    control: { url: controlUrl ?? '', key: controlKey ?? '' },
    ...pace,
  }
}
