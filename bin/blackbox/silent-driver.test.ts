// A driver that stops answering calls, on the real clock: the run ends without a failure.
import { expect, test } from 'vitest'
import { clientCases } from '../../suites/client/index.js'
import { connectClient } from '../../harness/client/index.js'
import { inProcessDriver } from '../../harness/driver/index.js'
import { runSuite } from '../../harness/index.js'

const cases = ['client/construction/sends-the-key-as-bearer', 'client/retries/retries-a-429']
const limitMs = 150_000

/** Runs two cases on a driver that builds clients, and answers such calls alone. */
async function outcome(isAnswered: (method: unknown) => boolean) {
  const driver = inProcessDriver('silent', () => async ({ op, method }) => {
    if (op === 'hello') return { name: 'silent', version: '1', language: 'any' }
    if (op === 'construct') return { ok: true }
    return isAnswered(method) ? { ok: true, value: { id: 'em_1' } } : new Promise(() => {})
  })
  const subject = await connectClient(driver)
  try {
    const report = await runSuite(clientCases, subject, {
      selection: { suites: [], cases },
      tool: { name: 'test', version: '0' },
      seed: 1,
      shrink: false,
      timeoutMs: 60_000,
    })
    return { statuses: report.cases.map(({ status }) => status), verdict: report.verdict, lost: subject.lost }
  } finally {
    await subject.close()
  }
}

test('a driver that answers no call any more ends the run without a verdict', { timeout: limitMs }, async () => {
  const { statuses, verdict, lost } = await outcome(() => false)
  expect(lost).toMatch(/stopped answering/)
  expect(statuses).not.toContain('failed')
  expect(verdict).toBe('none')
})
