// The names that the mutants of the receiver use in the entries of a policy that they replace, next to `policy`, the reference's own.
export const knownTypes = new Set([
  'message.received',
  'message.queued',
  'message.delivered',
  'message.deferred',
  'message.bounced',
  'message.complained',
  'message.failed',
  'sending.paused',
  'sending.resumed',
])
export const knownFields = new Set(['id', 'type', 'timestamp', 'data'])
