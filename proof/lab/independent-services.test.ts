// The independent services start, have the capabilities they offer, and never leave loopback.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assertLoopback } from '../independent/node/egress.js'
import { packageFolder } from '../../bin/cli/package.js'
import { clientFreedoms } from './selftest/independent.js'
import { clientCommand, commandOf, independentServices, startIndependent } from './independent-services.js'

const outside = ['8.8.8.8', '10.0.0.1', '::ffff:8.8.8.8', '2606:4700::1111']
const findMissing = (service: (typeof independentServices)[number]) => {
  const command = commandOf(service)
  return 'missing' in command ? command.missing : undefined
}

for (const service of independentServices)
  test.skipIf(findMissing(service) !== undefined)(
    `${service} starts, and withdraws the capabilities it is started without`,
    async () => {
      const running = await startIndependent(service, ['clock', 'dns'])
      try {
        const { url, controlUrl, controlKey, apiKey } = running.facts
        const control = await fetch(`${controlUrl ?? ''}/`, {
          headers: { authorization: `Bearer ${controlKey ?? ''}` },
        })
        expect(await control.json()).toMatchObject({
          control: 1,
          capabilities: ['workspaces', 'events', 'sending', 'egress'],
        })
        const dns = await fetch(`${controlUrl ?? ''}/dns`, {
          method: 'POST',
          headers: { authorization: `Bearer ${controlKey ?? ''}` },
          body: JSON.stringify({ host: 'a.example', answers: [['127.0.0.1']] }),
        })
        expect(dns.status).toBe(404)
        const events = await fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${apiKey}` } })
        expect(events.status).toBe(200)
      } finally {
        await running.close()
      }
    },
  )

test.each(outside)('node throws before a connection to %s', (address) => {
  expect(() => assertLoopback(address)).toThrow('outside loopback')
  expect(() => assertLoopback('127.0.0.2')).not.toThrow()
})

test.skipIf(findMissing('python') !== undefined)('python throws before a connection outside loopback', () => {
  const command = commandOf('python')
  const program = 'argv' in command ? (command.argv[0] ?? '') : ''
  const folder = join(packageFolder(), 'proof/independent/python')
  const send = (address: string) =>
    spawnSync(program, ['-c', `import ipaddress, egress; egress.assert_loopback(ipaddress.ip_address('${address}'))`], {
      cwd: folder,
      encoding: 'utf8',
    })
  expect(send('127.0.0.2').status).toBe(0)
  for (const address of outside) expect(send(address).stderr).toMatch(/PermissionError: .* outside loopback/)
})

test.skipIf('missing' in clientCommand([]))('each freedom of the client is tried', () => {
  const command = clientCommand([])
  const program = 'argv' in command ? (command.argv[0] ?? '') : ''
  const folder = join(packageFolder(), 'proof/independent/client')
  const { stdout } = spawnSync(program, ['-B', '-c', 'import freedoms; print(*freedoms.FREEDOMS)'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stdout.trim().split(' ').sort()).toEqual(clientFreedoms.flat().sort())
})
