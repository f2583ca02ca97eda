import { defineMutant, type Mutant, type Patch } from '../define.js'

/** The first result of an email is found no more once its status is `status`. */
function forgets(status: string): Patch {
  return {
    file: 'server/store/first-results.ts',
    find: 'const first = request && select.get(request.slot)',
    replace: `const kept = request && select.get(request.slot)
const id = kept && JSON.parse(String(kept[1])).body?.id
const row = id && store.prepare('select email_json from emails where id = ?').get(id)
const first = row && JSON.parse(String(row[0])).status === '${status}' ? undefined : kept`,
  }
}

/** Deviations in idempotency keys. */
export const idempotencyMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/ignores-idempotency-keys',
    title: 'Idempotency-Key is not read',
    breaks: ['IDM-001', 'IDM-002', 'IDM-004', 'IDM-005'],
    policy: {
      idempotencySlot: () => undefined,
    },
  }),
  defineMutant({
    id: 'server/ignores-idempotency-keys-of-batches',
    title: 'Idempotency-Key is not read for batches',
    breaks: ['IDM-005'],
    policy: {
      idempotencySlot: ({ orgId, path, key }) => (path.endsWith('/batch') ? undefined : JSON.stringify([orgId, key])),
    },
  }),
  defineMutant({
    id: 'server/shares-idempotency-keys-between-projects',
    title: 'a key used in one project answers in another',
    breaks: ['IDM-003'],
    policy: {
      idempotencySlot: ({ key }) => key,
    },
  }),
  defineMutant({
    id: 'server/has-one-idempotency-slot',
    title: 'the second key gets the result of the first',
    breaks: ['IDM-003'],
    policy: {
      idempotencySlot: ({ orgId }) => orgId,
    },
  }),
  defineMutant({
    id: 'server/keeps-the-first-result-too-late',
    title: 'repeats side by side each make an email',
    breaks: ['IDM-004'],
    patch: [
      {
        file: 'server/store/first-results.ts',
        find: 'insert.run(',
        replace: 'setTimeout((...values) => insert.run(...values), 50, ',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-a-cancelled-email-anew',
    title: 'a repeat of an email that was cancelled meanwhile makes another',
    breaks: ['IDM-001'],
    patch: [forgets('canceled')],
  }),
  defineMutant({
    id: 'server/answers-a-repeat-with-nothing',
    title: 'a repeat is answered without the first result',
    breaks: ['IDM-001', 'IDM-005'],
    patch: [
      {
        file: 'server/store/first-results.ts',
        find: 'return JSON.parse(String(first[1]))',
        replace: 'return { status: JSON.parse(String(first[1])).status, body: {} }',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-a-repeat-again',
    title: 'a repeat answers the first result and sends again',
    breaks: ['IDM-002', 'IDM-004', 'IDM-005'],
    patch: [
      {
        file: 'server/store/first-results.ts',
        find: 'return JSON.parse(String(first[1]))',
        replace: `request.first = JSON.parse(String(first[1]))
return`,
      },
      {
        file: 'server/store/first-results.ts',
        find: 'keep(request, answer) {',
        replace: `keep(request, answer) {
if (request?.first !== undefined) Object.assign(answer, request.first)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/repeats-scheduled-sends',
    title: 'a repeat of a scheduled email is another email',
    breaks: ['IDM-001'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "path: '/emails', key: idempotencyKey(c), body",
        replace: "path: '/emails', key: body?.scheduled_at === undefined ? idempotencyKey(c) : undefined, body",
      },
    ],
  }),
  defineMutant({
    id: 'server/repeats-sends-of-a-scoped-key',
    title: 'a repeat by the key of one inbox is another email',
    breaks: ['IDM-001'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "path: '/emails', key: idempotencyKey(c), body",
        replace: "path: '/emails', key: key.inboxId === null ? idempotencyKey(c) : undefined, body",
      },
    ],
  }),
  defineMutant({
    id: 'server/repeats-a-batch-without-its-errors',
    title: 'the repeat of a permissive batch has the data of the first, and no errors',
    breaks: ['IDM-005'],
    patch: [
      {
        file: 'server/store/first-results.ts',
        find: 'return JSON.parse(String(first[1]))',
        replace: "return JSON.parse(String(first[1]), (name, value) => (name === 'errors' ? undefined : value))",
      },
    ],
  }),
  ...(
    [
      ['letters-and-digits', 'ignores characters of a key other than letters and digits', "replace(/[^a-z0-9]/gi, '')"],
      ['the-part-before-a-colon', 'a key is read up to its first colon', "split(':')[0]"],
      ['the-part-before-a-comma', 'a key is read as the first of a list of values', "split(',')[0]"],
      ['the-part-before-a-semicolon', 'what follows a semicolon is treated as parameters of a key', "split(';')[0]"],
      ['what-it-decodes-to', 'a key is read as if it were percent-encoded', "replaceAll('%20', ' ')"],
      ['the-part-behind-a-slash', 'ignores the part of a key up to its last slash', "split('/').at(-1)"],
    ] as const
  ).map(([name, title, read]) =>
    defineMutant({
      id: `server/reads-of-a-key-${name}`,
      title,
      breaks: ['IDM-003'],
      patch: [
        {
          file: 'server/api/routes-emails.ts',
          find: "return c.req.header('idempotency-key')",
          replace: `return c.req.header('idempotency-key')?.${read}`,
        },
      ],
    }),
  ),
  ...(['{ GET: list, POST: send }', '{ POST: batch }'] as const).map((methods) => {
    const handler = /POST: (\w+)/.exec(methods)?.[1] ?? ''
    return defineMutant({
      id: `server/answers-a-repeat-with-200-of-a-refused-${handler}`,
      title: `repeats a refused ${handler} with status 200`,
      breaks: ['ERR-002'],
      patch: [
        {
          file: 'server/api/routes-emails.ts',
          find: methods,
          replace: methods.replace(
            /POST: \w+/,
            `POST: async (c) => {
            const slot = JSON.stringify([c.get('key').orgId, idempotencyKey(c)])
            const refused = (services.refused ??= new Map())
            if (refused.has(slot)) return reply({ status: 200, body: refused.get(slot) })
            try {
              return await ${handler}(c)
            } catch (error) {
              if (idempotencyKey(c) !== undefined) refused.set(slot, policy.errorBody(error))
              throw error
            }
          }`,
          ),
        },
      ],
    })
  }),
]
