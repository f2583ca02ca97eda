// A correct endpoint for which some cases do not apply: they are reported as skipped, with the reason, and leave nothing open.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { command } from '../../harness/testing/hostile/command.js'
import { verifyWebhook } from '../../reference/verifier/index.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/**
 * Starts an endpoint that refuses chunks and large bodies, and answers refused deliveries with 200, like accepted ones; resolves to its
 * address.
 */
async function endpoint(): Promise<string> {
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    if (request.method === 'GET') {
      const count = counts.get(decodeURIComponent(url.slice('/handled/'.length))) ?? 0
      return void response.end(JSON.stringify({ count }))
    }
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (headers['content-length'] === undefined) return response.writeHead(411).end()
      if (Number(headers['content-length']) > 32_768) return response.writeHead(413).end()
      try {
        verifyWebhook({ payload: Buffer.concat(pieces), headers: headers as Record<string, string>, secret })
        counts.set(String(headers['webhook-id']), 1)
      } catch {
        // A probing client learns nothing.
      }
      return response.writeHead(200).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it(
  'cases that a correct endpoint cannot be checked with are skipped, and leave no requirement open',
  { timeout: 120_000 },
  async () => {
    const at = await endpoint()
    const place = ['--url', `${at}/hooks`, '--handled-url', `${at}/handled/{id}`, '--secret', secret]
    const { out, report } = await command(['receiver', ...place, '--seed', '1', '--verbose'])
    const skipped = report?.cases
      .filter((result) => result.status === 'skipped')
      .map(({ id, reason }) => `${id}: ${reason}`)
    expect(skipped).toEqual([
      'receiver/timestamp/goes-with-the-time: this endpoint answers old and fresh deliveries alike, so its clock cannot be measured',
      'receiver/raw-body/verifies-a-large-body-as-it-came: this endpoint does not take a body of 64 KB, which is advice',
      'receiver/raw-body/verifies-a-chunked-body-as-it-came: this endpoint does not take a body in chunks, which is advice',
      ...['answers-required-ones', 'answers-others', 'refuses-forged-ones', 'refuses-other-forged-ones'].map(
        (name) => `receiver/handshakes/${name}: the interface has no handshake`,
      ),
      'receiver/answer-time/holds-a-steady-load: needs a steady load: --rps and --duration',
    ])
    expect(out).toContain('this endpoint does not take a body in chunks, which is advice')
    expect(report?.verdict).toBe('conformant')
  },
)
