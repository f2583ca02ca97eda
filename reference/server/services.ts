import type { Store } from './database.js'
import type { DeliveryEngine } from './delivery-engine.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Directory } from './directory.js'
import type { Egress } from './egress.js'
import type { EmailStore } from './email-store.js'
import type { EventStore } from './event-store.js'
import type { Mail } from './mail.js'
import type { Policy } from './policy.js'
import type { Recorder } from './recorder.js'
import type { Resolver } from './resolver.js'
import type { Settings } from './settings.js'
import type { Stream } from './stream.js'
import type { WebhookStore } from './webhook-store.js'

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
  readonly engine: DeliveryEngine
  readonly recorder: Recorder
  readonly mail: Mail
  readonly stream: Stream
}
