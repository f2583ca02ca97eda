// The kit's own service cases through the proxy and the gateway: their results are the same, and the concurrent checks find no fault in
// the reference, and the broken sentence of a mutant. All of it: `npm run lab -- traffic`.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freePort, sinkCertificate } from '../../harness/webhook-sink.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { tryTraffic } from '../../proof/lab/selftest/traffic.js'
import { program } from '../testing/command.js'
import { observeIn } from '../testing/observing.js'

const folder = mkdtempSync(join(tmpdir(), 'observe-suite-'))
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

interface Reported {
  readonly verdict: string
  readonly cases: readonly { readonly id: string; readonly status: string; readonly message?: string }[]
}

function report(name: string): Reported {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Reported
}

const suites = ['webhooks', 'polling', 'stream', 'signatures', 'delivery-list', 'inbox-scope']

/** Runs a part of the service cases by a configuration; resolves to the status of each. */
async function run(name: string, configuration: object): Promise<Readonly<Record<string, string>>> {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(configuration))
  const cases = suites.flatMap((suite) => ['--suite', `service/${suite}`])
  const words = ['run', '--config', `${name}.json`, ...cases, '--seed', '7', '--reporter', `json=${name}-report.json`]
  await new Promise((resolve) => execFile(process.execPath, [program, ...words], { cwd: folder }, resolve))
  return Object.fromEntries(report(`${name}-report.json`).cases.map(({ id, status }) => [id, status]))
}

test('the cases have the same results through the proxy and the gateway', { timeout: 300_000 }, async () => {
  const { ca, cert, key } = await sinkCertificate()
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const server = await startReferenceServer({ control: true, ca: [ca] })
  ends.push(() => server.close())
  const control = { url: server.controlUrl, key: server.controlKey }
  const direct = { base_url: server.url, api_key: server.apiKey, control }
  const port = await freePort()
  const stands = [
    '--base-url',
    server.url,
    '--webhooks',
    `http://127.0.0.5:${port}`,
    '--webhook-listen',
    `127.0.0.1:${port}`,
  ]
  const tls = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem']
  const running = await observeIn(folder, [...stands, ...tls, '--reporter', 'json=seen.json'], ends)
  const receiver = { listen: `127.0.0.5:${port}`, public_url: `https://127.0.0.1:${port}/` }
  const without = await run('without', direct)
  const through = await run('through', { ...direct, base_url: running.proxy, receiver })
  // A case that a busy machine could not run shows nothing about the proxy.
  const requested = Object.keys(without).filter((id) => ![without[id], through[id]].includes('errored'))
  expect(requested.length).toBeGreaterThan(25)
  const of = (all: Readonly<Record<string, string>>) => Object.fromEntries(requested.map((id) => [id, all[id]]))
  expect(of(through)).toEqual(of(without))
  const { code } = await running.end()
  const { verdict, cases } = report('seen.json')
  expect(cases.filter(({ status }) => status === 'failed')).toEqual([])
  expect({ code, verdict }).toEqual({ code: 0, verdict: 'partial' })
  for (const id of ['deliveries/are-signed', 'stream/sends-events', 'polling/neither-loses-nor-repeats'])
    expect(cases.find((result) => result.id === `observe/${id}`)?.status, id).toBe('passed')
})

test.each([
  ['server/received-without-thread', 'EVT-003'],
  ['server/sends-timestamps-in-seconds', 'EVT-002'],
  ['server/signs-the-body-alone', 'SIG-004'],
])('traffic shows what %s breaks', { timeout: 120_000 }, async (mutant, requirement) => {
  const { found, failure } = await tryTraffic({ mutant }, 1)
  expect(failure).toBeUndefined()
  expect(found.map((finding) => finding.requirement)).toContain(requirement)
})
