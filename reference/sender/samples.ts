import { randomUUID } from 'node:crypto'
import { eventTypes, type EventType } from '../../spec/index.js'

/** Data of an event of each kind. */
export function sampleOf(type: EventType): Readonly<Record<string, unknown>> {
  const mark = randomUUID().slice(0, 8)
  const message = { message_id: `msg_${mark}`, inbox_id: 'ibx_1', thread_id: `thr_${mark}` }
  switch (eventTypes[type]) {
    case 'received':
      return { ...message, from: 'Ada <ada@example.com>', subject: 'Grüße' }
    case 'queued':
      return { ...message, to: ['ada@example.com'], cc: [], subject: 'Hello' }
    case 'delivery':
      return {
        ...message,
        recipient: 'ada@example.com',
        response: '250 2.0.0 OK',
        bounce_classification: null,
        permanent: type === 'message.bounced',
        status: type.slice('message.'.length),
      }
    case 'workspace':
      return type === 'sending.paused'
        ? {
            workspace_id: 'wsp_1',
            status: 'paused',
            reason: 'complaints',
            paused_at: new Date().toISOString(),
            stats: {},
          }
        : { workspace_id: 'wsp_1', status: 'active' }
  }
}
