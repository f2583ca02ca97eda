// The command against targets that mean it harm: it ends, in little memory, with a verdict, and nobody is owned.
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSchema } from '../fixtures/index.js'
import { command, type CommandEnd } from '../harness/testing/hostile/command.js'
import { manners, type MannerName } from '../harness/testing/hostile/manners.js'
import { startHostile } from '../harness/testing/hostile/proxy.js'
import { streamManners, type StreamMannerName } from '../harness/testing/hostile/stream-manners.js'
import { startReferenceServer } from '../reference/server/index.js'

type Reference = Awaited<ReturnType<typeof startReferenceServer>>

/** Resident memory a run may take at a heap of 192 MiB, in MiB; a quiet one takes some 200. */
const mostMb = 450
const caseMs = '2500'
/** A busy machine takes its time. */
const limit = { timeout: 120_000 }
const everyReporter = ['junit', 'ctrf', 'html', 'markdown', 'github', 'tap']

let reference: Reference
beforeAll(async () => {
  reference = await startReferenceServer({ control: true })
})
afterAll(() => reference.close())

const validate = (() => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  return ajv.compile(loadSchema('report'))
})()

/** What holds whatever the target did. */
function expectSound(end: CommandEnd, codes: readonly number[]): void {
  expect(codes, `${end.out}\n${end.err}`).toContain(end.code)
  expect(end.peakMb).toBeLessThan(mostMb)
  expect(end.err).not.toMatch(/unexpected/)
  expect(validate(end.report), JSON.stringify(validate.errors?.slice(0, 2))).toBe(true)
  for (const [name, text] of Object.entries({ out: end.out, err: end.err, ...end.reports })) {
    expect(text, name).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/)
    expect(text, name).not.toMatch(/##\w*\[/)
    if (name !== 'html')
      expect(text, name).not.toMatch(
        /^\s*::(?!(?:error|warning|notice) title=(?:service|client|verifier|receiver|conformance))/m,
      )
  }
  for (const name of ['html', 'markdown', 'junit'])
    expect(end.reports[name] ?? '', name).not.toMatch(/<script>owned|<svg onload|<img src=x|\]\]><\/failure/)
}

/** Cases of some suites on a service that has the reference's control interface. */
function runOn(url: string, ...suites: readonly string[]): string[] {
  const target = ['run', '--base-url', url, '--control-url', reference.controlUrl ?? '']
  return [...target, ...suites.flatMap((each) => ['--suite', each]), '--timeout', caseMs, '--seed', '1']
}

/** Names for one test each: a few of them, or with HOSTILE=whole every one. */
function some<T>(few: readonly T[], rest: readonly T[]): readonly T[] {
  return process.env['HOSTILE'] === 'whole' ? [...few, ...rest] : few
}

/** Without the short time for each case. */
function unhurried(args: readonly string[]): string[] {
  const at = args.indexOf('--timeout')
  return args.filter((_, index) => index !== at && index !== at + 1)
}

function failedOutside(end: CommandEnd, pattern: RegExp): string[] {
  const bad = end.report?.cases.filter((each) => each.status === 'failed') ?? []
  return bad.map((each) => each.id).filter((id) => !pattern.test(id))
}

describe('a service that answers one operation badly', limit, () => {
  const few: readonly MannerName[] = ['deep-fields', 'injections']
  const rest = (Object.keys(manners) as MannerName[]).filter((each) => !few.includes(each))
  it.concurrent.each(some(few, rest))('%s', async (name) => {
    const isVictim = ({ method, path }: { method: string; path: string }) =>
      method === 'GET' && /^\/v1\/webhooks(?:\?|$)/.test(path)
    const service = await startHostile({ manner: manners[name], isVictim, upstream: reference.url })
    const end = await command(runOn(service.url, 'service/webhooks', 'service/always'), {
      reporters: everyReporter,
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.close()
    expectSound(end, [0, 1, 3])
    expect(failedOutside(end, /list|secret|always|delete|default|filter/)).toEqual([])
  })
})

describe('a stream that is misused', limit, () => {
  const few: readonly StreamMannerName[] = ['deaf-ping-flood']
  const rest = (Object.keys(streamManners) as StreamMannerName[]).filter((each) => !few.includes(each))
  it.concurrent.each(some(few, rest))('%s', async (name) => {
    const service = await startHostile({ stream: streamManners[name], upstream: reference.url })
    const end = await command(runOn(service.url, 'service/stream', 'service/always'), {
      reporters: everyReporter,
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.close()
    expectSound(end, [1, 3])
  })
})

const driver = [process.execPath, resolve(import.meta.dirname, '../harness/testing/hostile/driver.mjs')]

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
  it.concurrent.each(some(few, rest))('%s', async (manner) => {
    const end = await command(
      ['client', '--suite', 'client/errors', '--timeout', caseMs, '--seed', '1', '--', ...driver, manner],
      { reporters: everyReporter },
    )
    expectSound(end, [1, 3])
    expect(end.err.length).toBeLessThan(3_000_000)
  })
})

describe('a service that is gone half-way is asked no further, convicts nobody and earns no verdict', limit, () => {
  const ways = [
    { suites: ['service/stream'], concurrency: '12', requests: 12 },
    {
      suites: ['service/malformed-requests', 'service/emails', 'service/batches', 'service/webhooks'],
      concurrency: '2',
      requests: 40,
    },
    { suites: ['service/stream', 'service/retries', 'service/polling'], concurrency: '12', requests: 60 },
  ]
  it.concurrent.each(ways)('$suites', async ({ suites, concurrency, requests }) => {
    const service = await startHostile({ upstream: reference.url })
    const started = command([...unhurried(runOn(service.url, ...suites)), '--concurrency', concurrency], {
      env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
    })
    await service.asked(requests)
    await service.close()
    const end = await started
    expectSound(end, [3])
    expect(end.report?.verdict).toBe('none')
    expect(end.report?.note).toMatch(/took no connection/)
    expect(failedOutside(end, /^$/)).toEqual([])
  })
})

describe(
  'a service that answers everything with 429 earns no verdict, and is not waited for without an end',
  limit,
  () => {
    const ways: readonly { manner: MannerName; after: number; says: RegExp }[] = [
      { manner: 'retry-after-long', after: 0, says: /asks for a wait of 110 s/ },
      { manner: 'retry-after-huge', after: 0, says: /asks for a wait of more than 30 years/ },
      { manner: 'retry-after-long', after: 40, says: /answered nothing but 429/ },
    ]
    const slow: typeof ways = [{ manner: 'retry-after-short', after: 0, says: /goes on so/ }]
    it.concurrent.each(some(ways, slow))('$manner after $after requests', async ({ manner, after, says }) => {
      let asked = 0
      const service = await startHostile({
        manner: manners[manner],
        isVictim: () => ++asked > after,
        upstream: reference.url,
      })
      const end = await command(
        unhurried(runOn(service.url, 'service/emails', 'service/webhooks', 'service/polling')),
        {
          env: { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' },
        },
      )
      await service.close()
      expectSound(end, [3])
      expect(end.report?.note).toMatch(says)
      expect(failedOutside(end, /^$/)).toEqual([])
    })
  },
)

it('a key that the service refuses is the fault of whoever gave it', limit, async () => {
  const end = await command(['run', '--base-url', reference.url], { env: { CONFORMANCE_API_KEY: 'key_of_nobody' } })
  expectSound(end, [3])
  expect(end.err).toMatch(/refuses the API key \(401 for GET \/v1\/events, 401 for .*--api-key/)
  expect(end.report).toMatchObject({ verdict: 'none', cases: [], note: expect.stringMatching(/--api-key/) as string })
})
