import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { installLoopbackGuard, isLoopback } from './loopback.js'

test.each([
  'localhost',
  '127.0.0.1',
  '127.255.0.9',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.2',
  '::ffff:7f00:2',
  '[::FFFF:7F00:2]',
  '0:0:0:0:0:ffff:7f00:2',
])('%s is of this machine', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each([
  '',
  'localhost.example',
  '127.0.0.1.example',
  '128.0.0.1',
  '10.0.0.1',
  '0.0.0.0',
  '::',
  '::2',
  '::ffff:10.0.0.1',
  '::ffff:7e00:2',
  '::ffff:0:7f00:2',
  '64:ff9b::7f00:1',
])('%s is not', (host) => {
  expect(isLoopback(host)).toBe(false)
})

// Where the guard failed the kernel would refuse: nothing leaves for another machine from an address of loopback.
test.each([
  ['10.0.0.1', '127.0.0.1'],
  ['::ffff:a00:1', '::ffff:127.0.0.1'],
])('a connection to %s is refused before it is made', (host, localAddress) => {
  installLoopbackGuard()
  expect(() => connect({ host, port: 443, localAddress })).toThrow(`connection to ${host} refused`)
})
