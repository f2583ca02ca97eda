import { expect, test } from 'vitest'
import { proxyFor } from './access.js'

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
