// The reference judged as a service that somebody runs in one way or another, and what of the verdict would be unfair.
import type { Report } from '../../harness/index.js'
import { freePort } from '../../harness/listening.js'
import { bareTarget } from '../../harness/planning.js'
import { connectService, type ServiceTarget, type Trigger } from '../../harness/service/index.js'
import type { ReferenceServer } from '../../reference/server/index.js'

export const outcomes = ['delivered', 'deferred', 'bounced', 'complained', 'failed'] as const

/** What the configuration file of a staging org says: one sender, its inboxes, a sink, and triggers. */
export async function stagingConfiguration({ domain, inboxes }: ReferenceServer) {
  const port = await freePort()
  const triggers = outcomes.map((each): [string, Trigger] => [
    `message.${each}`,
    { kind: 'to', address: `${each}@simulator.example` },
  ])
  return {
    from: `Probe <probe@${domain}>`,
    inboxes,
    receiver: { host: '127.0.0.1', port, publicUrl: `https://127.0.0.1:${port}/hooks/` },
    triggers: Object.fromEntries(triggers),
  }
}

/** Connects to the server with its URL, its key and what `target` says, and nothing else. */
export function connectTo(server: ReferenceServer, target: Partial<ServiceTarget>) {
  return connectService({ ...bareTarget(server.url), apiKey: server.apiKey, ...target })
}

/** The cases that say something against a right service, each in a line: the failed and the errored, but those that `isForgiven` by what they say. */
export function unfairCases({ cases }: Report, isForgiven?: RegExp): string[] {
  return cases
    .filter(({ status }) => status === 'failed' || status === 'errored')
    .map(({ id, status, message, reason }) => ({ status, line: `${id}: ${message ?? reason ?? ''}` }))
    .filter(({ status, line }) => status === 'failed' || isForgiven?.test(line) !== true)
    .map(({ line }) => line)
}
