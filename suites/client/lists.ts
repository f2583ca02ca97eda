// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."
// CLI-059  "Methods for the endpoints of webhooks and events that the client library section does not name behave like every other method."
// CLI-060  "Methods whose path is not shown behave like every other method."
//
// Reading: the order of a list, duplicate items and the envelope, or its absence, are part of the JSON. The interface does not show
// the envelope of webhooks and of deliveries, so the server answers with each form an API may choose, and the client returns it unchanged.

import { json } from '../../harness/authoring.js'
import { email } from './shared/expectations.js'
import { methodNamed, slugOf } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

const item = (id: string, status: string) => ({ id, status, created_at: '2030-01-02T03:04:05Z' })
/** Not sorted by id, time or status. The second item is repeated at the end; in between, its id has another status. */
const items = [item('x_9', 'b'), item('x_10', 'c'), item('x_1', 'a'), item('x_10', 'd'), item('x_10', 'c')]

const paged = [
  { data: items, next_cursor: 'cur_2', next_after: 'x_10' },
  { data: [items[0]], next_cursor: null, next_after: null },
  { data: [], next_cursor: null, next_after: null },
  // A full page, of more than 64 KiB.
  {
    data: Array.from({ length: 100 }, (_, index) => ({ ...item(`x_${index}`, 'd'), subject: 'Long. '.repeat(150) })),
    next_cursor: 'cur_100',
    next_after: 'x_99',
  },
] as const
/** A list without a maximum is as long as the API makes it. */
const long = { data: Array.from({ length: 250 }, (_, index) => item(`x_${index}`, 'd')), next_cursor: 'cur_250' }
const boundless = [...paged, long]
/** For lists whose envelope the interface does not show. */
const openForms = [...paged, { data: items }, items, [items[0]], [], { items, has_more: false }] as const

const lists = [
  {
    name: 'emails.batch',
    args: [items.map(({ id }) => ({ ...email, subject: id }))],
    requirement: 'CLI-028',
    forms: paged,
  },
  { name: 'emails.list', args: [{ limit: 7 }], requirement: 'CLI-028', forms: boundless },
  { name: 'webhooks.deliveries', args: ['whk_1'], requirement: 'CLI-028', forms: openForms },
  { name: 'webhooks.list', args: [], requirement: 'CLI-059', forms: [...openForms, long, long.data] },
  { name: 'events.list', args: [{ limit: 7 }], requirement: 'CLI-059', forms: paged },
  { name: 'messages.list', args: [{ limit: 7 }], requirement: 'CLI-060', forms: boundless },
  { name: 'threads.list', args: [], requirement: 'CLI-060', forms: boundless },
  { name: 'conversations.list', args: [{ status: 'open' }], requirement: 'CLI-060', forms: boundless },
  { name: 'senders.list', args: [], requirement: 'CLI-060', forms: boundless },
] as const

export const listsOfAnswers = lists.map(({ name, args, requirement, forms }) =>
  scenario({
    id: `client/lists/${slugOf({ name })}-returns-its-list-as-it-is`,
    requirements: [requirement],
    title: `${name} returns a long list unchanged: order, repeats and surrounding fields`,
    calls: forms.map((form) => ({ method: methodNamed(name, args), answers: [json(200, form)] })),
  }),
)
