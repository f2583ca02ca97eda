import { eventTypes, type EventType } from '../../../spec/index.js'
import { randomId } from '../ids.js'

/** Data of an event as the page sends it: complete, and of its own message each time. */
export function sampleOf(type: EventType, place: { inboxId: string; workspaceId: string }): Record<string, unknown> {
  const message = { message_id: randomId('msg_'), inbox_id: place.inboxId, thread_id: randomId('thr_') }
  switch (eventTypes[type]) {
    case 'received':
      return { ...message, from: 'Ada Sender <ada@sender.example>', subject: 'Hello' }
    case 'queued':
      return { ...message, to: ['bob@recipient.example'], cc: [], subject: 'Hello' }
    case 'delivery':
      return { ...message, recipient: 'bob@recipient.example', ...outcomes[type as keyof typeof outcomes] }
    case 'workspace':
      return type === 'sending.paused'
        ? {
            workspace_id: place.workspaceId,
            status: 'paused',
            reason: 'bounce rate too high',
            paused_at: new Date().toISOString(),
            stats: { sent: 1000, bounced: 120 },
          }
        : { workspace_id: place.workspaceId, status: 'active' }
  }
}

const passed = { bounce_classification: null, permanent: false }

const outcomes = {
  'message.delivered': { response: '250 2.0.0 OK', ...passed, status: 'delivered' },
  'message.deferred': { response: '451 4.7.1 Try again later', ...passed, status: 'deferred' },
  'message.bounced': {
    response: '550 5.1.1 No such user',
    bounce_classification: 'invalid_recipient',
    permanent: true,
    status: 'bounced',
  },
  'message.complained': { response: 'abuse report', ...passed, status: 'complained' },
  'message.failed': { response: '451 4.4.7 Delivery time expired', ...passed, status: 'failed' },
} as const
