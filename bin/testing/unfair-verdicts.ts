// Judges the reference as it may be deployed, and finds unfair verdicts.
import type { Report } from '../../harness/index.js'
import { freePort } from '../../harness/webhook-sink.js'
import { bareTarget } from '../../harness/planning.js'
import { connectService, type ServiceTarget, type Trigger } from '../../harness/service/index.js'
import type { ReferenceServer } from '../../reference/server/index.js'

export const outcomes = ['delivered', 'deferred', 'bounced', 'complained', 'failed'] as const

/** Returns the configuration of a staging org: one sender, its inboxes, a sink, and triggers. */
export async function stagingConfiguration({ domain, inboxes }: ReferenceServer) {
  const port = await freePort()
  const triggers = outcomes.map((outcome): [string, Trigger] => [
    `message.${outcome}`,
    { kind: 'to', address: `${outcome}@simulator.example` },
  ])
  return {
    from: `Probe <probe@${domain}>`,
    inboxes,
    receiver: { host: '127.0.0.1', port, publicUrl: `https://127.0.0.1:${port}/hooks/` },
    triggers: Object.fromEntries(triggers),
  }
}

/** Connects to the server with its URL, its key and the settings of `target`, and nothing else. */
export function connectTo(server: ReferenceServer, target: Partial<ServiceTarget>) {
  return connectService({ ...bareTarget(server.url), apiKey: server.apiKey, ...target })
}

/**
 * Returns the cases that accuse a correct service, a line each: the failed and the errored, except those with a message that `isForgiven`
 * matches.
 */
export function unfairCases({ cases }: Report, isForgiven?: RegExp): string[] {
  return cases
    .filter(({ status }) => status === 'failed' || status === 'errored')
    .map(({ id, status, message, reason }) => ({ status, line: `${id}: ${message ?? reason ?? ''}` }))
    .filter(({ status, line }) => status === 'failed' || isForgiven?.test(line) !== true)
    .map(({ line }) => line)
}
