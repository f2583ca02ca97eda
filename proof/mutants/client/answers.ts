import { defaultClientPolicy } from '../../../reference/client/policy.js'
import { operations } from '../../../reference/client/operations.js'
import { readErrorFields } from '../../../reference/client/error-fields.js'
import { defineMutant, type Mutant } from '../define.js'
import { operation, unshownPaths } from './support.js'

const { error, retryAfterSeconds } = defaultClientPolicy

/** Hands out each value one call late. */
function latecomer(): (json: unknown) => unknown {
  let last: unknown
  return (json) => {
    const earlier = last ?? json
    last = json
    return earlier
  }
}

/** The list of an answer, with or without an envelope, as `change` makes it. */
function inLists(json: unknown, change: (items: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(json)) return change(json as unknown[])
  const { data } = (json ?? {}) as { readonly data?: unknown }
  return Array.isArray(data) ? { ...(json as object), data: change(data as unknown[]) } : json
}
const idOf = (item: unknown) => String((item as { readonly id?: unknown } | null)?.id)

/** Mistakes in returned values and errors. */
export const answersMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/camel-cases-answers',
    title: 'the fields of an answer are renamed',
    breaks: ['CLI-028'],
    policy: {
      value: (json) =>
        JSON.parse(
          (JSON.stringify(json) ?? 'null').replace(
            /"([a-z]+)_([a-z])([a-z_]*)":/g,
            (_, head: string, first: string, rest: string) => `"${head}${first.toUpperCase()}${rest}":`,
          ),
        ) as unknown,
    },
  }),
  defineMutant({
    id: 'client/unwraps-data',
    title: 'only data of an answer is returned',
    breaks: ['CLI-028'],
    policy: {
      value: (json) => (json as { data?: unknown } | null)?.data ?? json,
    },
  }),
  defineMutant({
    id: 'client/answers-with-an-earlier-answer',
    title: 'a call is given the answer to the one before',
    breaks: ['CLI-028', 'CLI-053'],
    policy: {
      value: latecomer(),
    },
  }),
  defineMutant({
    id: 'client/drops-fix',
    title: 'errors have no fix',
    breaks: ['CLI-031'],
    policy: {
      error: (fields) => {
        const { fix: _fix, ...rest } = error(fields)
        return { ...rest, fix: '' }
      },
    },
  }),
  defineMutant({
    id: 'client/says-nothing-of-a-timeout',
    title: 'the error of a time-out or an abort has no message',
    breaks: ['CLI-031'],
    policy: {
      error: (fields) => ({ ...error(fields), message: /^(timeout|aborted)$/.test(fields.code) ? '' : fields.message }),
    },
  }),
  defineMutant({
    id: 'client/drops-the-code',
    title: 'errors have a code of the status',
    breaks: ['CLI-031'],
    policy: {
      error: (fields) => ({ ...error(fields), code: fields.status > 0 ? `http_${fields.status}` : fields.code }),
    },
  }),
  defineMutant({
    id: 'client/writes-codes-small',
    title: 'reports error codes in lower case',
    breaks: ['CLI-031'],
    policy: {
      error: (fields) => ({ ...error(fields), code: fields.code.toLowerCase() }),
    },
  }),
  defineMutant({
    id: 'client/has-one-code-for-server-errors',
    title: 'the code of every 5xx error is server_error',
    breaks: ['CLI-031'],
    policy: {
      error: (fields) => ({ ...error(fields), code: fields.status >= 500 ? 'server_error' : fields.code }),
    },
  }),
  defineMutant({
    id: 'client/chokes-on-error-pages',
    title: 'throws an exception of another kind for an error whose body is invalid JSON',
    breaks: ['CLI-031'],
    policy: {
      errorFields: (body) => ({ ...readErrorFields(body), code: (body as { code: string }).code }),
    },
  }),
  defineMutant({
    id: 'client/drops-errors',
    title: 'errors of invalid_batch are dropped',
    breaks: ['CLI-032'],
    policy: {
      error: (fields) => {
        const { errors: _errors, ...rest } = error(fields)
        return rest
      },
    },
  }),
  defineMutant({
    id: 'client/drops-retry-after',
    title: 'a 429 error has no retryAfter',
    breaks: ['CLI-033'],
    policy: { retryAfterSeconds: () => undefined },
  }),
  defineMutant({
    id: 'client/tells-retry-after-in-milliseconds',
    title: 'retryAfter is in milliseconds',
    breaks: ['CLI-033'],
    policy: {
      retryAfterSeconds: (header) => (header === null ? undefined : Number(header) * 1_000),
    },
  }),
  defineMutant({
    id: 'client/tells-an-hour-at-most',
    title: 'caps retryAfter at an hour',
    breaks: ['CLI-033'],
    policy: {
      retryAfterSeconds: (header, nowMs) => {
        const seconds = retryAfterSeconds(header, nowMs)
        return seconds === undefined ? undefined : Math.min(seconds, 3_600)
      },
    },
  }),
  defineMutant({
    id: 'client/tells-no-retry-after-of-zero',
    title: 'leaves out retryAfter if the header is 0',
    breaks: ['CLI-033'],
    policy: { retryAfterSeconds: (header, nowMs) => retryAfterSeconds(header, nowMs) || undefined },
  }),
  defineMutant({
    id: 'client/creates-webhooks-without-their-inbox',
    title: 'webhooks.create drops inbox_id',
    breaks: ['CLI-059'],
    policy: {
      body: (name, body) => {
        const { inbox_id: _inbox, ...others } = Object(body) as { readonly inbox_id?: unknown }
        return name === 'webhooks.create' ? others : body
      },
    },
  }),
  defineMutant({
    id: 'client/lists-webhooks-elsewhere',
    title: 'webhooks.list goes to another path',
    breaks: ['CLI-059'],
    policy: operation('webhooks.list', { method: 'GET', path: '/v1/hooks' }),
  }),
  defineMutant({
    id: 'client/deletes-by-post',
    title: 'webhooks.delete is a POST',
    breaks: ['CLI-059'],
    policy: operation('webhooks.delete', { ...operations['webhooks.delete'], method: 'POST' }),
  }),
  defineMutant({
    id: 'client/polls-with-a-cursor',
    title: 'events.list sends after as cursor',
    breaks: ['CLI-059'],
    policy: {
      query: (_name, { after, ...others }) => (after === undefined ? others : { ...others, cursor: after }),
    },
  }),
  defineMutant({
    id: 'client/drops-errors-of-a-permissive-batch',
    title: 'errors of a batch that was accepted are dropped',
    breaks: ['CLI-028'],
    policy: {
      value: (json) => {
        if (typeof json !== 'object' || json === null || !('data' in json && 'errors' in json)) return json
        const { errors: _errors, ...others } = json
        return others
      },
    },
  }),
  defineMutant({
    id: 'client/normalises-times',
    title: 'times of an answer are read and written again',
    breaks: ['CLI-028'],
    policy: {
      value: (json) =>
        JSON.parse(JSON.stringify(json), (_key, value: unknown) =>
          typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? new Date(value).toISOString() : value,
        ) as unknown,
    },
  }),
  defineMutant({
    id: 'client/tells-no-retry-after-of-a-date',
    title: 'retryAfter is missing if the header is a date',
    breaks: ['CLI-033'],
    policy: {
      retryAfterSeconds: (header) => (/^\d+$/.test(header ?? '') ? Number(header) : undefined),
    },
  }),
  defineMutant({
    id: 'client/tells-the-date-as-retry-after',
    title: 'retryAfter is the time of the date',
    breaks: ['CLI-033'],
    policy: {
      retryAfterSeconds: (header) =>
        /^\d+$/.test(header ?? '') ? Number(header) : Math.round(Date.parse(header ?? '') / 1_000),
    },
  }),
  defineMutant({
    id: 'client/unwraps-data-of-lists',
    title: 'of an answer with data only that is returned',
    breaks: ['CLI-060', 'CLI-066', 'CLI-059'],
    policy: { unshownPaths, value: (json) => (json as { data?: unknown } | null)?.data ?? json },
  }),
  defineMutant({
    id: 'client/lists-messages-without-a-limit',
    title: 'messages.list sends no limit',
    breaks: ['CLI-066'],
    policy: { unshownPaths, query: (name, query) => (name === 'messages.list' ? {} : query) },
  }),
  defineMutant({
    id: 'client/mends-line-ends-of-raw-messages',
    title: 'the line ends of a raw message are changed',
    breaks: ['CLI-062'],
    policy: { unshownPaths, value: (json) => (typeof json === 'string' ? json.replaceAll('\r\n', '\n') : json) },
  }),
  defineMutant({
    id: 'client/trims-raw-messages-in-text',
    title: 'trims a raw message that arrives as text, but not one in JSON',
    breaks: ['CLI-062'],
    policy: {
      unshownPaths,
      value: (json) =>
        typeof json !== 'string' ? json : json.startsWith('"') ? (JSON.parse(json) as unknown) : json.trim(),
    },
  }),
  defineMutant({
    id: 'client/writes-times-anew',
    title: 'scheduled_at of an answer is read and written again',
    breaks: ['CLI-028'],
    policy: {
      value: (json) => {
        const { scheduled_at: at } = (json ?? {}) as { readonly scheduled_at?: unknown }
        return typeof at === 'string' && json !== null
          ? { ...(json as object), scheduled_at: new Date(at).toISOString() }
          : json
      },
    },
  }),
  defineMutant({
    id: 'client/sorts-lists',
    title: 'the list of an answer is sorted by its ids',
    breaks: ['CLI-028', 'CLI-059', 'CLI-060'],
    policy: {
      unshownPaths,
      value: (json) => inLists(json, (items) => items.toSorted((one, other) => idOf(one).localeCompare(idOf(other)))),
    },
  }),
  defineMutant({
    id: 'client/drops-repeats-of-lists',
    title: 'of the items of a list with one id only the last is returned',
    breaks: ['CLI-028', 'CLI-059', 'CLI-060'],
    policy: {
      unshownPaths,
      value: (json) => inLists(json, (items) => [...new Map(items.map((item) => [idOf(item), item])).values()]),
    },
  }),
  defineMutant({
    id: 'client/wraps-bare-lists',
    title: 'adds an envelope to a list that arrives without one',
    breaks: ['CLI-028', 'CLI-059'],
    policy: { value: (json) => (Array.isArray(json) ? { data: json as unknown[] } : json) },
  }),
  defineMutant({
    id: 'client/makes-up-retry-after',
    title: 'retryAfter is one second if there is no Retry-After header',
    breaks: ['CLI-033'],
    policy: { retryAfterSeconds: (header, nowMs) => (header === null ? 1 : retryAfterSeconds(header, nowMs)) },
  }),
  defineMutant({
    id: 'client/tells-each-kind-of-bad-item-once',
    title: 'reports one error of each code of a refused batch',
    breaks: ['CLI-032'],
    policy: {
      error: ({ errors, ...fields }) => ({
        ...error(fields),
        errors: Array.isArray(errors)
          ? [...new Map(errors.map((error: unknown) => [(error as { code?: unknown }).code, error])).values()]
          : errors,
      }),
    },
  }),
]
