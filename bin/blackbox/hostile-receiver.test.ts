// Hostile receivers, and peers that answer https:// with something else.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { command } from '../../harness/testing/hostile/command.js'
import { behaviours, type BehaviourName, type RequestToMishandle } from '../../harness/testing/hostile/behaviours.js'
import { startHostile } from '../../harness/testing/hostile/proxy.js'
import { startFaulty, tlsFaults, type TlsFault } from '../../harness/testing/hostile/tls.js'
import { some } from '../testing/whole.js'
import { everyReporter, expectIntact } from './testing/intact-run.js'

/** A busy machine takes its time. */
const limit = { timeout: 300_000 }
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='
/** A few of each sort: what must be taken, small, large and in chunks, and what must be refused. */
const cases = ['acceptance/*', 'raw-body/takes-*', 'timestamp/*', 'signature/refuses-without-*'].flatMap((pattern) => [
  '--case',
  `receiver/${pattern}`,
])

/** Whether the signature is the right one, over the body as received. */
function isSigned({ rawHeaders, body }: RequestToMishandle): boolean {
  const header = (name: string) => rawHeaders[rawHeaders.findIndex((entry) => entry.toLowerCase() === name) + 1] ?? ''
  return header('webhook-signature') === signatureOf(header('webhook-id'), header('webhook-timestamp'), body)
}

function signatureOf(id: string, timestamp: string, body: string | Buffer): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** Behaviours that keep a sender waiting: longer than the 10 seconds that an endpoint has for its answer. */
const slow = /^silent|^drip|informational|^retry-after-short/
const timeout = ['--timeout', '30000']
/** Checks the end of a run; a busy machine may report that it judges no time. */
function expectJudged(name: string, end: Awaited<ReturnType<typeof command>>, exit: number): void {
  const isExcused =
    slow.test(name) && (end.report?.cases ?? []).some((result) => /too busy to measure/.test(result.message ?? ''))
  expectIntact(end, [isExcused ? 3 : exit])
}

function judge(url: string, ...more: readonly string[]): string[] {
  return ['receiver', '--url', `${url}/hooks`, '--secret', secret, '--seed', '1', ...more]
}

/** A right endpoint that does `then` with each delivery once it has refused thirty. */
async function startTired(then: 'hang' | 'take-its-time') {
  let refused = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (refused >= 30 && then === 'hang') return
      const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = request.headers
      const isRight = given === signatureOf(String(id), String(timestamp), Buffer.concat(chunks))
      if (!isRight) refused++
      setTimeout(() => response.writeHead(isRight ? 200 : 401).end(), refused > 30 ? 2_500 : 0)
    })
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close().closeAllConnections(),
  }
}

describe.concurrent('a receiver that changes after thirty forgeries', limit, () => {
  const selected = ['keeps-accepting-after-an-attack', 'answer-time/*'].flatMap((pattern) => [
    '--case',
    `receiver/*${pattern}`,
  ])

  it('fails if it never answers again', async () => {
    const endpoint = await startTired('hang')
    // Some seven times 12 seconds pass without an answer, and more while other tests run.
    const end = await command(judge(endpoint.url, ...selected), { killAfterMs: 240_000 })
    endpoint.close()
    expectIntact(end, [1])
    const last = end.report?.cases.find(({ id }) => id.endsWith('/still-answers-at-the-end'))
    expect(last).toMatchObject({ status: 'failed', violates: ['RCV-002'] })
  })

  it('passes if it is slow but answers within ten seconds', async () => {
    const endpoint = await startTired('take-its-time')
    const end = await command(judge(endpoint.url, ...selected))
    endpoint.close()
    expectIntact(end, [0])
    expect(end.report?.summary.cases).toMatchObject({ failed: 0, errored: 0 })
  })
})

/**
 * A status of 429 leads to no verdict, whatever wait it demands; a redirect is another address; an endpoint that refuses everything alike
 * may have another secret. Everything else is not a 2xx in time, or a 2xx for a forgery.
 */
const verdictless = /^retry-after|^redirect|^injections|^always-4|^deep-error/

describe.concurrent('a receiver that answers badly', limit, () => {
  const few: readonly BehaviourName[] = ['silent', 'gzip-bomb', 'injections']
  const others = (Object.keys(behaviours) as BehaviourName[]).filter((behaviour) => !few.includes(behaviour))
  // The longest waits begin first.
  const rest = [
    ...others.filter((behaviour) => slow.test(behaviour)),
    ...others.filter((behaviour) => !slow.test(behaviour)),
  ]
  it.each(some(few, rest))('%s', async (name) => {
    const endpoint = await startHostile({ behaviour: behaviours[name] })
    const end = await command(judge(endpoint.url, ...cases, ...timeout), { reporters: everyReporter })
    await endpoint.close()
    expectJudged(name, end, verdictless.test(name) ? 3 : 1)
  })
})

describe.concurrent('a receiver that answers before it has read, and never reads', limit, () => {
  it.each(some<BehaviourName>(['always-401'], ['echo', 'prototype-keys', 'reset-in-head', 'silent']))(
    '%s',
    async (name) => {
      const endpoint = await startHostile({ behaviour: behaviours[name], isEarly: true })
      const end = await command(judge(endpoint.url, ...cases, ...timeout), { reporters: everyReporter })
      await endpoint.close()
      expectJudged(name, end, verdictless.test(name) ? 3 : 1)
    },
  )
})

it('a receiver is judged by its status, whatever the length and coding of its body', limit, async () => {
  for (const name of ['big-json', 'gzip-bomb', 'broken-gzip'] as const) {
    const endpoint = await startHostile({
      behaviour: (provocation) => behaviours[isSigned(provocation) ? name : 'always-401'](provocation),
    })
    const end = await command(judge(endpoint.url, '--case', '*/accepts-a-signed-delivery'))
    await endpoint.close()
    expectIntact(end, [0])
    expect(end.report?.summary.cases, name).toMatchObject({ failed: 0, errored: 0 })
  }
})

it('a receiver that refuses everything has no verdict, and the note suggests the secret', limit, async () => {
  const endpoint = await startHostile({ behaviour: behaviours['always-401'] })
  const end = await command(judge(endpoint.url, '--suite', 'receiver/timestamp'))
  await endpoint.close()
  expectIntact(end, [3])
  expect(end.report?.note).toMatch(
    /every valid delivery was answered with 401, .* check that --secret is the secret of this endpoint/,
  )
})

/** The report's text for each; empty for a peer that is reached anyway with `--insecure`. */
const prints: Readonly<Record<TlsFault, RegExp>> = {
  'self-signed': /certificate.* is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  expired: /certificate.* is not trusted \(CERT_HAS_EXPIRED\)/,
  'not-yet-valid': /certificate.* is not trusted \(CERT_NOT_YET_VALID\)/,
  'another-name': /certificate.* is not trusted \(\w+\)/,
  'plain-http': /does not speak TLS \(\w+\): is it an http:\/\/ address\?/,
  silent: /no connection to/,
  alert: /the TLS handshake failed \(\w*ALERT\w*\)/,
  'close-at-once': /no connection to .*ECONNRESET|the connection was closed/,
  'reset-on-hello': /no connection to .*ECONNRESET|the connection was closed/,
  'half-a-record': /no connection to/,
  garbage: /does not speak TLS|the TLS handshake failed/,
}
const reachable = /^(?:self-signed|expired|not-yet-valid|another-name)$/

describe('a target with https:// that fails before HTTP', limit, () => {
  const few: readonly TlsFault[] = ['expired', 'plain-http']
  const rest = (Object.keys(tlsFaults) as TlsFault[]).filter((fault) => !few.includes(fault))
  it.concurrent.each(some(few, rest))('%s', async (fault) => {
    const peer = await startFaulty(fault)
    const insecure = [...cases, '--insecure']
    const ends = await Promise.all([
      command(judge(peer.url)),
      command(judge(peer.url, ...insecure)),
      command(['run', '--base-url', peer.url], { env: { CONFORMANCE_API_KEY: 'key_0123456789' } }),
    ])
    await peer.close()
    for (const [index, end] of ends.entries()) {
      const isJudged = index === 1 && reachable.test(fault)
      expectIntact(end, [isJudged ? 1 : 3])
      if (isJudged) continue
      expect(end.report?.note).toMatch(prints[fault])
      expect(end.report?.note).not.toMatch(/\n|openssl/)
    }
  })
})
