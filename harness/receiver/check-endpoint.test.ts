import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { receiverCase } from '../authoring.js'
import { runCases } from '../engine.js'
import { runSuite } from '../run.js'
import { newSecret } from '../wire/signing.js'
import { connectReceiver } from './subject.js'

const cases = [
  receiverCase({
    id: 'receiver/first/accepts',
    requirements: ['RCV-001'],
    level: 'must',
    title: 'a delivery is accepted',
    isBasic: true,
    run: async ({ delivery, accepts }) => void (await accepts(delivery())),
  }),
  receiverCase({
    id: 'receiver/first/refuses',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'a forged delivery is refused',
    run: async ({ delivery, refuses }) => void (await refuses(delivery({ signature: 'v1,AAAA' }))),
  }),
]

/** An endpoint that answers every delivery with a status, but the first one with another where there is one. */
async function endpoint(status: number, headers: Record<string, string> = {}, first = status) {
  let heard = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(heard++ === 0 ? first : status, headers).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const target = { url, secret: newSecret(), access: { insecure: false }, maxRps: 1_000, load: undefined }
  return connectReceiver(target, { checksDelivery: true })
}

test.each([404, 405, 410])('an answer %i to a valid delivery is not from a webhook endpoint', async (status) => {
  await expect(endpoint(status)).rejects.toThrow(/^no webhook endpoint here: .*\/hooks answers a valid delivery with/)
})

test('a redirect is not a webhook endpoint, and its target is reported', async () => {
  await expect(endpoint(308, { location: '/elsewhere' })).rejects.toThrow(/with a redirect \(308\) to \/elsewhere/)
})

test('an endpoint that refuses everything alike has another secret, so nothing is learnt', async () => {
  await expect(endpoint(401)).rejects.toThrow(/^no result: .* check that --secret is the secret of this endpoint/)
})

test('a refusal fails one case with the answer, and the others are not evaluated', async () => {
  const subject = await endpoint(500)
  onTestFinished(() => subject.close())
  const [accepts, refuses] = await runCases(cases, subject, { seed: 1 })
  expect(accepts).toMatchObject({ status: 'failed', violates: ['RCV-001'] })
  expect(accepts?.measurements).toEqual({ refused: { answer: '500' } })
  expect(refuses?.status).toBe('skipped')
  expect(refuses?.reason).toMatch(/^not evaluated because RCV-001 failed: a valid delivery is answered with 500/)
})

test('a refusal fails the case that all depend on, even if it is not selected', async () => {
  const subject = await endpoint(500)
  onTestFinished(() => subject.close())
  const selection = { suites: [], cases: ['receiver/first/refuses'] }
  const report = await runSuite(cases, subject, { seed: 1, selection, tool: { name: 'x', version: '0' } })
  expect(report.verdict).toBe('nonconformant')
  expect(report.cases.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'receiver/first/accepts failed',
    'receiver/first/refuses skipped',
  ])
  expect(report.requirements?.find(({ id }) => id === 'RCV-001')?.status).toBe('violated')
})

test('an endpoint that refuses one delivery and takes the next is judged by all cases', async () => {
  const subject = await endpoint(204, {}, 401)
  onTestFinished(() => subject.close())
  const judged = await runCases(cases, subject, { seed: 1 })
  expect(judged.map(({ status }) => status)).toEqual(['passed', 'failed'])
})

test('an endpoint that accepts a delivery runs only the selected cases', async () => {
  const subject = await endpoint(204)
  onTestFinished(() => subject.close())
  const selection = { suites: [], cases: ['receiver/first/refuses'] }
  const { cases: requested } = await runSuite(cases, subject, { seed: 1, selection, tool: { name: 'x', version: '0' } })
  expect(requested.map(({ id }) => id)).toEqual(['receiver/first/refuses'])
})

test('a case that an endpoint cannot run does not fail it, even if it is selected', async () => {
  const subject = await endpoint(204)
  onTestFinished(() => subject.close())
  const onEffects = receiverCase({
    id: 'receiver/first/handles',
    requirements: ['RCV-019'],
    level: 'must',
    title: 'a delivery is handled once',
    needs: ['handled'],
    run: () => Promise.resolve(),
  })
  for (const selected of [[], ['receiver/first/refuses']]) {
    const options = { seed: 1, selection: { suites: [], cases: selected }, tool: { name: 'x', version: '0' } }
    const report = await runSuite([...cases, onEffects], subject, options)
    expect(report.requirements?.find(({ id }) => id === 'RCV-019')?.status).toBe('unverified')
  }
})

test('an endpoint that takes a delivery is judged', async () => {
  const subject = await endpoint(204)
  await subject.close()
  expect(subject.gate?.({ id: 'receiver/a/b' })).toBeUndefined()
})
