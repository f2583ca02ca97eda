// The command against hostile targets: it ends, in bounded memory at Node's default heap, and runs nothing of theirs.
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command } from '../../harness/testing/hostile/command.js'
import { behaviours, type BehaviourName } from '../../harness/testing/hostile/behaviours.js'
import { startHostile } from '../../harness/testing/hostile/proxy.js'
import { streamBehaviours, type StreamBehaviourName } from '../../harness/testing/hostile/stream-behaviours.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { some } from '../testing/whole.js'
import { everyReporter, expectIntact, failedOutside } from './testing/intact-run.js'

type Reference = Awaited<ReturnType<typeof startReferenceServer>>

const caseMs = '2500'
/** A busy machine takes its time. */
const limit = { timeout: 120_000 }
/** Longest run against a misused stream while others run, in milliseconds. */
const killAfterMs = 300_000

let reference: Reference
beforeAll(async () => {
  reference = await startReferenceServer({ control: true })
})
afterAll(() => reference.close())

/** Cases of some suites on a service that has the reference's control interface. */
function runOn(url: string, ...suites: readonly string[]): string[] {
  const target = ['run', '--base-url', url, '--control-url', reference.controlUrl ?? '']
  return [...target, ...suites.flatMap((suite) => ['--suite', suite]), '--timeout', caseMs, '--seed', '1']
}

/** Without the short time for each case. */
function withoutHurry(args: readonly string[]): string[] {
  const at = args.indexOf('--timeout')
  return args.filter((_, index) => index !== at && index !== at + 1)
}

describe('a service that answers one operation badly', limit, () => {
  const few: readonly BehaviourName[] = ['deep-fields', 'injections']
  const rest = (Object.keys(behaviours) as BehaviourName[]).filter((behaviour) => !few.includes(behaviour))
  it.concurrent.each(some(few, rest))('%s', async (name) => {
    const isVictim = ({ method, path }: { method: string; path: string }) =>
      method === 'GET' && /^\/v1\/webhooks(?:\?|$)/.test(path)
    const service = await startHostile({ behaviour: behaviours[name], isVictim, upstream: reference.url })
    const end = await command(runOn(service.url, 'service/webhooks', 'service/always'), {
      reporters: everyReporter,
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.close()
    expectIntact(end, [0, 1, 3])
    expect(failedOutside(end, /list|secret|always|delete|default|filter/)).toEqual([])
  })
})

describe('a stream that is misused', { timeout: killAfterMs + 20_000 }, () => {
  const few: readonly StreamBehaviourName[] = ['full-frames']
  const rest = (Object.keys(streamBehaviours) as StreamBehaviourName[]).filter((behaviour) => !few.includes(behaviour))
  it.concurrent.each(some(few, rest))('%s', async (name) => {
    const service = await startHostile({ stream: streamBehaviours[name], upstream: reference.url })
    const suites = ['service/stream', 'service/stream-resume', 'service/webhooks', 'service/always']
    const end = await command(runOn(service.url, ...suites), {
      reporters: everyReporter,
      killAfterMs,
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.close()
    expectIntact(end, [1, 3])
    expect(failedOutside(end, /stream|always/)).toEqual([])
  })
})

describe('a service that answers everything badly', limit, () => {
  const few: readonly BehaviourName[] = ['long-ids', 'always-500']
  const rest: readonly BehaviourName[] = ['many-values', 'big-json', 'deep-fields', 'gzip-bomb', 'injections']
  it.concurrent.each(some(few, rest))('%s', async (name) => {
    let requestCount = 0
    const isVictim = () => ++requestCount > 3
    const service = await startHostile({ behaviour: behaviours[name], isVictim, upstream: reference.url })
    const end = await command(runOn(service.url, 'service/webhooks', 'service/always'), {
      reporters: everyReporter,
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.close()
    expectIntact(end, [1, 3])
  })
})

const driver = [process.execPath, resolve(import.meta.dirname, '../../harness/testing/hostile/driver.mjs')]

describe('a driver', limit, () => {
  const few = ['no-newline', 'injections']
  const rest = [
    'stderr-flood',
    'unknown-ids',
    'duplicates',
    'text-ids',
    'garbage',
    'deep',
    'prototype-keys',
    'invalid-utf8',
  ]
  it.concurrent.each(some(few, rest))('%s', async (behaviour) => {
    const end = await command(
      ['client', '--suite', 'client/errors', '--timeout', caseMs, '--seed', '1', '--', ...driver, behaviour],
      { reporters: everyReporter },
    )
    expectIntact(end, [1, 3])
    expect(end.err.length).toBeLessThan(3_000_000)
  })
})

describe('a service that goes away during a run gets no more requests, no more failures and no verdict', limit, () => {
  const few = [{ suites: ['service/stream'], concurrency: '12', requests: 12 }]
  const rest = [
    {
      suites: ['service/malformed-requests', 'service/emails', 'service/batches', 'service/webhooks'],
      concurrency: '2',
      requests: 40,
    },
    { suites: ['service/stream', 'service/retries', 'service/polling'], concurrency: '12', requests: 60 },
  ]
  it.concurrent.each(some(few, rest))('$suites', async ({ suites, concurrency, requests }) => {
    const service = await startHostile({ upstream: reference.url })
    const started = command([...withoutHurry(runOn(service.url, ...suites)), '--concurrency', concurrency], {
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.asked(requests)
    await service.close()
    const end = await started
    expectIntact(end, [3])
    expect(end.report?.verdict).toBe('none')
    expect(end.report?.note).toMatch(/accepted no connection/)
    expect(failedOutside(end, /^$/)).toEqual([])
  })

  it.concurrent('during the request for a stream, when no other request follows', async () => {
    const service = await startHostile({ upstream: reference.url })
    const args = ['run', '--base-url', service.url, '--control-url', reference.controlUrl ?? '', '--seed', '1']
    const started = command([...args, '--case', 'service/stream/starts-from-now'], {
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.streamRequested()
    await service.close()
    const end = await started
    expectIntact(end, [3])
    expect(end.report?.note).toMatch(/accepted no connection/)
  })
})

describe('a service that answers everything with 429 gets no verdict, and the run ends', limit, () => {
  const ways: readonly { behaviour: BehaviourName; after: number; note: RegExp }[] = [
    { behaviour: 'retry-after-long', after: 0, note: /requests a wait of 110 s/ },
    { behaviour: 'retry-after-huge', after: 0, note: /requests a wait of more than 30 years/ },
    { behaviour: 'retry-after-long', after: 40, note: /answered nothing but 429/ },
  ]
  const slow: typeof ways = [{ behaviour: 'retry-after-short', after: 0, note: /goes on so/ }]
  it.concurrent.each(some(ways, slow))('$behaviour after $after requests', async ({ behaviour, after, note }) => {
    let requests = 0
    const service = await startHostile({
      behaviour: behaviours[behaviour],
      isVictim: () => ++requests > after,
      upstream: reference.url,
    })
    // Few at once: a valid answer that is late, after bad ones, ends their row.
    const suites = runOn(service.url, 'service/emails', 'service/webhooks', 'service/polling')
    const end = await command([...withoutHurry(suites), '--concurrency', '2'], {
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.close()
    expectIntact(end, [3])
    expect(end.report?.note).toMatch(note)
    expect(failedOutside(end, /^$/)).toEqual([])
  })
})

it('a key that the service refuses ends the run without a verdict, and the note names --api-key', limit, async () => {
  const end = await command(['run', '--base-url', reference.url], { env: { CONFORMANCE_API_KEY: 'key_of_nobody' } })
  expectIntact(end, [3])
  expect(end.err).toMatch(/refuses the API key \(401 for GET \/v1\/events, 401 for .*--api-key/)
  expect(end.report).toMatchObject({ verdict: 'none', cases: [], note: expect.stringMatching(/--api-key/) as string })
})
