import type { Store } from './store/database.js'
import type { DeliveryEngine } from './engine/delivery-engine.js'
import type { DeliveryStore } from './store/delivery-store.js'
import type { Directory } from './store/directory.js'
import type { Egress } from './egress/egress.js'
import type { EmailStore } from './store/email-store.js'
import type { EventStore } from './store/event-store.js'
import type { Mail } from './mail.js'
import type { Policy } from './policy.js'
import type { Recorder } from './recorder.js'
import type { Resolver } from './egress/resolver.js'
import type { Settings } from './store/settings.js'
import type { Stream } from './stream.js'
import type { WorkspaceQueues } from './engine/queues.js'
import type { WebhookStore } from './store/webhook-store.js'

/** The parts of one server, as routes and the control interface use them. */
export interface Services {
  readonly policy: Policy
  readonly store: Store
  readonly settings: Settings
  readonly directory: Directory
  readonly webhooks: WebhookStore
  readonly events: EventStore
  readonly deliveries: DeliveryStore
  readonly emails: EmailStore
  readonly resolver: Resolver
  readonly egress: Egress
  readonly queues: WorkspaceQueues
  readonly engine: DeliveryEngine
  readonly recorder: Recorder
  readonly mail: Mail
  readonly stream: Stream
}
