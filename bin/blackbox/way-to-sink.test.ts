// Things before the sink are not the service: with a tunnel, a proxy that ends TLS, or a sink at an address of its own, a correct service
// passes, a broken one is found as far as possible, and the other cases are skipped with a reason.
import { expect, onTestFinished, test } from 'vitest'
import { runSuite, type Report } from '../../harness/index.js'
import { freePort } from '../../harness/webhook-sink.js'
import { serverMutants } from '../../proof/mutants/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { startFront } from '../../proof/lab/noise/tls-front.js'
import type { Intermediary } from '../../proof/lab/noise/noise.js'
import { trust } from '../../proof/lab/noise/subjects.js'
import { startTunnel } from '../../proof/lab/noise/tunnel.js'
import { withMutant } from '../reference/deviations.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { connectTo } from '../testing/unfair-verdicts.js'

const longestMs = 180_000

interface Place {
  /** Where the sink listens. */
  readonly host?: string
  /** The server before the sink; none if absent. */
  readonly before?: (to: { readonly port: number }) => Promise<Intermediary>
  /** Returns the registered URL, given the port of the server before the sink. */
  readonly publicUrl?: (port: number) => string
  /** A mistake of the service. */
  readonly mutant?: string
}

async function judged(
  runs: readonly string[],
  { host = '127.0.0.1', before, publicUrl = (at) => `https://127.0.0.1:${at}/hooks/`, mutant }: Place,
): Promise<Report['cases']> {
  const wrong = serverMutants.find(({ id }) => id === mutant)
  expect(wrong?.id).toBe(mutant)
  const { entry, policy } =
    wrong === undefined ? { entry: { startReferenceServer }, policy: {} } : await withMutant('server', wrong)
  const server = await entry.startReferenceServer({ control: true, policy })
  onTestFinished(() => server.close())
  const port = await freePort()
  const way = await before?.({ port })
  onTestFinished(() => way?.close())
  if (way?.ca !== undefined) await trust(server, way.ca)
  const subject = await connectTo(server, {
    control: { url: server.controlUrl ?? '', key: server.controlKey ?? '' },
    receiver: { host, port, publicUrl: publicUrl(way?.port ?? port) },
  })
  try {
    const cases = serviceCases.filter(({ id }) => runs.includes(id))
    expect(cases).toHaveLength(runs.length)
    const report = await runSuite(cases, subject, { seed: 7, tool: { name: 'way to the sink', version: '0' } })
    return report.cases
  } finally {
    await subject.close()
  }
}

const answer = (cases: Report['cases']) =>
  Object.fromEntries(cases.map(({ id, status, reason, message }) => [id, reason ?? message ?? status]))

const refused = 'service/unreachable/retries-after-a-refused-connection'
const reset = 'service/failures/keeps-the-schedule-after-a-reset'
const garbled = 'service/failures/keeps-the-schedule-after-a-garbled-answer'
const nameless = 'service/unreachable/retries-after-a-name-without-address'
const rebound = 'service/rebinding/never-follows-a-name-to-a-mixed-set'
const asRegistered = 'service/deliveries/goes-to-the-url-as-registered'
const anyFailure = 'service/every-attempt/ends-a-delivery-with-any-2xx'

test(
  'every case runs through a tunnel, at its port',
  async () => {
    const runs = [refused, reset, garbled, nameless, rebound, asRegistered]
    const before: Place['before'] = (to) => startTunnel(to, { opensAfterMs: 50, delayMs: 10 })
    expect(answer(await judged(runs, { before }))).toEqual(Object.fromEntries(runs.map((id) => [id, 'passed'])))
    const [found] = await judged([rebound], { before, mutant: 'server/checks-the-first-answer-only' })
    expect(found).toMatchObject({ status: 'failed', message: expect.stringContaining('private address') })
  },
  longestMs,
)

test(
  'answers of a front that ends TLS are never blamed on the service',
  async () => {
    const runs = [reset, anyFailure, asRegistered, garbled, nameless]
    const found = answer(await judged(runs, { before: startFront }))
    expect(found).toEqual({
      [reset]: 'passed',
      [anyFailure]: 'passed',
      [asRegistered]: 'passed',
      [garbled]: expect.stringMatching(/^needs a direct connection from the service to the sink/),
      [nameless]: expect.stringMatching(/^needs a tunnel that leaves TLS to the sink/),
    })
    const [wrong] = await judged([anyFailure], { before: startFront, mutant: 'server/keeps-no-snippet' })
    expect(wrong).toMatchObject({ status: 'failed' })
  },
  longestMs,
)

test.each([
  ['at another address of loopback', '127.0.0.3', (port: number) => `https://127.0.0.3:${port}/`],
  ['on every address', '0.0.0.0', (port: number) => `https://127.0.0.1:${port}/`],
])(
  'a sink that listens %s skips the case of a refused connection, and runs the others',
  async (_, host, publicUrl) => {
    const found = answer(await judged([refused, nameless, reset], { host, publicUrl }))
    expect(found).toEqual({
      [refused]: expect.stringMatching(/^needs a second loopback address next to the sink/),
      [nameless]: 'passed',
      [reset]: 'passed',
    })
  },
  longestMs,
)

test.each([
  ['127.0.0.99', '127.0.0.99', 'service/private-names/blocks-loopback'],
  ['::1', '[::1]', 'service/private-names/blocks-ipv6-loopback'],
])(
  'a sink at %s skips the case that blocks this address, and runs the others',
  async (host, inUrl, ofIt) => {
    const [link, ends] = [
      'service/private-names/blocks-link-local',
      'service/private-names/blocks-both-ends-of-every-block',
    ]
    const found = answer(await judged([ofIt, link, ends], { host, publicUrl: (port) => `https://${inUrl}:${port}/` }))
    expect(found).toEqual({
      [ofIt]: `needs a sink at another address than ${host}`,
      [link]: 'passed',
      [ends]: 'passed',
    })
  },
  longestMs,
)

test('a sink url whose host has no address skips the case, with a reason', async () => {
  const publicUrl = () => 'https://no-such-host.invalid/hooks/'
  expect(answer(await judged([reset], { publicUrl }))).toEqual({
    [reset]: expect.stringMatching(/^needs receiver\.public_url to have an address: no-such-host\.invalid has none/),
  })
})

test('a sink name that the service refuses skips the case, with a reason', async () => {
  expect(answer(await judged([reset], { publicUrl: (port) => `https://localhost:${port}/` }))).toEqual({
    [reset]: expect.stringMatching(/^needs a sink under another host: the service refuses localhost:\d+ \(400\)/),
  })
})
