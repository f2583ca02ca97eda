import type { RetryPolicy } from '../../../reference/client/policy/retries.js'
import { defineMutant, type Mutant } from '../define.js'
import { unshownPaths } from './support.js'

/** The automatic key, left out where the condition holds. */
const keyedUnless =
  (isLeftOut: (call: { readonly operation: string; readonly body: string }) => boolean): RetryPolicy['key'] =>
  ({ operation, isAutomatic, given, ofCall, body = '' }) =>
    given ?? (isAutomatic && !isLeftOut({ operation, body }) ? ofCall : undefined)

const isBatch = (
  { operation, body }: { readonly operation: string; readonly body: string },
  count: (made: number) => boolean,
) => operation === 'emails.batch' && count((JSON.parse(body) as unknown[]).length)

/** Mistakes in one detail of a call: a third attempt, one status, one form of an argument, one character of a key. */
export const narrowCallMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/drops-extra-headers-of-zero',
    title: 'extra headers with the value "0" are dropped',
    breaks: ['CLI-012'],
    policy: {
      extraHeaders: (headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '0')),
    },
  }),
  ...(
    [
      ['escapes-the-key', 'escaped for a URL', encodeURIComponent],
      ['lowers-the-key', 'in small letters', (key: string) => key.toLowerCase()],
      ['cuts-the-padding-off-the-key', 'without the equals signs at its end', (key: string) => key.replace(/=+$/, '')],
      [
        'keeps-64-characters-of-the-key',
        'without what follows its first 64 characters',
        (key: string) => key.slice(0, 64),
      ],
    ] as const
  ).map(([name, how, change]) =>
    defineMutant({
      id: `client/${name}`,
      title: `the key is sent ${how}`,
      breaks: ['CLI-001', 'CLI-002'],
      policy: { credentials: (key = '') => ({ headers: { authorization: `Bearer ${change(key)}` }, query: {} }) },
    }),
  ),
  ...(
    [
      [
        'sends-no-key-with-what-is-scheduled',
        'an email with a time',
        ['CLI-021'],
        ({ body }) => body.includes('"scheduled_at"'),
      ],
      ['sends-no-key-with-html', 'an email with html', ['CLI-021'], ({ body }) => body.includes('"html"')],
      [
        'sends-no-key-with-large-batches',
        'a batch of more than ten',
        ['CLI-022'],
        (call) => isBatch(call, (made) => made > 10),
      ],
      [
        'sends-no-key-with-a-batch-of-one',
        'a batch of one',
        ['CLI-022'],
        (call) => isBatch(call, (made) => made === 1),
      ],
      [
        'sends-no-key-with-replies-to-all',
        'a reply to all',
        ['CLI-024'],
        ({ operation, body }) => operation === 'messages.reply' && body.includes('true'),
      ],
    ] as const satisfies readonly (readonly [
      string,
      string,
      Mutant<'client'>['breaks'],
      Parameters<typeof keyedUnless>[0],
    ])[]
  ).map(([name, what, breaks, isLeftOut]) =>
    defineMutant({
      id: `client/${name}`,
      title: `${what} has no automatic key`,
      breaks,
      policy: { unshownPaths, key: keyedUnless(isLeftOut) },
    }),
  ),
  defineMutant({
    id: 'client/sends-parts-of-a-second-without-zeros',
    title: '7 milliseconds of a date object are written as .7',
    breaks: ['CLI-043'],
    policy: { dateObject: (date) => `${date.toISOString().slice(0, 19)}.${date.getUTCMilliseconds()}Z` },
  }),
  defineMutant({
    id: 'client/lowers-local-parts',
    title: 'inboxes.create sends the local part in small letters',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      body: (name, body) =>
        name === 'inboxes.create'
          ? { ...(body as object), local_part: String((body as { local_part?: unknown }).local_part).toLowerCase() }
          : body,
    },
  }),
]
