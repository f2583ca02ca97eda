// Temporary: CASES='service/retries/*' npx vitest run bin/try.test.ts
import { expect, test } from 'vitest'
import { runSuite } from '../harness/run.js'
import { connectService } from '../harness/service/subject.js'
import { startReferenceServer } from '../reference/server/index.js'
import { serverMutants } from '../reference/mutants/server.js'
import { serviceCases } from '../suites/service/index.js'

test('reference passes', async () => {
  const wanted = process.env['MUTANT']
  const mutant = wanted === undefined ? undefined : serverMutants.find((each) => each.id === wanted)
  if (wanted !== undefined && mutant === undefined) throw new Error('no such mutant')
  const server = await startReferenceServer({
    control: true,
    ...(mutant === undefined ? {} : { policy: mutant.policy }),
  })
  const subject = await connectService({
    baseUrl: server.url,
    apiKey: server.apiKey,
    from: undefined,
    inboxes: [],
    receiver: undefined,
    triggers: {},
    dns: undefined,
    retryDepth: 2,
    control: { url: server.controlUrl ?? '', key: server.controlKey ?? '' },
    maxRps: Infinity,
  })
  const report = await runSuite(serviceCases, subject, {
    seed: Number(process.env['SEED'] ?? 1),
    selection: { suites: [], cases: (process.env['CASES'] ?? '**').split(',') },
    tool: { name: 'x', version: '0' },
  })
  await subject.close()
  await server.close()
  for (const each of report.cases)
    console.log(each.status, each.id, each.duration_ms, each.message ?? each.reason ?? '')
  console.log(report.verdict, report.duration_ms)
  const failed = report.cases.find((each) => each.status === 'failed' || each.status === 'errored')
  if (failed !== undefined) console.log(JSON.stringify(failed, null, 1).slice(0, 4000))
  if (mutant === undefined) expect(report.summary.cases.failed + report.summary.cases.errored).toBe(0)
  else expect(report.cases.flatMap((each) => each.violates ?? []).some((id) => mutant.breaks.includes(id))).toBe(true)
})
