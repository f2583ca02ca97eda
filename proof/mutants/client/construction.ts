import { defineMutant, type Mutant } from '../define.js'

/** Key, base address and headers. */
export const constructionMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/sends-the-key-without-bearer',
    title: 'the key is sent without its scheme',
    breaks: ['CLI-001'],
    policy: {
      credentials: (key = '') => ({ headers: { authorization: key }, query: {} }),
    },
  }),
  ...(
    [
      ['names-another-scheme', 'the key goes as `Token`', (key = '') => `Token ${key}`],
      ['runs-the-scheme-into-the-key', 'sends no blank between the scheme and the key', (key = '') => `bearer${key}`],
      ['names-the-scheme-twice', 'sends the scheme twice before the key', (key = '') => `bearer Bearer ${key}`],
      ['sends-the-key-twice', 'sends the key twice in the header', (key = '') => `Bearer ${key}, Bearer ${key}`],
    ] as const
  ).map(([id, title, credential]) =>
    defineMutant({
      id: `client/${id}`,
      title,
      breaks: ['CLI-001', 'CLI-002'],
      policy: { credentials: (key) => ({ headers: { authorization: credential(key) }, query: {} }) },
    }),
  ),
  defineMutant({
    id: 'client/sends-the-key-in-the-query',
    title: 'sends the key in the query',
    breaks: ['CLI-001'],
    policy: {
      credentials: (key = '') => ({ headers: {}, query: { api_key: key } }),
    },
  }),
  defineMutant({
    id: 'client/sends-the-key-once',
    title: 'the key is missing on a retry',
    breaks: ['CLI-001'],
    policy: {
      credentials: (key = '', attempt = 1) => ({
        headers: attempt === 1 ? { authorization: `Bearer ${key}` } : {},
        query: {},
      }),
    },
  }),
  defineMutant({
    id: 'client/prefers-the-environment',
    title: 'SERVICE_API_KEY beats the argument',
    breaks: ['CLI-002', 'CLI-001'],
    policy: {
      apiKey: (given, env) => env['SERVICE_API_KEY'] ?? given,
    },
  }),
  defineMutant({
    id: 'client/ignores-the-key-of-the-environment',
    title: 'SERVICE_API_KEY is not read',
    breaks: ['CLI-002'],
    policy: {
      apiKey: (given) => given,
    },
  }),
  defineMutant({
    id: 'client/names-a-missing-key-otherwise',
    title: 'a missing key has another code',
    breaks: ['CLI-003'],
    policy: { withoutKeyCode: 'no_key' },
  }),
  defineMutant({
    id: 'client/prefers-the-address-of-the-environment',
    title: 'SERVICE_BASE_URL beats the option',
    breaks: ['CLI-004'],
    policy: {
      baseUrl: (given, env) => env['SERVICE_BASE_URL'] ?? given ?? '',
    },
  }),
  defineMutant({
    id: 'client/ignores-the-address-of-the-environment',
    title: 'SERVICE_BASE_URL is not read',
    breaks: ['CLI-005', 'CLI-006'],
    policy: {
      baseUrl: (given) => given ?? 'http://127.0.0.1:9',
    },
  }),
  defineMutant({
    id: 'client/doubles-v1',
    title: 'repeats a trailing /v1',
    breaks: ['CLI-006'],
    policy: { root: (baseUrl) => baseUrl },
  }),
  defineMutant({
    id: 'client/cuts-characters-off-the-base-address',
    title: 'every trailing /, v and 1 of a base address is cut off',
    breaks: ['CLI-006'],
    policy: {
      root: (baseUrl) => (/\/v1\/?$/.test(baseUrl) ? baseUrl.replace(/[/v1]+$/, '') : baseUrl.replace(/\/+$/, '')),
    },
  }),
  defineMutant({
    id: 'client/escapes-subjects-for-html',
    title: 'the characters & and < of a subject are sent as HTML entities',
    breaks: ['CLI-037', 'CLI-038'],
    policy: {
      body: (_name, body) =>
        JSON.parse(JSON.stringify(body), (key, value: unknown) =>
          key === 'subject' && typeof value === 'string'
            ? value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
            : value,
        ) as unknown,
    },
  }),
  defineMutant({
    id: 'client/cuts-v1-off-a-name',
    title: 'v1 is cut off the end of a base address such as mail-v1',
    breaks: ['CLI-004'],
    policy: { root: (baseUrl) => baseUrl.replace(/\/+$/, '').replace(/v1$/, '').replace(/\/+$/, '') },
  }),
  defineMutant({
    id: 'client/cuts-the-first-v1-of-the-base-address',
    title: 'removes the first /v1 of the base address, wherever it is',
    breaks: ['CLI-004'],
    policy: { root: (baseUrl) => baseUrl.replace('/v1', '').replace(/\/+$/, '') },
  }),
  defineMutant({
    id: 'client/drops-extra-headers',
    title: 'the headers option is dropped',
    breaks: ['CLI-012'],
    policy: { extraHeaders: () => ({}) },
  }),
  defineMutant({
    id: 'client/sends-extra-headers-of-an-x',
    title: 'extra headers whose names do not begin with X are dropped',
    breaks: ['CLI-012'],
    policy: {
      extraHeaders: (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => /^x-/i.test(name))),
    },
  }),
  defineMutant({
    id: 'client/lowers-extra-headers',
    title: 'values of extra headers are sent in small letters',
    breaks: ['CLI-012'],
    policy: {
      extraHeaders: (headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value).toLowerCase()])),
    },
  }),
  defineMutant({
    id: 'client/sends-extra-headers-once',
    title: 'extra headers are missing on a retry',
    breaks: ['CLI-012'],
    policy: {
      extraHeaders: (headers, { attempt }) => (attempt === 1 ? headers : {}),
    },
  }),
  defineMutant({
    id: 'client/sends-extra-headers-with-posts-only',
    title: 'extra headers are missing on a GET',
    breaks: ['CLI-012'],
    policy: {
      extraHeaders: (headers, { method }) => (method === 'POST' ? headers : {}),
    },
  }),
  defineMutant({
    id: 'client/keeps-extra-headers-from-changes',
    title: 'the headers option is sent only with GET and POST',
    breaks: ['CLI-012', 'CLI-059', 'CLI-060'],
    policy: {
      extraHeaders: (headers, { method }) => (['GET', 'POST'].includes(method) ? headers : {}),
    },
  }),
  defineMutant({
    id: 'client/doubles-v1-before-a-slash',
    title: 'repeats a /v1/ at the end of the base address',
    breaks: ['CLI-006'],
    policy: { root: (baseUrl) => baseUrl.replace(/\/v1$/, '') },
  }),
  defineMutant({
    id: 'client/forgets-the-key-on-a-third-attempt',
    title: 'a third attempt goes without the key',
    breaks: ['CLI-001'],
    policy: {
      credentials: (apiKey, attempt) => ({
        headers: apiKey === undefined || attempt > 2 ? {} : { authorization: `Bearer ${apiKey}` },
        query: {},
      }),
    },
  }),
  defineMutant({
    id: 'client/goes-to-the-origin-alone',
    title: 'the path of the base address is dropped',
    breaks: ['CLI-004'],
    policy: { root: (baseUrl) => new URL(baseUrl).origin },
  }),
]
