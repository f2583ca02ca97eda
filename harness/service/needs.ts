import type { EventType } from '../../spec/index.js'

/**
 * Powers a service case may need.
 * - `org`: a key, or a fresh workspace
 * - `sink`: the service can reach this run's webhook sink
 * - `event:<type>`: events of the type can be caused
 * - `past-events`: the org has events of before, or the case can cause some
 * - `past-emails`: the org has emails of before, or the case can send some
 * - `past-deliveries`: a webhook of the org has more than a page of deliveries, or the case can cause them
 * - `own-data`: events with data of the case's choosing can be raised
 * - `workspace`: a fresh workspace, in which nothing happens but what the case does
 * - `inboxes`: two inboxes, each with a key of its own
 * - `projects`: several projects in one workspace, and a second org
 * - `second-key`: a key of another org
 * - `clock`: the workspace's clock can be moved
 * - `time:<ms>`: so much time can pass, by the clock or by waiting
 * - `dns`: the answers the service's resolver gets can be set
 * - `named-sink`: the sink can be delivered to under a name whose answers are set
 * - `direct-sink`: the service connects to the sink itself: no gateway stands between that answers in its place
 * - `canary`: a loopback address beside the sink's that the service must not connect to
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
