// A run that passes, with every exchange of it in a HAR file.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readExchanges } from '../../harness/observe/har.js'
import { executed, program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'har-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('--reporter har=file keeps the exchanges of cases that passed, without a key or a secret', async () => {
  const file = join(folder, 'run.har')
  const cases = ['service/webhooks/creates-with-201', 'service/retries/second-attempt-after-5-seconds']
  const caseOptions = cases.flatMap((id) => ['--case', id])
  const { code, out } = await executed(
    process.execPath,
    [program, 'run', '--reference', ...caseOptions, '--reporter', `har=${file}`],
    {
      cwd: folder,
    },
  )
  expect(code, out).toBe(0)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]{8}|Bearer (?!\[redacted\])/)
  const { exchanges } = readExchanges(file, text)
  const created = exchanges.filter(({ method, url }) => method === 'POST' && url.pathname === '/v1/webhooks')
  expect(created.map(({ response }) => response?.status)).toContain(201)
  const deliveries = exchanges.filter(({ request }) => request.headers.some(([name]) => name === 'webhook-signature'))
  expect(deliveries.length).toBeGreaterThanOrEqual(2)
  for (const { request } of deliveries) expect(request.body?.length).toBeGreaterThan(0)
})
