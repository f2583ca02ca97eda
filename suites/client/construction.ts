// CLI-001  "`apiKey` is the first constructor argument and is sent as `Authorization: Bearer <API_KEY>`."
// CLI-003  "A client without a key throws `missing_api_key`."
// CLI-004  "`baseUrl` sets the API origin."
// CLI-006  "A base address with a trailing `/v1` is accepted."
//
// Reading: the scheme of a credential has no case (open point scheme-case); the key has.

import type { RequirementId } from '../../spec/index.js'
import { clientCase, refusal, type ClientCase } from '../../harness/authoring.js'
import { success } from './shared/answers.js'
import { credentialOf, email, send, valueOf } from './shared/expectations.js'
import { methods, reading, requirementsOf, sending, slugOf } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

type Form = readonly [
  requirement: RequirementId,
  options: { readonly base_url?: string },
  env: Readonly<Record<string, string>>,
  path: string,
]

/** A case about the base address: each form of it, and the path of the request of emails.send. */
function addressCase({
  forms,
  ...definition
}: Omit<Parameters<typeof clientCase>[0], 'run'> & { readonly forms: (url: string) => readonly Form[] }): ClientCase {
  return clientCase({
    ...definition,
    async run({ construct, server, check, require, apiKey }) {
      await server.movedToPortEndingIn(1)
      for (const [requirement, options, env, path] of forms(server.url)) {
        const before = server.requests.length
        const built = await construct({ api_key: apiKey, max_retries: 0, ...options }, env)
        const what = `a client with ${JSON.stringify({ ...options, ...env })}`
        require.of(requirement).equal(what, built.kind, 'value')
        valueOf(require.of(requirement), `emails.send of ${what}`, await send(built.handle))
        check.of(requirement).equal(`path of the request of ${what}`, server.requests[before]?.path, path)
      }
    },
  })
}

export const construction = [
  scenario({
    id: 'client/construction/sends-the-key-as-bearer',
    requirements: ['CLI-001', 'CLI-053'],
    title: 'the API key is sent as a bearer credential, each call once',
    calls: [{ method: sending, answers: [success] }],
  }),

  scenario({
    id: 'client/construction/sends-the-key-with-every-request',
    requirements: ['CLI-001'],
    title: 'the API key goes with a retry and with a request without a body too',
    calls: [
      { method: sending, maxRetries: 2, answers: [refusal(503, 'try_again'), success] },
      { method: reading, maxRetries: 2, answers: [success] },
    ],
  }),

  // "Key format rules: not shown": a key is the text it is, of the signs that a bearer credential may have (RFC 6750, 2.1).
  clientCase({
    id: 'client/construction/sends-a-key-of-any-signs',
    requirements: ['CLI-001', 'CLI-002'],
    level: 'must',
    title: 'a key with capitals, signs and padding, or of over 100 letters, is sent unchanged',
    async run({ construct, server, check, require, apiKey }) {
      for (const key of [`${apiKey}.Ab-c_D~e+f/G==`, `${apiKey}_${'Zy9'.repeat(40)}`])
        for (const [id, options, env] of [
          ['CLI-001', { api_key: key }, {}],
          ['CLI-002', {}, { SERVICE_API_KEY: key }],
        ] as const) {
          const before = server.requests.length
          const built = await construct({ base_url: server.url, ...options }, env)
          require.of(id).equal('a client with a key of other signs', built.kind, 'value')
          valueOf(require.of(id), 'emails.send', await send(built.handle))
          const sent = credentialOf(server.requests[before])
          // Reports must not contain a key: only its length is shown.
          check
            .of(id)
            .ok(
              'header authorization with the key of this client',
              sent === `Bearer ${key}`,
              `Bearer and the key, ${key.length} characters`,
              sent === undefined ? 'none' : `another text of ${sent.length} characters`,
            )
        }
    },
  }),

  clientCase({
    id: 'client/construction/reads-the-key-from-the-environment',
    requirements: ['CLI-002', 'CLI-012'],
    level: 'must',
    title: 'without an apiKey, SERVICE_API_KEY of the environment is used; an argument beats it',
    async run({ construct, server, check, require, apiKey }) {
      const fromEnvironment = await construct(
        { base_url: server.url, headers: { 'x-probe': 'beside' } },
        { SERVICE_API_KEY: apiKey },
      )
      require.equal('a client with SERVICE_API_KEY', fromEnvironment.kind, 'value')
      valueOf(require, 'emails.send', await send(fromEnvironment.handle))
      check.equal('header authorization', credentialOf(server.requests[0]), `Bearer ${apiKey}`)
      check
        .of('CLI-012')
        .equal('header x-probe where the key is of the environment', server.requests[0]?.headers['x-probe'], 'beside')
      const other = await construct(
        { api_key: apiKey, base_url: server.url },
        { SERVICE_API_KEY: 'key_of_the_environment' },
      )
      valueOf(require, 'emails.send', await send(other.handle))
      check.equal('header authorization where both are given', credentialOf(server.requests[1]), `Bearer ${apiKey}`)
    },
  }),

  clientCase({
    id: 'client/construction/refuses-to-start-without-a-key',
    requirements: ['CLI-003'],
    level: 'must',
    title: 'a client without a key throws missing_api_key, one with a key does not',
    async run({ construct, server, check, require, apiKey }) {
      const control = await construct({ api_key: apiKey, base_url: server.url }, {})
      require.equal('a client with a key', control.kind, 'value')
      const without = await construct({ base_url: server.url }, {})
      if (without.kind === 'error') check.equal('code of the error', without.error.code, 'missing_api_key')
      else check.fail('a client without a key', 'an error missing_api_key', without.kind)
      check.equal('number of requests', server.requests.length, 0)
    },
  }),

  // A variable that a pipeline does not know is often set, and empty.
  clientCase({
    id: 'client/construction/refuses-to-start-with-an-empty-key',
    requirements: ['CLI-003'],
    level: 'should',
    title: 'a client whose key, or whose SERVICE_API_KEY, is empty throws missing_api_key',
    async run({ construct, server, check, require, apiKey }) {
      const control = await construct({ api_key: apiKey, base_url: server.url }, {})
      require.equal('a client with a key', control.kind, 'value')
      for (const [what, options, env] of [
        ['an empty SERVICE_API_KEY', {}, { SERVICE_API_KEY: '' }],
        ['an empty apiKey', { api_key: '' }, {}],
      ] as const) {
        const built = await construct({ base_url: server.url, ...options }, env)
        if (built.kind === 'error') check.equal(`code of the error with ${what}`, built.error.code, 'missing_api_key')
        else check.fail(`a client with ${what}`, 'an error missing_api_key', built.kind)
      }
      check.equal('number of requests', server.requests.length, 0)
    },
  }),

  // Code that cuts characters off the end, instead of the text "/v1", cuts a port that ends in 1 too.
  addressCase({
    id: 'client/construction/takes-the-base-address',
    requirements: ['CLI-004', 'CLI-005', 'CLI-006'],
    level: 'must',
    title: 'the base address comes from the option or SERVICE_BASE_URL, with or without a trailing /v1',
    forms: (url) => [
      ['CLI-004', { base_url: url }, {}, '/v1/emails'],
      ['CLI-005', {}, { SERVICE_BASE_URL: url }, '/v1/emails'],
      ['CLI-004', { base_url: url }, { SERVICE_BASE_URL: 'http://127.0.0.1:9' }, '/v1/emails'],
      ['CLI-006', { base_url: `${url}/v1` }, {}, '/v1/emails'],
      ['CLI-006', {}, { SERVICE_BASE_URL: `${url}/v1` }, '/v1/emails'],
    ],
  }),

  addressCase({
    id: 'client/construction/takes-a-base-address-with-a-slash-at-its-end',
    requirements: ['CLI-006'],
    level: 'should',
    title: 'a slash at the end of the base address is not repeated in paths',
    forms: (url) => ['/', '/v1/'].map((end) => ['CLI-006', { base_url: `${url}${end}` }, {}, '/v1/emails']),
  }),

  // "The base address of the API is {base_url}. Every path below is relative to it." A gateway may have it below a path.
  addressCase({
    id: 'client/construction/takes-a-base-address-with-a-path',
    requirements: ['CLI-004'],
    level: 'should',
    title: 'requests go below the path of the base address, where it has one',
    forms: (url) =>
      [
        ['/mail', '/mail/v1/emails'],
        ['/mail/v1', '/mail/v1/emails'],
        ['/v1mail1/v1', '/v1mail1/v1/emails'],
        ['/mail-v1', '/mail-v1/v1/emails'],
      ].map(([end, path = '']) => ['CLI-004', { base_url: `${url}${end}` }, {}, path]),
  }),

  clientCase({
    id: 'client/construction/sends-extra-headers-with-every-request',
    requirements: ['CLI-012'],
    level: 'must',
    title: 'the headers option goes with every request, retries included',
    async run({ client, server, check, require }) {
      server.replies(
        { kind: 'json', status: 503, body: { code: 'x', message: 'x', fix: 'x' } },
        { kind: 'json', status: 200, body: { id: 'em_1' } },
      )
      // One has a name of no X, and a value in which capitals count; tokens of a proxy are long.
      const headers = {
        'x-probe': 'marked',
        'x-second': '2',
        'probe-context': 'Team=QA; Sampled, Kept="a: b"',
        // What some languages take for nothing.
        'x-zero': '0',
        'x-token': `${'eyJhbGciOiJFUzI1NiJ9.'.repeat(40)}end`,
      }
      const handle = await client({ max_retries: 2, headers })
      valueOf(require.of('CLI-014'), 'emails.send answered 503 and then 200', await send(handle))
      valueOf(require, 'emails.get', await handle.call('emails.get', ['em_1']))
      for (const request of server.requests)
        for (const [name, value] of Object.entries(headers))
          check.equal(`header ${name} of ${request.method} ${request.path}`, request.headers[name], value)
    },
  }),

  clientCase({
    id: 'client/construction/keeps-clients-apart',
    requirements: ['CLI-001', 'CLI-012'],
    level: 'must',
    title: 'two clients side by side keep their own keys and headers',
    async run({ construct, server, check, require, apiKey }) {
      const first = await construct({ api_key: apiKey, base_url: server.url, headers: { 'x-probe': 'first' } }, {})
      const second = await construct({ api_key: `${apiKey}2`, base_url: server.url }, {})
      valueOf(require, 'emails.send', await second.handle.call('emails.send', [email]))
      valueOf(require, 'emails.send', await first.handle.call('emails.send', [email]))
      check
        .of('CLI-001')
        .equal('keys that were sent', server.requests.map(credentialOf), [`Bearer ${apiKey}2`, `Bearer ${apiKey}`])
      check.of('CLI-012').equal(
        'headers that were sent',
        server.requests.map((request) => request.headers['x-probe']),
        [undefined, 'first'],
      )
    },
  }),

  ...methods.map((method) =>
    clientCase({
      id: `client/construction/${slugOf(method)}-takes-a-base-address-with-v1`,
      requirements: requirementsOf(method, 'CLI-006'),
      level: 'must',
      title: `${method.name} sends the same request for a base address with and without /v1`,
      async run({ construct, server, check, require, apiKey }) {
        server.replies(success)
        const made: string[] = []
        for (const end of ['', '/v1']) {
          const before = server.requests.length
          const { kind, handle } = await construct(
            { api_key: apiKey, base_url: `${server.url}${end}`, max_retries: 0 },
            {},
          )
          require.equal(`a client whose base address ends in "${end}"`, kind, 'value')
          await handle.call(method.name, method.args)
          made.push(
            server.requests
              .slice(before)
              .map((request) => `${request.method} ${request.path}`)
              .join(', '),
          )
        }
        check.equal(`requests of ${method.name} below a base address with /v1`, made[1], made[0])
      },
    }),
  ),

  ...methods.map((method) =>
    scenario({
      id: `client/construction/${slugOf(method)}-carries-the-extra-headers`,
      requirements: requirementsOf(method, 'CLI-012'),
      title: `the headers option goes with ${method.name}`,
      calls: [{ method, answers: [success] }],
    }),
  ),
]
