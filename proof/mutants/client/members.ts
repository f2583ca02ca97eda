import { defaultClientPolicy } from '../../../reference/client/policy.js'
import type { Query } from '../../../reference/client/policy/requests.js'
import { defineMutant, type Mutant } from '../define.js'
import { unshownPaths } from './support.js'

const { key: keyOf, retriedStatus } = defaultClientPolicy

type Fields = Readonly<Record<string, unknown>>
type Name = Parameters<typeof defaultClientPolicy.body>[0]

/** A method with its body, or each email of it, changed. */
const sending = (name: Name, change: (fields: Fields) => Fields) => ({
  body: (operation: Name, body: unknown): unknown => {
    if (operation !== name) return body
    return Array.isArray(body) ? body.map((element) => change(element as Fields)) : change(body as Fields)
  },
})
/** A method with its query changed. */
const asking = (name: Name, change: (query: Query) => Query) => ({
  query: (operation: Name, query: Query) => (operation === name ? change(query) : query),
})
const snooze = (fields: Fields) => (fields['status'] === 'snoozed' ? { ...fields, status: 'snooze' } : fields)
const without = (fields: Fields, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

/** Mistakes in a single member or value of a request, and in reading a single form of an answer. */
export const membersMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/snoozes',
    title: 'conversations.update sends snooze for snoozed',
    breaks: ['CLI-060'],
    policy: { unshownPaths, ...sending('conversations.update', snooze) },
  }),
  defineMutant({
    id: 'client/lists-what-is-snooze',
    title: 'conversations.list requests snooze instead of snoozed',
    breaks: ['CLI-060'],
    policy: { unshownPaths, ...asking('conversations.list', snooze) },
  }),
  defineMutant({
    id: 'client/lists-open-conversations-by-default',
    title: 'conversations.list does not send the status open',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      ...asking('conversations.list', (query) => (query['status'] === 'open' ? without(query, 'status') : query)),
    },
  }),
  defineMutant({
    id: 'client/creates-keys-of-named-domains-alone',
    title: 'keys.create drops a domain_id that is an id',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      ...sending('keys.create', (key) =>
        String(key['domain_id']).startsWith('dom_') ? without(key, 'domain_id') : key,
      ),
    },
  }),
  defineMutant({
    id: 'client/trims-replies',
    title: 'messages.reply trims its text',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      ...sending('messages.reply', (reply) => ({ ...reply, text: String(reply['text']).trim() })),
    },
  }),
  defineMutant({
    id: 'client/sends-messages-in-ascii',
    title: 'messages.send replaces characters outside ASCII with question marks',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      ...sending('messages.send', (message) => ({
        ...message,
        text: String(message['text']).replaceAll(/[^ -~\s]/gu, '?'),
      })),
    },
  }),
  defineMutant({
    id: 'client/lists-fifty-messages-at-most',
    title: 'messages.list requests at most fifty',
    breaks: ['CLI-066'],
    policy: {
      unshownPaths,
      ...asking('messages.list', (query) => ({ ...query, limit: Math.min(50, Number(query['limit'])) })),
    },
  }),
  defineMutant({
    id: 'client/subscribes-to-the-first-type',
    title: 'webhooks.create sends the first of several event types',
    breaks: ['CLI-059'],
    policy: sending('webhooks.create', (webhook) => ({
      ...webhook,
      event_types: (webhook['event_types'] as readonly unknown[] | undefined)?.slice(0, 1),
    })),
  }),
  defineMutant({
    id: 'client/writes-null-for-every-inbox',
    title: 'webhooks.create sends the text "null" if the inbox is null',
    breaks: ['CLI-059'],
    policy: sending('webhooks.create', (webhook) =>
      webhook['inbox_id'] === null ? { ...webhook, inbox_id: 'null' } : webhook,
    ),
  }),
  defineMutant({
    id: 'client/lowers-the-address-of-a-webhook',
    title: 'webhooks.create sends the url in small letters',
    breaks: ['CLI-059'],
    policy: sending('webhooks.create', (webhook) => ({ ...webhook, url: String(webhook['url']).toLowerCase() })),
  }),
  defineMutant({
    id: 'client/goes-on-with-a-limit-alone',
    title: 'emails.list drops the cursor if there is no limit',
    breaks: ['CLI-040'],
    policy: asking('emails.list', (query) => (query['limit'] === undefined ? without(query, 'cursor') : query)),
  }),
  defineMutant({
    id: 'client/polls-on-with-a-limit-alone',
    title: 'events.list drops `after` if there is no limit',
    breaks: ['CLI-059'],
    policy: asking('events.list', (query) => (query['limit'] === undefined ? without(query, 'after') : query)),
  }),
  defineMutant({
    id: 'client/sends-html-at-once-alone',
    title: 'the html of an email with a time is dropped',
    breaks: ['CLI-037'],
    policy: sending('emails.send', (email) => (email['scheduled_at'] === undefined ? email : without(email, 'html'))),
  }),
  defineMutant({
    id: 'client/writes-to-the-first-recipient',
    title: 'of several recipients the first is sent',
    breaks: ['CLI-037'],
    policy: sending('emails.send', (email) => (Array.isArray(email['to']) ? { ...email, to: email['to'][0] } : email)),
  }),
  defineMutant({
    id: 'client/sends-ninety-nine',
    title: 'the hundredth email of a batch is dropped',
    breaks: ['CLI-038'],
    policy: {
      body: (operation, body) => (operation === 'emails.batch' && Array.isArray(body) ? body.slice(0, 99) : body),
    },
  }),
  defineMutant({
    id: 'client/gives-up-waiting-after-a-503',
    title: 'messages.wait is not retried',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      retriedStatus: (status, name) => name !== 'messages.wait' && retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/waits-without-the-key-of-its-caller',
    title: "messages.wait, which is a POST, goes without its caller's key",
    breaks: ['CLI-060'],
    policy: {
      unshownPaths: {
        ...unshownPaths,
        'messages.wait': { method: 'POST', path: '/v1/messages/wait', argument: 'body' },
      },
      key: (context) => (context.operation === 'messages.wait' ? undefined : keyOf(context)),
    },
  }),
  defineMutant({
    id: 'client/tells-no-time-of-messages-wait',
    title: 'the timeout of messages.wait is not sent',
    breaks: ['CLI-055'],
    policy: {
      unshownPaths,
      query: (name, query) => (name === 'messages.wait' ? { ...query, timeout: undefined } : query),
    },
  }),
  defineMutant({
    id: 'client/tells-no-sender-of-messages-wait',
    title: 'the filter of messages.wait is not sent',
    breaks: ['CLI-055'],
    policy: {
      unshownPaths,
      query: (name, query) => (name === 'messages.wait' ? { ...query, from: undefined } : query),
    },
  }),
]
