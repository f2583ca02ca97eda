import { operations } from '../../../reference/client/operations.js'
import { defaultClientPolicy } from '../../../reference/client/policy.js'
import type { Query } from '../../../reference/client/policy/requests.js'
import { defineMutant, type Mutant } from '../define.js'
import { operation, unshownPaths } from './support.js'

const { phrase } = defaultClientPolicy

/** An email with its time under another name. */
function inCamelCase(email: unknown): unknown {
  const { scheduled_at: scheduledAt, ...rest } = email as { readonly scheduled_at?: unknown }
  return { ...rest, scheduledAt }
}

/** An email with its time in words, like `Wed Jan 02 2030`. */
function inWords(email: unknown): unknown {
  const { scheduled_at: at } = email as { readonly scheduled_at?: string }
  return at === undefined ? email : { ...(email as object), scheduled_at: new Date(at).toDateString() }
}

/** One email or several, with each `scheduled_at` that is a text as `change` makes it. */
function inEmails(body: unknown, change: (at: string) => string): unknown {
  if (Array.isArray(body)) return body.map((email: unknown) => inEmails(email, change))
  const { scheduled_at: at } = (body ?? {}) as { readonly scheduled_at?: unknown }
  return typeof at === 'string' ? { ...(body as object), scheduled_at: change(at) } : body
}

/** Limits a query to fifty if `isOne`. */
function capped(isOne: boolean, query: Query): Query {
  return isOne && query['limit'] !== undefined ? { ...query, limit: Math.min(50, Number(query['limit'])) } : query
}

/** Mistakes in requests. */
export const requestsMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/sends-to-another-path',
    title: 'emails.send goes to /v1/email',
    breaks: ['CLI-037'],
    policy: operation('emails.send', { ...operations['emails.send'], path: '/v1/email' }),
  }),
  defineMutant({
    id: 'client/wraps-batches',
    title: 'a batch is wrapped in an object',
    breaks: ['CLI-038'],
    policy: {
      body: (_name, body) => (Array.isArray(body) ? { emails: body } : body),
    },
  }),
  defineMutant({
    id: 'client/gets-emails-by-query',
    title: 'an email is got by a query',
    breaks: ['CLI-039'],
    policy: operation('emails.get', { ...operations['emails.get'], path: '/v1/emails' }),
  }),
  defineMutant({
    id: 'client/leaves-ids-as-they-are',
    title: 'ids are not escaped',
    breaks: ['CLI-039'],
    policy: { pathParameter: (value) => value },
  }),
  defineMutant({
    id: 'client/decodes-the-cursor',
    title: 'a cursor is decoded before it is sent',
    breaks: ['CLI-040'],
    policy: {
      query: (_name, query) =>
        typeof query['cursor'] === 'string' ? { ...query, cursor: decodeURIComponent(query['cursor']) } : query,
    },
  }),
  defineMutant({
    id: 'client/drops-the-cursor',
    title: 'the cursor of a list is dropped',
    breaks: ['CLI-040'],
    policy: {
      query: (_name, { cursor: _cursor, ...others }) => others,
    },
  }),
  defineMutant({
    id: 'client/reschedules-by-put',
    title: 'rescheduling is a PUT',
    breaks: ['CLI-041'],
    policy: operation('emails.update', { ...operations['emails.update'], method: 'PUT' }),
  }),
  defineMutant({
    id: 'client/cancels-by-delete',
    title: 'cancelling is a DELETE',
    breaks: ['CLI-042'],
    policy: operation('emails.cancel', { method: 'DELETE', path: '/v1/emails/{id}' }),
  }),
  defineMutant({
    id: 'client/reschedules-without-a-time',
    title: 'rescheduling sends no scheduled_at',
    breaks: ['CLI-041'],
    policy: {
      body: (name, body) => (name === 'emails.update' ? {} : body),
    },
  }),
  defineMutant({
    id: 'client/sends-the-email-as-text',
    title: 'the content type of a request is text/plain',
    breaks: ['CLI-037'],
    policy: {
      contentType: 'text/plain',
    },
  }),
  defineMutant({
    id: 'client/sends-the-day-alone',
    title: 'the time of day of an ISO 8601 string is cut off',
    breaks: ['CLI-043'],
    policy: {
      body: (_name, body) => {
        const { scheduled_at: at } = (body ?? {}) as { readonly scheduled_at?: unknown }
        return typeof at === 'string' ? { ...(body as object), scheduled_at: at.slice(0, 10) } : body
      },
    },
  }),
  defineMutant({
    id: 'client/sends-dates-as-seconds',
    title: 'a date is sent as seconds',
    breaks: ['CLI-043'],
    policy: {
      dateObject: (date) => date.getTime() / 1_000,
    },
  }),
  ...(
    [
      [
        'sends-dates-without-their-zone',
        'a date is sent without its zone',
        (iso: string) => iso.replace(/\.000Z$/, ''),
      ],
      ['sends-dates-of-a-clock-of-twelve', 'the hours of a date are those of a clock of twelve', hoursOfTwelve],
      ['sends-dates-of-the-year-of-the-week', 'the year of a date is that of its week', yearOfWeek],
    ] as const
  ).map(([id, title, written]) =>
    defineMutant({
      id: `client/${id}`,
      title,
      breaks: ['CLI-043', 'CLI-045'],
      policy: { dateObject: (date) => written(date.toISOString()) },
    }),
  ),
  defineMutant({
    id: 'client/sends-dates-in-words',
    title: 'a date is sent in words',
    breaks: ['CLI-043'],
    policy: { dateObject: String },
  }),
  defineMutant({
    id: 'client/misreads-phrases',
    title: 'a relative scheduledAt, such as "in 2 hours", is sent as the current time',
    breaks: ['CLI-044'],
    policy: {
      phrase: (_phrase, nowMs) => new Date(nowMs).toISOString(),
    },
  }),
  defineMutant({
    id: 'client/takes-minutes-for-hours',
    title: 'a relative phrase in minutes is sent as so many hours',
    breaks: ['CLI-044'],
    policy: {
      phrase: (given, nowMs) => phrase(given.replace('minute', 'hour'), nowMs),
    },
  }),
  defineMutant({
    id: 'client/passes-scheduled-at-through',
    title: 'scheduledAt is sent under this name',
    breaks: ['CLI-045'],
    policy: { scheduledAtAliases: [] },
  }),
  defineMutant({
    id: 'client/passes-scheduled-at-of-batches-through',
    title: 'scheduledAt in a batch is sent under this name',
    breaks: ['CLI-045'],
    policy: {
      body: (_name, body) => (Array.isArray(body) ? body.map(inCamelCase) : body),
    },
  }),
  defineMutant({
    id: 'client/passes-scheduled-at-of-updates-through',
    title: 'scheduledAt of an update is sent under this name',
    breaks: ['CLI-045'],
    policy: {
      body: (name, body) => (name === 'emails.update' ? inCamelCase(body) : body),
    },
  }),
  defineMutant({
    id: 'client/sends-dates-of-batches-in-words',
    title: 'a date in a batch is sent in words',
    breaks: ['CLI-043'],
    policy: {
      body: (_name, body) => (Array.isArray(body) ? body.map(inWords) : body),
    },
  }),
  defineMutant({
    id: 'client/sends-dates-of-updates-in-words',
    title: 'a date of an update is sent in words',
    breaks: ['CLI-043'],
    policy: {
      body: (name, body) => (name === 'emails.update' ? inWords(body) : body),
    },
  }),
  defineMutant({
    id: 'client/lists-deliveries-elsewhere',
    title: 'deliveries are got from another path',
    breaks: ['CLI-046'],
    policy: operation('webhooks.deliveries', {
      ...operations['webhooks.deliveries'],
      path: '/v1/webhooks/{id}/attempts',
    }),
  }),
  defineMutant({
    id: 'client/replays-elsewhere',
    title: 'a replay goes to another path',
    breaks: ['CLI-047'],
    policy: operation('webhooks.replay', {
      ...operations['webhooks.replay'],
      path: '/v1/deliveries/{deliveryId}/replay',
    }),
  }),
  defineMutant({
    id: 'client/drops-the-limit-of-deliveries',
    title: 'webhooks.deliveries sends no limit',
    breaks: ['CLI-046'],
    policy: { query: (name, query) => (name === 'webhooks.deliveries' ? {} : query) },
  }),
  defineMutant({
    id: 'client/caps-the-limit-of-deliveries',
    title: 'webhooks.deliveries requests at most fifty',
    breaks: ['CLI-046'],
    policy: { query: (name, query) => capped(name === 'webhooks.deliveries', query) },
  }),
  defineMutant({
    id: 'client/caps-the-limit-of-events',
    title: 'events.list requests at most fifty',
    breaks: ['CLI-059'],
    policy: { query: (name, query) => capped(name === 'events.list', query) },
  }),
  defineMutant({
    id: 'client/lowers-event-ids',
    title: 'events.list requests after in lower case',
    breaks: ['CLI-059'],
    policy: {
      query: (name, query) =>
        name === 'events.list' && query['after'] !== undefined
          ? { ...query, after: String(query['after']).toLowerCase() }
          : query,
    },
  }),
  defineMutant({
    id: 'client/drops-batch-validation',
    title: 'batchValidation is dropped',
    breaks: ['CLI-063'],
    policy: { batchValidation: () => ({}) },
  }),
  defineMutant({
    id: 'client/leaves-ids-of-replays-as-they-are',
    title: 'a slash in an id is not escaped',
    breaks: ['CLI-039'],
    policy: { pathParameter: (value) => encodeURIComponent(value).replaceAll('%2F', '/') },
  }),
  defineMutant({
    id: 'client/lowers-addresses',
    title: 'requests the address of a suppression in lower case',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      pathParameter: (value) => encodeURIComponent(value.includes('@') ? value.toLowerCase() : value),
    },
  }),
  defineMutant({
    id: 'client/writes-undefined-into-the-query',
    title: 'emails.list without a cursor sends the cursor "undefined"',
    breaks: ['CLI-040'],
    policy: {
      query: (name, query) => (name === 'emails.list' ? { cursor: 'undefined', ...query } : query),
    },
  }),
  defineMutant({
    id: 'client/asks-the-collections-alone',
    title: 'methods without a shown path request a collection, without id or body',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths: Object.fromEntries(
        Object.entries(unshownPaths).map(([name, { method, path }]) => [
          name,
          { method, path: path.replace(/\/\{.*$/, '') },
        ]),
      ),
    },
  }),
  defineMutant({
    id: 'client/drops-the-assignee',
    title: 'conversations.list drops its filter by assignee',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      query: (name, query) => (name === 'conversations.list' ? { ...query, assignee: undefined } : query),
    },
  }),
  defineMutant({
    id: 'client/takes-every-zone-for-utc',
    title: 'the offset of an ISO 8601 string is replaced by Z',
    breaks: ['CLI-043'],
    policy: { body: (_name, body) => inEmails(body, (at) => at.replace(/[+-]\d{2}:\d{2}$/, 'Z')) },
  }),
  defineMutant({
    id: 'client/writes-times-of-batches-in-words',
    title: 'the times of a batch are sent like `Wed, 02 Jan 2030 03:04:05 GMT`',
    breaks: ['CLI-043'],
    policy: {
      body: (name, body) => (name === 'emails.batch' ? inEmails(body, (at) => new Date(at).toUTCString()) : body),
    },
  }),
  defineMutant({
    id: 'client/asks-for-fifty-emails-at-most',
    title: 'a limit above 50 is lowered to it',
    breaks: ['CLI-040'],
    policy: {
      query: (name, query) =>
        name === 'emails.list' && query['limit'] !== undefined
          ? { ...query, limit: Math.min(50, Number(query['limit'])) }
          : query,
    },
  }),
  defineMutant({
    id: 'client/sends-text-without-its-html',
    title: 'of an email with html and text only the text is sent',
    breaks: ['CLI-037'],
    policy: {
      body: (name, body) => {
        if (name !== 'emails.send') return body
        const { html: _html, ...others } = body as { readonly html?: unknown; readonly text?: unknown }
        return others.text === undefined ? body : others
      },
    },
  }),
  defineMutant({
    id: 'client/trims-the-texts-of-a-batch',
    title: 'blanks around the strings of a batch are cut off',
    breaks: ['CLI-038'],
    policy: {
      body: (name, body) =>
        name === 'emails.batch'
          ? (JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
              typeof value === 'string' ? value.trim() : value,
            ) as unknown)
          : body,
    },
  }),
]

/** Formats with `hh` instead of `HH`. */
function hoursOfTwelve(iso: string): string {
  return iso.replace(/T(\d\d)/, (_, hours: string) => `T${String(((Number(hours) + 11) % 12) + 1).padStart(2, '0')}`)
}

/** Formats with `YYYY` instead of `yyyy`: the last days of a year may be in the first week of the next one. */
function yearOfWeek(iso: string): string {
  const thursday = new Date(Date.parse(iso) + (4 - (new Date(iso).getUTCDay() || 7)) * 86_400_000)
  return `${thursday.getUTCFullYear()}${iso.slice(4)}`
}
