import { afterEach, expect, test } from 'vitest'
import { defaultBaseUrl, EmailClient, ServiceError, type EmailClientOptions } from './index.js'
import { settingsOf } from './settings.js'
import { testBenches } from './testing/bench.js'

const benches = testBenches()
afterEach(() => benches.closeAll())

const env = { SERVICE_API_KEY: 'key_env', SERVICE_BASE_URL: 'https://env.example' }

function thrown(apiKey: string | undefined, options: EmailClientOptions): unknown {
  try {
    return new EmailClient(apiKey, options)
  } catch (error) {
    return error
  }
}

test.each([
  ['nothing', undefined, {}],
  ['an empty argument', '', {}],
  ['an empty variable', undefined, { SERVICE_API_KEY: '' }],
])('a client without a key throws missing_api_key: %s', (_how, apiKey, environment) => {
  const error = thrown(apiKey, { env: environment })
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ status: 0, code: 'missing_api_key', fix: expect.stringContaining('SERVICE_API_KEY') })
})

test('arguments win over the environment, which wins over the defaults', () => {
  expect(settingsOf(undefined, { env })).toMatchObject({ apiKey: 'key_env', root: 'https://env.example' })
  expect(settingsOf('key_1', { env, baseUrl: 'https://arg.example' })).toMatchObject({
    apiKey: 'key_1',
    root: 'https://arg.example',
  })
  expect(settingsOf('key_1', { env: {} })).toMatchObject({ root: defaultBaseUrl, maxRetries: 2, timeoutMs: 60_000 })
  expect(new URL(defaultBaseUrl).hostname).toMatch(/\.invalid$/)
})

test('without env the environment of the process is read', () => {
  const before = process.env['SERVICE_API_KEY']
  process.env['SERVICE_API_KEY'] = 'key_process'
  try {
    expect(settingsOf(undefined, {}).apiKey).toBe('key_process')
    expect(() => settingsOf(undefined, { env: {} })).toThrow(ServiceError)
  } finally {
    if (before === undefined) delete process.env['SERVICE_API_KEY']
    else process.env['SERVICE_API_KEY'] = before
  }
})

test.each(['', '/', '/v1', '/v1/', '//', '/v1//'])('a base address may end in %j', async (end) => {
  const { server, client } = await benches.open()
  await client({ baseUrl: server.url + end }).emails.list()
  await client({ env: { SERVICE_BASE_URL: server.url + end }, baseUrl: undefined }).emails.list()
  await client({ baseUrl: `${server.url}/proxy${end}` }).emails.list()
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/emails', '/v1/emails', '/proxy/v1/emails'])
})

test.each<EmailClientOptions>([
  { maxRetries: -1 },
  { maxRetries: 1.5 },
  { timeoutMs: 0 },
  { timeoutMs: Number.NaN },
  { baseUrl: 'api.example.com' },
  { baseUrl: 'ftp://api.example.com' },
  { baseUrl: 'https://user:pw@api.example.com' },
  { headers: { 'x-a': 'a\nb' } },
  { headers: { 'x a': 'b' } },
])('an option that cannot be used throws: %j', (options) => {
  expect(thrown('key_1', { env: {}, ...options })).toMatchObject({ status: 0, code: 'invalid_argument' })
})
