// Data that careless code spoils when it rewrites an event: empty, zero, false or null, duplicates and long lists, numbers beyond 32 bits
// and fractions, and texts that look like another type.

import type { EventType } from '../../../spec/index.js'
import { sampleData } from '../../../harness/authoring.js'

type Data = Readonly<Record<string, unknown>>

const addresses = Array.from({ length: 40 }, (_, index) => `to-${index}@recipient.example`)

const odd: Readonly<Partial<Record<EventType, Data>>> = {
  'message.received': { subject: '' },
  'message.queued': {
    to: [...addresses, ...addresses.slice(0, 1)],
    cc: [],
    subject: ' a\\b &amp; 100%25 "q"\r\nCafe\u0301\u2028\u201cx\u201d \ud83d\udc4b\t',
  },
  'message.delivered': { response: '', bounce_classification: null },
  'message.deferred': { response: '2026-01-02T03:04:05.678901+02:00' },
  'message.bounced': { response: '550', permanent: false },
  'message.complained': { response: 'null', bounce_classification: 'true' },
  'sending.paused': { reason: '', stats: { sent: 5_000_000_000, bounced: 0, bounce_rate: 0.0425 } },
}

/** Complete data of an event type in which whatever may be odd is. */
export function oddData(type: EventType, options: Parameters<typeof sampleData>[1]): Record<string, unknown> {
  return { ...sampleData(type, options), ...odd[type] }
}
