import type { Capability } from '../../../../reference/server/index.js'
import { allCapabilities, startReferenceServer } from '../../../../reference/server/index.js'
import { countExchanges } from './counting.js'
import type { Part } from './host.js'

export interface ReferenceFacts {
  readonly url: string
  readonly apiKey: string
  readonly orgId: string
  readonly controlUrl: string
  readonly controlKey: string
  readonly inboxId: string
}

/**
 * Starts the reference server with its control interface, without the capabilities in `without`; its state in the file `data`. With
 * `counts` the function `exchanges` returns the exchanges so far.
 */
export async function start(
  options: { readonly without?: readonly Capability[]; readonly data?: string; readonly counts?: boolean } | null,
): Promise<Part> {
  const exchanges = options?.counts === true ? { exchanges: countExchanges() } : {}
  const capabilities = allCapabilities.filter((capability) => options?.without?.includes(capability) !== true)
  const server = await startReferenceServer({
    control: true,
    capabilities,
    ...(options?.data === undefined ? {} : { data: options.data }),
  })
  const { url, apiKey, orgId, controlUrl = '', controlKey = '', inboxes } = server
  const facts: ReferenceFacts = { url, apiKey, orgId, controlUrl, controlKey, inboxId: inboxes[0]?.id ?? '' }
  return { facts, calls: exchanges, close: () => server.close() }
}
