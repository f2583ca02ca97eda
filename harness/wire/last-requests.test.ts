import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { Evidence } from './evidence.js'
import { HttpClient } from './http-client.js'

test('a target that dies names the request of a new kind that it had not answered, its case, and a command for it', async () => {
  // It dies of the body `null`, with another request of a usual kind under way.
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      if (text === '{"url":"slow"}') return
      if (text !== 'null') return void response.end('{}')
      server.close()
      server.closeAllConnections()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new HttpClient()
  const post = (body: string, name: string) =>
    client
      .send(
        { method: 'POST', url: `http://127.0.0.1:${port}/v1/webhooks`, body },
        new Evidence({ caseId: `service/cases/${name}` }),
      )
      .catch((error: unknown) => error)
  await post('{"url":"one"}', 'first')
  expect(client.lastRequests).toBe(undefined)
  const slow = post('{"url":"slow"}', 'slow')
  const killer = post('null', 'killer')
  await Promise.all([slow, killer])
  await client.close()
  expect(client.lastRequests).toBe(
    'the requests it had not answered when it went away: POST /v1/webhooks with the body null (service/cases/killer); ' +
      'POST /v1/webhooks with the body {"url":"slow"} (service/cases/slow). ' +
      `Try: curl -X POST 'http://127.0.0.1:${port}/v1/webhooks' --oauth2-bearer "$API_KEY" ` +
      "-H 'content-type: application/json' --data-binary 'null'",
  )
})
