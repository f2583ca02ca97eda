// Shapes of the lists of webhooks and of deliveries, which the interface does not show.
import { variant, type ServerVariant } from './server-variant.js'

/** A list as edges. */
const edgesOf = (items: readonly unknown[]) => ({
  connection: {
    edges: items.map((node, index) => ({ cursor: `c${index}`, node })),
    page_info: { has_next_page: false },
  },
})

export const listVariants: readonly ServerVariant[] = [
  variant('short-lists', 'webhooks are listed without their inboxes and event types', ['webhook-list-envelope'], {
    webhookListEnvelope: (items) => ({
      data: items.map((webhook) => ({ ...Object(webhook), inbox_id: undefined, event_types: undefined })),
    }),
  }),
  variant('bare-lists', 'lists are bare arrays', ['webhook-list-envelope', 'delivery-list-envelope'], {
    webhookListEnvelope: (items) => items,
    deliveryListEnvelope: (items) => items,
  }),
  variant('named-lists', 'names lists after their items', ['webhook-list-envelope', 'delivery-list-envelope'], {
    webhookListEnvelope: (items) => ({ object: 'list', webhooks: items, has_more: false }),
    deliveryListEnvelope: (items) => ({ object: 'list', deliveries: items, has_more: false }),
  }),
  variant(
    'lists-in-an-envelope',
    'puts lists deeper in their envelope, next to arrays and links',
    ['webhook-list-envelope', 'delivery-list-envelope'],
    {
      webhookListEnvelope: (items) => ({ object: 'page', result: { items, links: [], total: items.length } }),
      deliveryListEnvelope: (items) => ({ links: [{ rel: 'self' }], response: { page: { deliveries: items } } }),
    },
  ),
  variant(
    'lists-in-edges',
    'webhooks and deliveries are listed as edges, each with a cursor and a node',
    ['webhook-list-envelope', 'delivery-list-envelope'],
    { webhookListEnvelope: edgesOf, deliveryListEnvelope: edgesOf },
  ),
  variant(
    'pages-that-are-not-done',
    'pages webhooks by two, with its own form of done and next',
    ['webhook-list-pages', 'webhook-list-envelope'],
    {
      webhookPageSize: 2,
      webhookListEnvelope: (items, nextCursor) => ({
        data: items,
        iterator: nextCursor ?? '-',
        prevIterator: null,
        done: nextCursor === null,
      }),
    },
  ),
  variant(
    'webhooks-by-id',
    'webhooks are listed as the members of an object, by their ids',
    ['webhook-list-envelope'],
    {
      webhookListEnvelope: (items) => ({
        webhooks: Object.fromEntries(
          items.map((webhook) => [String((webhook as { readonly id: unknown }).id), webhook]),
        ),
      }),
    },
  ),
  variant(
    'webhook-attributes',
    'puts the fields of a listed webhook into attributes, next to its id',
    ['webhook-list-envelope'],
    {
      webhookListEnvelope: (items) => ({
        data: items.map((webhook) => {
          const { id, ...attributes } = webhook as Readonly<Record<string, unknown>>
          return { type: 'webhooks', id, attributes }
        }),
      }),
    },
  ),
]
