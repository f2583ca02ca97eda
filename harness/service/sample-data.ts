import { eventTypes, type EventType } from '../../spec/index.js'

export interface SampleOptions {
  readonly inboxId: string
  readonly workspaceId: string
  /** Unique text by which the event is known again. */
  readonly mark: string
  /** Text before the mark in a subject. */
  readonly subject?: string
}

/** Complete data of an event type, as the interface's table of data kinds has it, with `mark` in it. */
export function sampleData(
  type: EventType,
  { inboxId, workspaceId, mark, subject = 'Hello' }: SampleOptions,
): Record<string, unknown> {
  const message = { message_id: `msg_${mark}`, inbox_id: inboxId, thread_id: `thr_${mark}` }
  switch (eventTypes[type]) {
    case 'received':
      return { ...message, from: 'Ada Sender <ada@sender.example>', subject: `${subject} ${mark}` }
    case 'queued':
      return {
        ...message,
        to: ['bob@recipient.example'],
        cc: ['carol@recipient.example'],
        subject: `${subject} ${mark}`,
      }
    case 'delivery':
      return { ...message, recipient: `${mark}@recipient.example`, ...outcomes[type as keyof typeof outcomes] }
    case 'workspace':
      return type === 'sending.paused'
        ? {
            workspace_id: workspaceId,
            status: 'paused',
            reason: `bounce rate ${mark}`,
            paused_at: '2026-01-02T03:04:05.678Z',
            stats: { sent: 1000, bounced: 120 },
          }
        : { workspace_id: workspaceId, status: 'active' }
  }
}

const outcomes = {
  'message.delivered': { response: '250 2.0.0 OK', bounce_classification: null, permanent: false, status: 'delivered' },
  'message.deferred': {
    response: '451 4.7.1 Try again later',
    bounce_classification: 'transient',
    permanent: false,
    status: 'deferred',
  },
  'message.bounced': {
    response: '550 5.1.1 No such user',
    bounce_classification: 'invalid_recipient',
    permanent: true,
    status: 'bounced',
  },
  'message.complained': {
    response: 'abuse report',
    bounce_classification: null,
    permanent: false,
    status: 'complained',
  },
  'message.failed': {
    response: '451 4.4.7 Delivery time expired',
    bounce_classification: 'expired',
    permanent: false,
    status: 'failed',
  },
} as const
