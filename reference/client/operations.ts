/** A method of the API that the client wraps, by its dotted name. */
export type OperationName =
  | 'emails.send'
  | 'emails.batch'
  | 'emails.get'
  | 'emails.list'
  | 'emails.update'
  | 'emails.cancel'
  | 'webhooks.create'
  | 'webhooks.list'
  | 'webhooks.delete'
  | 'webhooks.deliveries'
  | 'webhooks.replay'
  | 'events.list'

/** Methods whose paths are not shown: see `unshownPaths` of the policy. */
export type UnshownOperationName =
  | 'messages.send'
  | 'messages.reply'
  | 'messages.list'
  | 'messages.raw'
  | 'messages.wait'
  | 'inboxes.create'
  | 'threads.list'
  | 'threads.get'
  | 'conversations.list'
  | 'conversations.update'
  | 'domains.create'
  | 'domains.verify'
  | 'keys.create'
  | 'suppressions.delete'
  | 'senders.list'

/** Whatever can be called. */
export type CallName = OperationName | UnshownOperationName

/** Where an operation goes. */
export interface OperationRule {
  readonly method: string
  /** Below the root; `{name}` stands for a path parameter. */
  readonly path: string
  /** The body of the answer is not shown: one that is empty or no JSON makes the value undefined. */
  readonly bodyNotShown?: boolean
}

/** The path of an operation that the interface does not show, and its parameters. */
export interface UnshownRule extends OperationRule {
  readonly argument?: 'query' | 'body'
  /** The answer is a text, not JSON. */
  readonly isText?: boolean
}

/** Every operation. Source: CLI-037 to CLI-042, CLI-046, CLI-047, spec/interface.md#endpoints. */
export const operations: Readonly<Record<OperationName, OperationRule>> = {
  'emails.send': { method: 'POST', path: '/v1/emails' },
  'emails.batch': { method: 'POST', path: '/v1/emails/batch' },
  'emails.get': { method: 'GET', path: '/v1/emails/{id}' },
  'emails.list': { method: 'GET', path: '/v1/emails' },
  'emails.update': { method: 'PATCH', path: '/v1/emails/{id}' },
  'emails.cancel': { method: 'POST', path: '/v1/emails/{id}/cancel' },
  'webhooks.create': { method: 'POST', path: '/v1/webhooks' },
  'webhooks.list': { method: 'GET', path: '/v1/webhooks' },
  'webhooks.delete': { method: 'DELETE', path: '/v1/webhooks/{id}', bodyNotShown: true },
  'webhooks.deliveries': { method: 'GET', path: '/v1/webhooks/{id}/deliveries' },
  'webhooks.replay': {
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/replay',
    bodyNotShown: true,
  },
  'events.list': { method: 'GET', path: '/v1/events' },
}
