import { expect, test } from 'vitest'
import { accessOf, proxyFor, refuseSignedHeaders } from './access.js'
import { readSettings } from './settings.js'

const headersOf = (header: string) =>
  accessOf(readSettings('send', { header: [header] }), 'http://127.0.0.1/').headers ?? {}

test.each(['Content-Type: text/plain', 'content-length: 5', 'Webhook-Id: evt_1', 'svix-signature: v1,x'])(
  'a delivery does not take --header %s, which it sets itself',
  (header) => {
    const name = header.split(':')[0]?.toLowerCase()
    expect(() => refuseSignedHeaders(headersOf(header))).toThrow(
      `--header ${name}: each delivery sets this header itself; leave it out`,
    )
  },
)

test.each(['Transfer-Encoding: chunked', 'expect: 100-continue', 'keep-alive: timeout=5', 'upgrade: h2c'])(
  'no request takes --header %s, which would keep it from being sent',
  (header) => {
    expect(() => headersOf(header)).toThrow(/^--header [\w-]+: the connection sets this header itself; leave it out$/)
  },
)

test.each(['accept: text/html', 'connection: close', 'user-agent: mine'])('--header %s is taken', (header) => {
  expect(() => refuseSignedHeaders(headersOf(header))).not.toThrow()
})

const https_proxy = 'http://127.0.0.1:3128'

test.each([
  ['https://api.example/', 'api.example'],
  ['https://api.example/', 'API.Example'],
  ['https://api.example/', 'other.example, .example'],
  ['https://api.example/', '*.example'],
  ['https://api.example/', '*'],
  ['https://api.example:8443/', 'api.example:8443'],
  ['https://[::1]:8443/', '::1'],
  ['https://[::1]:8443/', '[::1]'],
  ['https://[::1]:8443/', '[0:0:0:0:0:0:0:1]:8443'],
  ['https://[2001:db8::a]/', '2001:DB8:0::A'],
  ['http://api.example/', ''],
])('%s is reached without the proxy where NO_PROXY is "%s"', (url, no_proxy) => {
  expect(proxyFor(url, { https_proxy, no_proxy })).toBeUndefined()
})

test.each([
  ['https://api.example/', ''],
  ['https://api.example/', 'pi.example'],
  ['https://api.example/', 'api.example:8443'],
  ['https://[::1]/', '[::1]:8443'],
  ['https://[::1]/', '::2'],
])('%s is reached through it where NO_PROXY is "%s"', (url, no_proxy) => {
  expect(proxyFor(url, { https_proxy, no_proxy })).toBe(https_proxy)
})
