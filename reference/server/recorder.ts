import type { WorkspaceQueues } from './engine/queues.js'
import type { Store } from './store/database.js'
import type { DeliveryStore } from './store/delivery-store.js'
import type { Directory } from './store/directory.js'
import type { EventStore } from './store/event-store.js'
import type { EventRecord, Policy } from './policy.js'
import type { WebhookStore } from './store/webhook-store.js'

export interface NewEvent {
  readonly orgId: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /** Instant on the workspace's clock; now when absent. */
  readonly at?: number
}

/** Records events with all that follows from them. */
export type Recorder = ReturnType<typeof createRecorder>

export function createRecorder(options: {
  policy: Policy
  store: Store
  directory: Directory
  events: EventStore
  deliveries: DeliveryStore
  webhooks: WebhookStore
  queues: Pick<WorkspaceQueues, 'now' | 'wake'>
  publish: (event: EventRecord) => void
}) {
  const { policy, store, directory, events, deliveries, webhooks, queues, publish } = options

  function insert(event: NewEvent, at: number): EventRecord {
    const data = policy.eventData(event.type, event.data)
    const inboxId = event.data['inbox_id']
    return events.insert({
      type: event.type,
      time: policy.formatTime(at),
      orgId: event.orgId,
      inboxId: typeof inboxId === 'string' ? inboxId : null,
      dataJson: JSON.stringify(data),
    })
  }

  /** A delivery for each webhook that gets the event. */
  function fanOut(event: EventRecord, at: number): void {
    const matching = webhooks
      .ofOrg(event.orgId)
      .filter(
        (webhook) =>
          !webhook.isDeleted &&
          policy.matchesTypes(webhook.eventTypes, event.type) &&
          policy.matchesInbox(webhook.inboxId, event),
      )
    for (const { id: webhookId, workspaceId } of matching) {
      const dueAt = at + (policy.retryDelaysMs[0] ?? 0)
      deliveries.create({ workspaceId, webhookId, eventId: event.id, dueAt, replayOf: null, nowMs: at })
      queues.wake(workspaceId)
    }
  }

  return {
    /**
     * Records an event and its deliveries, in the transaction under way or one of its own; it is published once that is
     * committed. Undefined for an org that does not exist.
     */
    raise(event: NewEvent): EventRecord | undefined {
      const workspaceId = directory.workspaceOfOrg(event.orgId)
      if (workspaceId === undefined) return undefined
      return store.transaction(() => {
        const at = event.at ?? queues.now(workspaceId)
        const record = insert(event, at)
        fanOut(record, at)
        store.afterCommit(() => publish(record))
        return record
      })
    },
  }
}
