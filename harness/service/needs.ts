import type { EventType } from '../../spec/index.js'

/**
 * Capabilities that a service case may need.
 * - `org`: a key, or a fresh workspace
 * - `sink`: the service can reach this run's webhook sink
 * - `event:<type>`: events of the type can be caused
 * - `past-events`: the org has earlier events, or the case can cause some
 * - `past-emails`: the org has earlier emails, or the case can send some
 * - `past-deliveries`: a webhook of the org has more than a page of deliveries, or the case can cause them
 * - `own-data`: events with data of the case's choosing can be raised
 * - `workspace`: a fresh workspace, in which only the case acts
 * - `inboxes`: two inboxes, each with a key of its own
 * - `projects`: several projects in one workspace, and a second org
 * - `second-key`: a key of another org
 * - `clock`: the workspace's clock can be moved
 * - `time:<ms>`: this much time can pass, by the clock or by waiting
 * - `dns`: the answers to the service's resolver can be set
 * - `named-sink`: the sink accepts deliveries under a name whose answers are set
 * - `direct-sink`: the service connects to the sink itself, without a gateway that answers instead
 * - `canary`: another loopback address than the sink's, to which the service must not connect
 * - `send`: emails can be sent from an address of the project
 * - `sending-status`: the workspace's sending can be paused and resumed
 */
export type ServiceNeed =
  | 'org'
  | 'sink'
  | `event:${EventType}`
  | 'past-events'
  | 'past-emails'
  | 'past-deliveries'
  | 'own-data'
  | 'workspace'
  | 'inboxes'
  | 'projects'
  | 'second-key'
  | 'clock'
  | `time:${number}`
  | 'dns'
  | 'named-sink'
  | 'direct-sink'
  | 'canary'
  | 'send'
  | 'sending-status'
