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
      data: items.map((each) => ({ ...Object(each), inbox_id: undefined, event_types: undefined })),
    }),
  }),
  variant('bare-lists', 'lists are bare arrays', ['webhook-list-envelope', 'delivery-list-envelope'], {
    webhookListEnvelope: (items) => items,
    deliveryListEnvelope: (items) => items,
  }),
  variant(
    'named-lists',
    'lists stand under the name of what they hold',
    ['webhook-list-envelope', 'delivery-list-envelope'],
    {
      webhookListEnvelope: (items) => ({ object: 'list', webhooks: items, has_more: false }),
      deliveryListEnvelope: (items) => ({ object: 'list', deliveries: items, has_more: false }),
    },
  ),
  variant(
    'lists-in-an-envelope',
    'lists stand deeper in their envelope, one beside another array, one below links that are objects',
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
    'the list of webhooks comes in pages of two, which say whether the list is done, and how it goes on in a way of their own',
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
        webhooks: Object.fromEntries(items.map((each) => [String((each as { readonly id: unknown }).id), each])),
      }),
    },
  ),
  variant(
    'webhook-attributes',
    'the fields of a listed webhook stand in its attributes, beside its id',
    ['webhook-list-envelope'],
    {
      webhookListEnvelope: (items) => ({
        data: items.map((each) => {
          const { id, ...attributes } = each as Readonly<Record<string, unknown>>
          return { type: 'webhooks', id, attributes }
        }),
      }),
    },
  ),
]
