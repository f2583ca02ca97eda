import { readErrorFields } from '../../../reference/client/error-fields.js'
import { defaultClientPolicy, type ClientPolicy } from '../../../reference/client/policy.js'
import { retryPolicy } from '../../../reference/client/policy/retries.js'
import { defineMutant, type Mutant } from '../define.js'

/** Rewrites every text of a JSON value. */
function texts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((element) => texts(element, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, texts(member, change)]))
}

/** Leaves members out of a JSON value. */
function without(value: unknown, isLeftOut: (member: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => without(element, isLeftOut))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, member]) => !isLeftOut(member))
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, isLeftOut)]))
}

const isEvery = ['CLI-028', 'CLI-037', 'CLI-038', 'CLI-039', 'CLI-040', 'CLI-059'] as const

/** Mistakes that show in one form of a value, of an answer or of a body only. */
export const formsMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/sends-phrases-without-their-zone',
    title: 'sends a relative phrase as a UTC time without its zone',
    breaks: ['CLI-044'],
    policy: {
      phrase: (given, nowMs) => {
        const at = defaultClientPolicy.phrase(given, nowMs)
        return typeof at === 'string' ? at.replace(/Z$/, '') : at
      },
    },
  }),
  ...(
    [
      ['leaves-out-false', 'members of an answer that are false are left out', (value: unknown) => value === false],
      ['leaves-out-zero', 'members of an answer that are zero are left out', (value: unknown) => value === 0],
    ] as const
  ).map(([id, title, isLeftOut]) =>
    defineMutant({
      id: `client/${id}`,
      title,
      breaks: isEvery,
      policy: { value: (json) => without(json, isLeftOut) },
    }),
  ),
  ...(
    [
      ['trims-answers', 'blanks are cut off the strings of an answer', (text: string) => text.trim()],
      ['composes-answers', 'the letters of an answer are composed (NFC)', (text: string) => text.normalize('NFC')],
      [
        'unescapes-answers',
        'the strings of an answer are treated as HTML and unescaped',
        (text: string) => text.replaceAll('&amp;', '&'),
      ],
    ] as const
  ).map(([id, title, change]) =>
    defineMutant({ id: `client/${id}`, title, breaks: isEvery, policy: { value: (json) => texts(json, change) } }),
  ),
  defineMutant({
    id: 'client/writes-digits-as-numbers',
    title: 'digit-only strings are sent as numbers, like JSON_NUMERIC_CHECK of PHP',
    breaks: ['CLI-037', 'CLI-038', 'CLI-060'],
    policy: { body: (_name, given) => texts(given, (text) => (/^\d+$/.test(text) ? Number(text) : text)) },
  }),
  defineMutant({
    id: 'client/takes-0-for-no-cursor',
    title: 'a cursor "0" is ignored',
    breaks: ['CLI-040'],
    policy: { query: (_name, query) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '0')) },
  }),
  defineMutant({
    id: 'client/lowers-recipients',
    title: 'the address of a recipient is sent in small letters',
    breaks: ['CLI-037', 'CLI-038'],
    policy: {
      body: (_name, given) => texts(given, (text) => (/^\w+@[\w.]+$/.test(text) ? text.toLowerCase() : text)),
    },
  }),
  defineMutant({
    id: 'client/cuts-messages-of-errors',
    title: 'the message of an error is cut at 200 characters',
    breaks: ['CLI-031'],
    policy: { error: (fields) => ({ ...fields, message: fields.message.slice(0, 200) }) },
  }),
  defineMutant({
    id: 'client/tells-ten-bad-items',
    title: 'reports ten of the errors of a refused batch',
    breaks: ['CLI-032'],
    policy: {
      errorFields: (body) => {
        const fields = readErrorFields(body)
        return { ...fields, errors: fields.errors?.slice(0, 10) }
      },
    },
  }),
  defineMutant({
    id: 'client/keeps-the-key-of-its-caller',
    title: "the caller's key of one call is that of the next ones",
    breaks: ['CLI-026', 'CLI-023', 'CLI-024', 'CLI-052'],
    policy: { key: keepingTheKey() },
  }),
  defineMutant({
    id: 'client/returns-fifty-of-a-list',
    title: 'of a list its first fifty items are returned',
    breaks: ['CLI-028', 'CLI-059'],
    policy: {
      value: (json) => {
        const data = (json as { readonly data?: unknown } | null)?.data
        return Array.isArray(data) ? { ...(json as object), data: data.slice(0, 50) } : json
      },
    },
  }),
  defineMutant({
    id: 'client/writes-undefined-into-the-limit-of-deliveries',
    title: 'webhooks.deliveries without a limit requests the limit "undefined"',
    breaks: ['CLI-028'],
    policy: {
      query: (name, query) => (name === 'webhooks.deliveries' ? { limit: 'undefined', ...query } : query),
    },
  }),
  defineMutant({
    id: 'client/ignores-a-long-retry-after',
    title: 'Retry-After of more than a minute is ignored',
    breaks: ['CLI-018'],
    policy: {
      waitMs: ({ askedMs, backoffMs }) => (askedMs === undefined || askedMs > 60_000 ? backoffMs : askedMs),
    },
  }),
  defineMutant({
    id: 'client/overflows-its-timer',
    title: 'a wait above 2^31 - 1 milliseconds ends at once',
    breaks: ['CLI-018'],
    policy: {
      askedWaitMs: (header, nowMs) => {
        const askedMs = retryPolicy.askedWaitMs(header, nowMs)
        return askedMs !== undefined && askedMs > 2_147_483_647 ? 1 : askedMs
      },
    },
  }),
  defineMutant({
    id: 'client/cuts-the-padding-off-a-cursor',
    title: 'a cursor is sent without the equals signs at its end',
    breaks: ['CLI-040'],
    policy: {
      query: (operation, query) =>
        operation === 'emails.list' && typeof query['cursor'] === 'string'
          ? { ...query, cursor: query['cursor'].replace(/=+$/, '') }
          : query,
    },
  }),
  defineMutant({
    id: 'client/reads-a-cursor-of-digits-as-a-number',
    title: 'a cursor that is all digits is sent as the number it was read as',
    breaks: ['CLI-040'],
    policy: {
      query: (operation, query) =>
        operation === 'emails.list' && /^\d+$/.test(String(query['cursor']))
          ? { ...query, cursor: Number(query['cursor']) }
          : query,
    },
  }),
]

function keepingTheKey(): ClientPolicy['key'] {
  let kept: string | undefined
  return (context) => {
    kept = context.given ?? kept
    return context.isAutomatic ? (kept ?? context.ofCall) : context.given
  }
}
