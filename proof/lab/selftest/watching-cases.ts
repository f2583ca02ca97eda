/**
 * Cases that always run with a mutant: they show deliveries, frames, pages and answers to the checks that are always on, and an endpoint
 * the forgeries after which it must still answer.
 */
export const watchingCases: readonly string[] = [
  'service/signatures/signs-a-delivery',
  'service/event-types/message-received-is-seen-everywhere',
  'service/delivery-list/is-newest-first',
  'service/polling/is-oldest-first',
  'service/webhooks/creates-with-201',
  'service/errors/unknown-ids-get-an-error',
  'receiver/malformed/keeps-accepting-after-an-attack',
]
