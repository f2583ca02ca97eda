// Receivers that are slow and correct, that hang on what they refuse, and that accept all of it late.
import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pLimit from 'p-limit'
import { describe, expect, it, type TestContext } from 'vitest'
import { command } from '../../harness/testing/hostile/command.js'
import { expectIntact } from './testing/intact-run.js'

/** A busy machine takes its time. */
const limit = { timeout: 300_000 }
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='
const key = Buffer.from(secret.replace('whsec_', ''), 'base64')

interface Behaviour {
  readonly answersAfterMs: number
  /** Deliveries handled at once; the others wait. */
  readonly width: number
  readonly refuse: (response: ServerResponse) => void
}

const answer401 = (response: ServerResponse) => void response.writeHead(401).end()

/** Starts an endpoint of a test that checks the signature alone; resolves to its URL and the most refused deliveries it handled at once. */
async function startEndpoint({ onTestFinished }: TestContext, { answersAfterMs, width, refuse }: Behaviour) {
  const handleNext = pLimit(width)
  let refusing = 0
  let mostRefused = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map((name) =>
        request.headers[`webhook-${name}`]?.toString(),
      )
      const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), ...chunks])
      const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
      const isValid = id !== undefined && timestamp !== undefined && given === signature
      void handleNext(async () => {
        if (!isValid) mostRefused = Math.max(mostRefused, ++refusing)
        await new Promise((resolve) => setTimeout(resolve, answersAfterMs))
        if (!isValid) refusing--
        if (isValid) response.writeHead(204).end()
        else refuse(response)
      })
    })
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  onTestFinished(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return { url, mostRefused: () => mostRefused }
}

function judge(url: string, ...cases: readonly string[]) {
  const selected = cases.flatMap((id) => ['--case', `receiver/${id}`])
  return command(['receiver', '--url', url, '--secret', secret, '--seed', '1', ...selected], { killAfterMs: 280_000 })
}

// Nearly all of it is waiting.
describe.concurrent('a receiver', limit, () => {
  it('an endpoint that accepts forgeries after seconds has read the body too early', async (test) => {
    const late = (response: ServerResponse) => void response.writeHead(202, { 'x-powered-by': 'Express' }).end()
    const endpoint = await startEndpoint(test, { answersAfterMs: 2_000, width: Infinity, refuse: late })
    const end = await judge(endpoint.url)
    expectIntact(end, [1])
    const cases = end.report?.cases ?? []
    expect(cases.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual([
      'receiver/signature/refuses-a-wrong-signature',
    ])
    const [cause] = end.report?.likely_causes ?? []
    expect(cause?.text).toMatch(/^Every delivery, forged or not, is answered with 202 after 2\.\d s/)
    expect(cause?.remedy).toContain("express.raw({ type: '*/*'")
  })

  it('a receiver that never answers what it refuses fails for that', async (test) => {
    const endpoint = await startEndpoint(test, { answersAfterMs: 0, width: Infinity, refuse: () => {} })
    const end = await judge(endpoint.url, 'signature/refuses-without-*', 'malformed/*', 'signature/refuses-another-*')
    expectIntact(end, [1])
    const failed = end.report?.cases.filter(({ status }) => status === 'failed') ?? []
    expect(failed.length).toBeGreaterThan(5)
    expect(failed[0]?.message).toContain('while a valid delivery is answered: expected a refusal, got "no answer')
    const causes = end.report?.likely_causes ?? []
    expect(causes[0]?.text).toContain('a refusal does not end its request')
    expect(causes.map(({ text }) => text).join()).not.toMatch(/Nothing is verified|parsed and serialized/)
  })

  it('an endpoint that refuses with 503 takes several deliveries at once, and gets advice', async (test) => {
    const busy = (response: ServerResponse) => void response.writeHead(503).end()
    const endpoint = await startEndpoint(test, { answersAfterMs: 0, width: Infinity, refuse: busy })
    const end = await judge(endpoint.url, 'signature/refuses-without-*', 'malformed/refuses-with-a-plain-status')
    expectIntact(end, [0])
    const failed = end.report?.cases.filter(({ status }) => status === 'failed') ?? []
    expect(failed.map(({ id, level }) => [id, level])).toEqual([
      ['receiver/malformed/refuses-with-a-plain-status', 'should'],
    ])
  })

  describe('a correct receiver that takes its time', () => {
    it('gets several deliveries of a case at once where it handles them at once', async (test) => {
      const endpoint = await startEndpoint(test, { answersAfterMs: 1_000, width: Infinity, refuse: answer401 })
      const end = await judge(endpoint.url, 'malformed/keeps-accepting-after-an-attack')
      expectIntact(end, [0])
      expect(endpoint.mostRefused()).toBeGreaterThan(2)
    })

    it('is not late where it handles one after the other', async (test) => {
      const endpoint = await startEndpoint(test, { answersAfterMs: 3_000, width: 1, refuse: answer401 })
      const end = await judge(endpoint.url, 'signature/refuses-without-*')
      expectIntact(end, [0])
      expect(endpoint.mostRefused()).toBe(1)
    })
  })
})
