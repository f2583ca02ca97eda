import type { Store } from './database.js'
import type { DeliveryEngine } from './delivery-engine.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Directory } from './directory.js'
import type { EventStore } from './event-store.js'
import type { EventRecord, Policy } from './policy.js'
import type { WebhookStore } from './webhook-store.js'

export interface NewEvent {
  readonly orgId: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /** Instant on the workspace's clock; now when absent. */
  readonly at?: number
}

/** Records an event and its deliveries; the first record when there are copies, undefined when it is lost. */
export type Raise = (event: NewEvent) => EventRecord | undefined

/** Records events with all that follows from them. */
export type Recorder = ReturnType<typeof createRecorder>

export function createRecorder(options: {
  policy: Policy
  store: Store
  directory: Directory
  events: EventStore
  deliveries: DeliveryStore
  webhooks: WebhookStore
  engine: DeliveryEngine
  publish: (event: EventRecord) => void
}) {
  const { policy, store, directory, events, deliveries, webhooks, engine, publish } = options

  function insert(event: NewEvent, workspaceId: string, woken: Set<string>): EventRecord {
    const at = event.at ?? engine.now(workspaceId)
    const data = policy.eventData(event.type, event.data)
    const inboxId = event.data['inbox_id']
    const record = events.insert({
      type: policy.eventType(event.type),
      time: policy.formatTime(at),
      orgId: event.orgId,
      inboxId: typeof inboxId === 'string' ? inboxId : null,
      dataJson: JSON.stringify(data),
    })
    const candidates = policy.fanOutOrgs === 'own' ? webhooks.ofOrg(event.orgId) : webhooks.ofEveryOrg()
    const matching = candidates.filter(
      (webhook) =>
        !(webhook.isDeleted && policy.deleteStopsEvents) &&
        !(policy.fanOutOrgs === 'own-and-inbox' && webhook.orgId !== record.orgId && webhook.inboxId === null) &&
        !webhooks.isDisabled(webhook.id) &&
        policy.matchesTypes(webhook.eventTypes, record.type) &&
        policy.matchesInbox(webhook.inboxId, record),
    )
    for (const webhook of policy.fanOut(matching)) {
      for (let copy = 0; copy < policy.deliveriesPerMatch; copy++) {
        const dueAt = at + (policy.retryDelaysMs[0] ?? 0)
        const { workspaceId: owner, id: webhookId } = webhook
        deliveries.create({ workspaceId: owner, webhookId, eventId: record.id, dueAt, replayOf: null, nowMs: at })
        woken.add(owner)
      }
    }
    return record
  }

  return {
    /** Runs `work` in one transaction with every event it raises; publishes them once it is committed. */
    record<Result>(work: (raise: Raise) => Result): Result {
      const raised: EventRecord[] = []
      const woken = new Set<string>()
      const result = store.transaction(() =>
        work((event) => {
          const workspaceId = directory.workspaceOfOrg(event.orgId)
          if (workspaceId === undefined) return undefined
          const copies = policy.eventCopies(event.type)
          const records = Array.from({ length: copies }, () => insert(event, workspaceId, woken))
          raised.push(...records)
          return records[0]
        }),
      )
      for (const event of raised) publish(event)
      for (const workspaceId of woken) engine.wake(workspaceId)
      return result
    },
  }
}
