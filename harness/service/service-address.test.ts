import { expect, test } from 'vitest'
import { isOneOf } from './service-address.js'

const pairs = ['127.0.0.1:8443', '[::1]:443']

test.each([
  ['https://127.0.0.1:8443/hook', true],
  ['https://2130706433:8443/hook', true],
  ['https://[::ffff:127.0.0.1]:8443/hook', true],
  ['https://LOCALHOST.:8443/hook', true],
  ['https://[0:0::1]/hook', true],
  ['https://127.0.0.1/hook', false],
  ['https://127.0.0.2:8443/hook', false],
  ['https://[::1]:8443/hook', false],
  ['https://one.example:8443/hook', false],
  ['https://', false],
])('%s leads to an exempted place: %s', (url, expected) => {
  expect(isOneOf(pairs, url)).toBe(expected)
})
