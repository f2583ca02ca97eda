// Searches every byte of output of every reporter for marked secrets, with targets that echo everything.
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { command, type CommandEnd } from '../../harness/testing/hostile/command.js'
import { created, behaviours } from '../../harness/testing/hostile/behaviours.js'
import { startHostile } from '../../harness/testing/hostile/proxy.js'

const limit = { timeout: 120_000 }
const reporters = ['junit', 'ctrf', 'html', 'markdown', 'github', 'tap']
const driver = [
  process.execPath,
  resolve(import.meta.dirname, '../../harness/testing/hostile/driver.mjs'),
  'prints-secrets',
]

const marked = {
  apiKey: 'sk_live_Zq7+Wv/3xK9mTb2LrYc8',
  controlKey: 'ck_Hn4=Jd6/Fg1+Pw5SsUe0Ao',
  header: 'gw_Mm3Nn8Bb2Vv7Cc1Xx6Zz0',
  query: 'qt_Ll9Kk4Jj5Hh0Gg3Ff8Dd2',
  webhook: `whsec_${Buffer.from('marked webhook secret +/').toString('base64')}`,
  environment: 'env_Tt6Rr1Ee9Ww4Qq7Aa2Ss5',
}
/** Consecutive characters of a secret that reveal it. */
const informative = 9

/** Everything the command wrote, escapes of JSON, URLs, HTML and XML taken off. */
function writtenBy(end: CommandEnd): string {
  const texts = [end.out, end.err, ...Object.values(end.reports)].join('\n')
  const plain = texts
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/%([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+\//g, '/')
  return `${texts}\n${plain}`
}

/** Returns the pieces of a secret that must not appear anywhere, plain, in base64 at any offset, or in hexadecimal. */
function stretchesOf(secret: string): string[] {
  const bare = secret.replace(/^[a-z]+_/, '')
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from(' '.repeat(before) + secret)
      .toString('base64')
      .slice(4, -4),
  )
  return [bare, ...base64, Buffer.from(secret).toString('hex')].flatMap((text) =>
    Array.from({ length: Math.max(0, text.length - informative + 1) }, (_, index) =>
      text.slice(index, index + informative),
    ),
  )
}

function expectKept(end: CommandEnd): void {
  const written = writtenBy(end)
  for (const [name, secret] of Object.entries(marked))
    expect(
      stretchesOf(secret).filter((part) => written.includes(part)),
      name,
    ).toEqual([])
}

/** A search that finds nothing proves something only if it can find. */
it('the search finds a secret in each spelling', () => {
  const spellings = [
    marked.apiKey,
    encodeURIComponent(marked.apiKey),
    Buffer.from(`x:${marked.apiKey}`).toString('base64'),
    marked.apiKey.replaceAll('/', '\\/'),
  ]
  for (const err of spellings)
    expect(() =>
      expectKept({ code: 0, out: '', err, peakMb: 0, durationMs: 0, reports: {}, report: undefined }),
    ).toThrow()
})

it.concurrent('service: keys that are echoed in body, headers and errors', limit, async () => {
  let count = 0
  const service = await startHostile({
    behaviour: (provocation) => (count++ % 3 === 2 ? created(marked.webhook) : behaviours.echo)(provocation),
  })
  for (const [args, env] of [
    [['--api-key', marked.apiKey], {}],
    [['--verbose'], { CONFORMANCE_API_KEY: marked.apiKey }],
    [
      ['--control-url', service.url],
      { CONFORMANCE_API_KEY: marked.apiKey, CONFORMANCE_CONTROL_KEY: marked.controlKey },
    ],
  ] as const) {
    const end = await command(
      [
        'run',
        '--base-url',
        service.url,
        '--timeout',
        '2500',
        '--suite',
        'service/errors',
        '--suite',
        'service/webhooks',
        ...args,
      ],
      { reporters, env },
    )
    expect([1, 3]).toContain(end.code)
    expectKept(end)
  }
  await service.close()
})

it.concurrent('receiver: secret, header and query that are echoed', limit, async () => {
  const endpoint = await startHostile({ behaviour: behaviours.echo })
  const url = `${endpoint.url}/hooks?token=${marked.query}`
  const target = ['receiver', '--url', url, '--secret', marked.webhook]
  const end = await command(
    [...target, '--header', `authorization: Bearer ${marked.header}`, '--timeout', '2500', '--verbose'],
    { reporters },
  )
  await endpoint.close()
  expect([1, 3]).toContain(end.code)
  expect(end.reports['json']).toContain('[redacted]')
  expectKept(end)
})

it.concurrent.each(['verifier', 'client'])(
  '%s: a driver that prints its environment and its requests',
  limit,
  async (kind) => {
    const suite = kind === 'client' ? 'client/errors' : 'verifier/state'
    const end = await command(
      [kind, '--suite', suite, '--timeout', '2500', '--verbose', '--', ...driver, '--api-key', marked.query],
      {
        reporters,
        env: { SERVICE_API_KEY: marked.environment, CONFORMANCE_API_KEY: marked.apiKey, DEPLOY_TOKEN: marked.header },
      },
    )
    expect(end.code).toBe(1)
    expectKept(end)
  },
)

it.concurrent.each([
  ['a misspelt option', ['run', `--api-kee=${marked.apiKey}`]],
  ['a key where no argument belongs', ['run', '--base-url', 'http://127.0.0.1:9', '--api-key', marked.apiKey, 'more']],
  ['a secret of the wrong form', ['receiver', '--url', 'http://127.0.0.1:9', '--secret', `x${marked.webhook}`]],
  ['a key for a seed', ['run', '--reference', '--seed', marked.webhook]],
  ['credentials in a URL', ['run', '--base-url', `http://user:${marked.header}@127.0.0.1:9`]],
  ['credentials in an invalid URL', ['run', '--base-url', `htp://user:${marked.header}@127.0.0.1:9`]],
  [
    'a header without a colon',
    ['receiver', '--url', 'http://127.0.0.1:9', '--secret', marked.webhook, '--header', marked.header],
  ],
  ['a control key alone', ['run', '--base-url', 'http://127.0.0.1:9', '--control-key', marked.controlKey]],
])('wrong usage: %s', limit, async (_name, args) => {
  const end = await command(args)
  expect(end.code).toBe(2)
  expectKept(end)
})
