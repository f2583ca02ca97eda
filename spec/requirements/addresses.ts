import { service } from './define.js'

/** NET: which addresses a webhook may have. */
export const addresses = {
  'NET-001': service.must('#webhook', 'A `url` whose host is a private address is refused.'),
  'NET-002': service.must('#webhook', 'A `url` whose host is a loopback address is refused.'),
  'NET-003': service.must(
    '#webhook',
    'A `url` whose host is a reserved address (link-local, shared, documentation, benchmarking, multicast, unspecified and other special-purpose blocks) is refused.',
  ),
  'NET-004': service.must(
    '#webhook',
    'Refusal covers every spelling of such an address that URL parsing turns into it (decimal, hexadecimal, octal, short, percent-encoded, full-width, trailing dot).',
  ),
  'NET-005': service.must(
    '#webhook',
    'Refusal covers IPv6 addresses, and IPv6 forms that contain a private IPv4 address.',
  ),
  'NET-006': service.must('#webhook', 'A public `https://` URL is accepted, also one just outside a refused block.'),
  'NET-007': service.must(
    '#webhook-delivery-status',
    'When the target URL resolves to a private address at delivery time, no connection is made to that address.',
  ),
  'NET-008': service.must(
    '#retries-of-a-delivery',
    'A URL that resolves to a private address fails at once with `blocked_private_address`.',
  ),
  'NET-009': service.must(
    '#retries-of-a-delivery',
    'A delivery blocked for a private address is `failed` and is not retried.',
  ),
  'NET-010': service.must(
    '#webhook',
    'The check holds at delivery time: a name that was public when the webhook was created and is private when an event is raised is blocked.',
  ),
  'NET-011': service.must(
    '#webhook-delivery-status',
    'The address that was checked is the address that is connected to: a name that changes its answer between check and connect reaches no private address.',
  ),
  'NET-012': service.must('#webhook', 'If a name resolves to several addresses, no private one is ever connected to.'),
  'NET-013': service.must(
    '#webhook-delivery-status',
    'Each attempt is checked: a name that becomes private between two attempts is blocked at the next one.',
  ),
  'NET-014': service.should(
    '#webhook',
    'A `url` whose host is a name for the local machine (`localhost`) is refused when the webhook is created.',
  ),
  'NET-015': service.must(
    '#webhook',
    'Each delivery resolves the name again: a name that was blocked gets deliveries again once it resolves to an allowed address.',
  ),
  'NET-016': service.should(
    '#webhook',
    'A `url` whose host is not a usable public name or address (a single label, a malformed host or port) is refused when the webhook is created.',
  ),
  'NET-017': service.should(
    '#webhook',
    'A public `https://` URL is accepted in its usual forms: with a query, a default port, a percent-encoded path, without a path.',
  ),
  'NET-018': service.must(
    '#webhook',
    'No request of the service to a url reaches a private, loopback or reserved address, including its own request when the webhook is created.',
  ),
} as const
