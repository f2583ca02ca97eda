import type { ClientPolicy } from '../../reference/client/policy.js'

/** Paths of our own for the methods whose paths are not shown. */
export const unshownPaths: ClientPolicy['unshownPaths'] = {
  'messages.send': { method: 'POST', path: '/v1/inboxes/{inbox_id}/messages', argument: 'body' },
  'messages.reply': { method: 'POST', path: '/v1/messages/{id}/reply', argument: 'body' },
  'messages.list': { method: 'GET', path: '/v1/messages', argument: 'query' },
  'messages.raw': { method: 'GET', path: '/v1/messages/{id}/raw', isText: true },
  // The service waits, and answers null where nothing arrives.
  'messages.wait': { method: 'GET', path: '/v1/messages/wait', argument: 'query' },
  'inboxes.create': { method: 'POST', path: '/v1/inboxes', argument: 'body' },
  'threads.list': { method: 'GET', path: '/v1/threads', argument: 'query' },
  'threads.get': { method: 'GET', path: '/v1/threads/{id}' },
  'conversations.list': { method: 'GET', path: '/v1/conversations', argument: 'query' },
  'conversations.update': { method: 'PATCH', path: '/v1/conversations/{id}', argument: 'body' },
  'domains.create': { method: 'POST', path: '/v1/domains', argument: 'body' },
  'domains.verify': { method: 'POST', path: '/v1/domains/{domain}/verify' },
  'keys.create': { method: 'POST', path: '/v1/keys', argument: 'body' },
  'suppressions.delete': { method: 'DELETE', path: '/v1/suppressions/{address}', bodyNotShown: true },
  'senders.list': { method: 'GET', path: '/v1/senders' },
}
