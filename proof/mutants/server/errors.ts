import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, patchesOfServer, type Mutant } from '../define.js'

const { errorBody } = defaultPolicy

/** Deviations in errors. */
/** Values and paths that a service takes for granted, and throws on. */
const breakDowns = patchesOfServer([
  [
    'breaks-down-at-a-recipient-that-is-no-text',
    'answers a `to` that is not text with a 500',
    ['ERR-003'],
    {
      file: 'server/api/email-input.ts',
      find: "const to = addresses(fields, 'to', policy)",
      replace:
        "for (const each of [fields['to'] ?? []].flat()) each.trim()\nconst to = addresses(fields, 'to', policy)",
    },
  ],
  [
    'breaks-down-at-an-item-that-is-null',
    'an item of a batch that is null is a server error',
    ['ERR-003'],
    {
      file: 'server/api/batch.ts',
      find: 'inputs.push(read(item))',
      replace: 'void item.from\ninputs.push(read(item))',
    },
  ],
  [
    'breaks-down-at-a-parameter-that-is-given-twice',
    'a repeated `after` is a server error: the framework makes it a list',
    ['ERR-003'],
    {
      file: 'server/api/routes-events.ts',
      find: "const after = c.req.query('after')",
      replace:
        "if ((c.req.queries('after')?.length ?? 0) > 1) throw new TypeError('after is a list')\nconst after = c.req.query('after')",
    },
  ],
  [
    'breaks-down-at-the-name-of-a-member',
    'an id that is a member name of every object is a server error',
    ['ERR-003'],
    {
      file: 'server/api/routes-emails.ts',
      find: "const email = emails.get(c.req.param('id') ?? '')",
      replace:
        "if ((c.req.param('id') ?? '') in {}) throw new TypeError('not an email')\nconst email = emails.get(c.req.param('id') ?? '')",
    },
  ],
  [
    'breaks-down-at-a-path-that-does-not-decode',
    'answers a path with invalid percent-encoding with a 500',
    ['ERR-003'],
    {
      file: 'server/api/routes-emails.ts',
      find: "const email = emails.get(c.req.param('id') ?? '')",
      replace: "decodeURIComponent(new URL(c.req.url).pathname)\nconst email = emails.get(c.req.param('id') ?? '')",
    },
  ],
])

export const errorsMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/reads-each-chunk-of-a-body-as-text',
    title: 'each chunk of a body is decoded by itself, so that characters between two are lost',
    breaks: ['SND-001', 'WHK-005', 'EVT-004'],
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'chunks.push(chunk)',
        replace: 'chunks.push(Buffer.from(Buffer.from(chunk).toString()))',
      },
    ],
  }),
  defineMutant({
    id: 'server/reads-no-body-without-a-length',
    title: 'a body without a Content-Length is ignored',
    breaks: ['SND-001', 'SND-004', 'WHK-001'],
    patch: [{ file: 'server/api/http.ts', find: 'if (request.body !== null) {', replace: 'if (length >= 0) {' }],
  }),
  defineMutant({
    id: 'server/answers-below-v2',
    title: 'the API answers below /v2',
    breaks: ['VER-001'],
    policy: { pathPrefix: '/v2' },
  }),
  defineMutant({
    id: 'server/errors-without-fix',
    title: 'errors have no fix',
    breaks: ['ERR-001', 'ERR-005'],
    policy: {
      errorBody: ({ code, message, errors }) => ({ code, message, ...(errors && { errors }) }),
    },
  }),
  defineMutant({
    id: 'server/errors-without-code',
    title: 'errors have only a message',
    breaks: ['ERR-001', 'ERR-005'],
    policy: {
      errorBody: ({ message, fix }) => ({ message, fix }),
    },
  }),
  defineMutant({
    id: 'server/errors-as-text',
    title: 'an error is a bare string',
    breaks: ['ERR-001', 'ERR-005'],
    policy: {
      errorBody: ({ message }) => message,
    },
  }),
  defineMutant({
    id: 'server/tells-validation-errors-as-its-framework-does',
    title: 'an invalid request gets the body of the framework',
    breaks: ['ERR-001'],
    policy: {
      errorBody: (error) =>
        error.status === 400
          ? { detail: [{ loc: ['body'], msg: error.message, type: 'value_error' }] }
          : errorBody(error),
    },
  }),
  defineMutant({
    id: 'server/tells-unknown-ids-as-its-framework-does',
    title: 'an unknown id gets the body of the framework',
    breaks: ['ERR-001'],
    policy: {
      errorBody: (error) =>
        error.status === 404 ? { statusCode: 404, message: 'Not Found', error: 'Not Found' } : errorBody(error),
    },
  }),
  defineMutant({
    id: 'server/tells-auth-errors-without-fix',
    title: 'only the refusal of a credential has no fix',
    breaks: ['ERR-005'],
    policy: {
      errorBody: (error) => (error.status === 401 ? { code: error.code, message: error.message } : errorBody(error)),
    },
  }),
  defineMutant({
    id: 'server/refusals-have-status-200',
    title: 'errors of the request are answered with 200',
    breaks: ['ERR-002'],
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'const { status } = error',
        replace: 'const status = error.status === 401 || error.status === 403 ? error.status : 200',
      },
    ],
  }),
  defineMutant({
    id: 'server/bad-requests-are-500',
    title: 'an invalid request gets a 500',
    breaks: ['ERR-003'],
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'const { status } = error',
        replace: 'const status = error.status === 400 ? 500 : error.status',
      },
    ],
  }),
  defineMutant({
    id: 'server/oversize-bodies-are-500',
    title: 'a body that is too large gets a 500',
    breaks: ['ERR-003'],
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'const { status } = error',
        replace: 'const status = error.status === 413 ? 500 : error.status',
      },
    ],
  }),
  defineMutant({
    id: 'server/unknown-ids-are-500',
    title: 'an unknown id gets a 500',
    breaks: ['ERR-003', 'ERR-004'],
    policy: { foreignIdStatus: 500 },
  }),
  defineMutant({
    id: 'server/unknown-ids-are-200',
    title: 'an unknown id is answered with 200',
    breaks: ['ERR-004'],
    policy: { foreignIdStatus: 200 },
  }),
  defineMutant({
    id: 'server/fails-on-odd-cursors',
    title: 'answers a stream after an invalid id with a 500',
    breaks: ['ERR-003'],
    patch: [
      { file: 'server/stream.ts', find: "policy.streamUnknownAfter === 'refuse' &&", replace: '' },
      {
        file: 'server/stream.ts',
        find: "status: 400, phrase: 'Bad Request', code: 'invalid_request'",
        replace: "status: 500, phrase: 'Internal Server Error', code: 'invalid_cursor'",
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-the-first-of-a-list',
    title: 'of a body that is a list only the first item is read',
    breaks: ['WHK-020'],
    patch: [
      {
        file: 'server/api/email-input.ts',
        find: "if (typeof value !== 'object' || value === null || Array.isArray(value)) {",
        replace: `if (Array.isArray(value) && value.length > 0) value = value[0]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {`,
      },
    ],
  }),
  defineMutant({
    id: 'server/reads-json-within-json',
    title: 'a body that is a JSON text within a string is read twice',
    breaks: ['WHK-020'],
    patch: [
      {
        file: 'server/api/email-input.ts',
        find: "if (typeof value !== 'object' || value === null || Array.isArray(value)) {",
        replace: `if (typeof value === 'string' && value.startsWith('{')) return asObject(JSON.parse(value))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {`,
      },
    ],
  }),
  defineMutant({
    id: 'server/reads-the-first-json-text',
    title: 'text after the JSON of a body is ignored',
    breaks: ['WHK-020'],
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'return JSON.parse(utf8.decode(bytes))',
        replace: `const whole = utf8.decode(bytes)
    const end = /^\\s*\\{[^{}]*\\}/.exec(whole)?.[0].length
    return JSON.parse(end === undefined ? whole : whole.slice(0, end))`,
      },
    ],
  }),
  ...(
    [
      [
        'tells-unknown-paths-as-its-framework-does',
        'a path that does not exist',
        'server/api/app.ts',
        'fix: `See the interface for the paths below ${policy.pathPrefix}.`',
      ],
      [
        'tells-other-methods-as-its-framework-does',
        'a method that a path does not take',
        'server/api/http.ts',
        'fix: `Use ${allowed}.`',
      ],
      [
        'tells-a-missing-upgrade-as-its-framework-does',
        'a stream request without an upgrade',
        'server/api/routes-events.ts',
        "fix: 'Open this address with a WebSocket client.'",
      ],
    ] as const
  ).map(([name, what, file, find]) =>
    defineMutant({
      id: `server/${name}`,
      title: `the error of ${what} has no fix`,
      breaks: ['ERR-001'],
      patch: [{ file, find, replace: 'fix: undefined' }],
    }),
  ),
  defineMutant({
    id: 'server/breaks-down-at-an-email-by-an-id-of-another-kind',
    title: 'answers a request for an email by an id of another kind with a 500',
    breaks: ['ERR-003', 'ERR-004'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "const email = emails.get(c.req.param('id') ?? '')",
        replace: `if (!c.req.param('id').startsWith('msg_')) throw new Error('no id of an email')
const email = emails.get(c.req.param('id') ?? '')`,
      },
    ],
  }),
  defineMutant({
    id: 'server/shows-a-webhook-as-an-email',
    title: 'an email is looked up among all ids, so that of a webhook is found',
    breaks: ['ERR-004'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'return reply({ status: 200, body: policy.shownEmail(find(c)) })',
        replace: `const other = services.webhooks.get(c.req.param('id') ?? '')
return reply({ status: 200, body: other === undefined ? policy.shownEmail(find(c)) : { id: other.id, status: 'active', recipients: [] } })`,
      },
    ],
  }),
  defineMutant({
    id: 'server/breaks-down-at-an-id-with-nul',
    title: 'an id with a NUL character gets a 500',
    breaks: ['ERR-003'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "const email = emails.get(c.req.param('id') ?? '')",
        replace:
          "if (c.req.param('id')?.includes('\\0')) throw new Error('invalid byte sequence')\nconst email = emails.get(c.req.param('id') ?? '')",
      },
    ],
  }),
  ...breakDowns,
]
