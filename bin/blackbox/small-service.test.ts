// A small service without a control interface, in real time: each slip is found on its own sentence, and what kills it is named.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test, type TestContext } from 'vitest'
import type { Report } from '../../harness/index.js'
import { freePort } from '../../harness/webhook-sink.js'
import { commandIn } from '../testing/command.js'
import { some } from '../testing/whole.js'

const longestMs = 420_000

/** Runs the cases on the service with this slip; resolves to the report. */
async function judged({ onTestFinished }: TestContext, slip: string, cases: readonly string[]): Promise<Report> {
  const service = spawn(process.execPath, [join(import.meta.dirname, 'testing/services/small.mjs'), slip], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => void service.kill())
  const [url] = (await once(createInterface(service.stdout), 'line')) as [string]
  const folder = mkdtempSync(join(tmpdir(), 'small-service-'))
  const port = await freePort()
  const settings = {
    base_url: url,
    api_key: 'key_small',
    from: 'Probe <probe@verified.example>',
    inboxes: [{ id: 'ibx_1', address: 'one@in.example' }],
    receiver: { listen: `127.0.0.1:${port}`, public_url: `https://127.0.0.1:${port}/` },
    retry_depth: 2,
  }
  writeFileSync(join(folder, 'conformance.config.json'), JSON.stringify(settings))
  const run = commandIn(folder, { XDG_STATE_HOME: folder })
  const { err } = await run([
    'run',
    '--quiet',
    '--reporter',
    'json=report.json',
    ...cases.flatMap((id) => ['--case', id]),
  ])
  expect(err).not.toContain('please report it')
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
}

const statusOf = ({ cases }: Report, id: string) => cases.find((result) => result.id === id)

const slips = [
  { slip: 'inclusive-cursor', cases: ['service/cursors/*', 'service/polling/*'], broken: 'POL-003' },
  { slip: 'takes-200-alone', cases: ['service/deliveries/any-2xx-is-success'], broken: 'DLV-006' },
] as const

// Nearly all of it is waiting.
describe.concurrent('a small service', { timeout: longestMs }, () => {
  test('a first retry after 10 s fails, and the same service with a retry after 5 s passes', async (context) => {
    const id = 'service/retries/second-attempt-after-5-seconds'
    const [late, right] = await Promise.all([
      judged(context, 'retries-after-10-s', [id]),
      judged(context, 'right', [id]),
    ])
    // Errored if this machine was too busy to measure; the late one never passes, and the right one never fails.
    expect(statusOf(late, id)).toMatchObject({
      status: expect.stringMatching(/failed|errored/),
      message: expect.stringMatching(/seconds between attempts 1 and 2: expected 4.75 to 9\.\d+, got 1\d/),
    })
    expect(statusOf(right, id)?.status).toMatch(/passed|errored/)
  })

  test.for(some(slips.slice(0, 1), slips.slice(1)))(
    'the slip $slip fails on its own sentence, and its cause is that sentence alone',
    async ({ slip, cases, broken }, context) => {
      const [wrong, right] = await Promise.all([judged(context, slip, cases), judged(context, 'right', cases)])
      const failed = ({ cases: results }: Report) => results.filter(({ status }) => status === 'failed')
      expect(failed(right).map(({ id }) => id)).toEqual([])
      expect(failed(wrong)).not.toEqual([])
      expect(wrong.likely_causes?.map(({ requirement }) => requirement)).toEqual([broken])
    },
  )

  test('the report of a service that dies names its last request and its case', async (context) => {
    const report = await judged(context, 'dies-of-a-body-that-is-not-json', [
      'service/malformed-requests/refuses-a-body-that-is-no-object',
    ])
    expect(report.note).toMatch(
      /accepted no connection for 5 s .*; the requests it had not answered when it went away: POST \/v1\/\w+ with the body .*\(service\/malformed-requests\/[\w-]+\).*Try: curl -X POST 'http:\/\/127\.0\.0\.1:\d+\/v1\/\w+'/,
    )
  })
})
