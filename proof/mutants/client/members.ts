import { defaultClientPolicy } from '../../../reference/client/policy.js'
import type { Query } from '../../../reference/client/policy/requests.js'
import { waitsByPolling } from '../../variants/polling-wait.js'
import { defineMutant, type Mutant } from '../define.js'
import { inTransport, unshownPaths } from './support.js'

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
    id: 'client/doubles-v1-of-events',
    title: 'repeats a trailing /v1 of the base address in the path of events.list',
    breaks: ['CLI-006', 'CLI-059'],
    patch: [
      {
        file: 'client/settings.ts',
        find: 'root,',
        replace: 'root,\n    given: policy.baseUrl(options.baseUrl, env),',
      },
      {
        file: 'client/request.ts',
        find: 'const url = `${root}${path}${query}`',
        replace: "const url = `${operation === 'events.list' ? settings.given : root}${path}${query}`",
      },
    ],
  }),
  defineMutant({
    id: 'client/takes-dates-under-one-name',
    title: 'a date object given as scheduledAt is sent as milliseconds',
    breaks: ['CLI-045'],
    patch: [
      {
        file: 'client/emails.ts',
        find: 'instant ??= fields[alias]',
        replace:
          'if (fields[alias] instanceof Date) return { ...fields, scheduled_at: fields[alias].getTime() }\n    instant ??= fields[alias]',
      },
    ],
  }),
  defineMutant({
    id: 'client/counts-its-keys',
    title: 'the automatic idempotency key is a counter of the client',
    breaks: ['CLI-052'],
    patch: [
      inTransport('return async (call)', 'let calls = 0\n  return async (call)'),
      inTransport(
        'const keyOf = createKeys(request, { settings,',
        'const keyOf = createKeys(request, { number: ++calls, settings,',
      ),
      inTransport(
        'function createKeys(request, { settings, given })',
        'function createKeys(request, { settings, given, number })',
      ),
      inTransport('const ofCall = runtime.newKey()', 'const ofCall = `call-${number}`'),
    ],
  }),
  defineMutant({
    id: 'client/takes-a-new-key-after-a-time-out-of-a-batch',
    title: 'after a time-out of emails.batch the next attempt has a new key',
    breaks: ['CLI-025'],
    patch: [
      inTransport('const keyOf = createKeys', 'let keyOf = createKeys'),
      inTransport(
        'waitedMs = waitMs(outcome,',
        "if (request.operation === 'emails.batch' && outcome.kind === 'failure' && outcome.code === 'timeout') keyOf = createKeys(request, { settings, given })\n      waitedMs = waitMs(outcome,",
      ),
    ],
  }),
  defineMutant({
    id: 'client/has-two-minutes-for-batches',
    title: 'the default time-out of emails.batch is 120 seconds',
    breaks: ['CLI-010'],
    patch: [
      inTransport(
        'ofClient: settings.timeoutMs, ofCall',
        "ofClient: call.operation === 'emails.batch' && settings.timeoutMs === 60_000 ? 120_000 : settings.timeoutMs, ofCall",
      ),
    ],
  }),
  defineMutant({
    id: 'client/reads-the-plain-type-alone',
    title: 'JSON is parsed only if the content type has no charset',
    breaks: ['CLI-028', 'CLI-031'],
    patch: [
      inTransport(
        'const json = parse(answer.text)',
        "const json = answer.headers.get('content-type') === 'application/json' ? parse(answer.text) : answer.text",
      ),
    ],
  }),
  defineMutant({
    id: 'client/decodes-each-piece',
    title: 'the pieces of an answer are decoded one by one',
    breaks: ['CLI-028', 'CLI-031'],
    patch: [
      {
        file: 'client/attempt.ts',
        find: 'text: await response.text()',
        replace:
          "text: await (async () => { let text = ''; for await (const piece of response.body ?? []) text += new TextDecoder().decode(piece); return text })()",
      },
    ],
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
    id: 'client/waits-for-messages-whatever-happens',
    title: 'messages.wait heeds no signal',
    breaks: ['CLI-060'],
    patch: [
      {
        file: 'client/policy/requests.ts',
        find: 'unshownPaths: {}',
        replace: "unshownPaths: { 'messages.wait': { method: 'GET', path: '/v1/messages/wait', argument: 'query' } }",
      },
      inTransport(
        'timeoutMs, signal, policy',
        "timeoutMs, signal: request.operation === 'messages.wait' ? undefined : signal, policy",
      ),
    ],
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
  defineMutant({
    id: 'client/waits-for-messages-in-milliseconds',
    title: 'messages.wait polls for milliseconds instead of seconds',
    breaks: ['CLI-055'],
    patch: waitsByPolling({ secondMs: 1 }),
  }),
  defineMutant({
    id: 'client/waits-for-messages-in-minutes',
    title: 'messages.wait polls for minutes instead of seconds',
    breaks: ['CLI-055'],
    patch: waitsByPolling({ secondMs: 60_000 }),
  }),
  defineMutant({
    id: 'client/waits-for-anybody',
    title: 'messages.wait polls, and returns the first message of any sender',
    breaks: ['CLI-055'],
    patch: waitsByPolling({ isMatch: 'true' }),
  }),
  defineMutant({
    id: 'client/has-an-object-for-no-message',
    title: 'messages.wait polls, and returns an empty object if nothing arrives',
    breaks: ['CLI-055'],
    patch: waitsByPolling({ nothing: '{}' }),
  }),
]
