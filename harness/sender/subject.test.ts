import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../free-port.js'
import { connectSender } from './subject.js'

test('a listener whose authority cannot be written is closed again', async () => {
  const port = await freePort()
  const listening = connectSender({
    secret: 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==',
    listen: { host: '127.0.0.1', port },
    profile: 'interface',
    retryDepth: 2,
    headerNames: 'webhook',
    trigger: 'true',
    onAuthority: () => {
      throw new Error('it cannot be written')
    },
  })
  await expect(listening).rejects.toThrow('it cannot be written')
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  await new Promise((resolve) => server.close(resolve))
})
