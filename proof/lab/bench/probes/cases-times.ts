// Runs the service catalogue several times over, as one run, on the reference; prints the number of cases that passed.
import type { Case } from '../../../../harness/case.js'
import { runCases } from '../../../../harness/engine.js'
import { connectService } from '../../../../harness/service/subject.js'
import { startReferenceServer } from '../../../../reference/server/index.js'
import { referenceTarget } from '../../../../bin/reference/target.js'
import { serviceCases } from '../../../../suites/service/index.js'

const [factor = '1', scale = '1'] = process.argv.slice(2)
const server = await startReferenceServer({ control: true })
const subject = await connectService(referenceTarget(server))
// The last phase sums up a whole run; it would judge the copies as one. Several slow readers side by side keep more frames
// than the streams of one run may.
const some = serviceCases
  .filter((testCase) => testCase.phase !== 'last' && testCase.id !== 'service/stream/waits-for-a-slow-reader')
  .slice(0, Math.ceil(serviceCases.length * Number(scale)))
type ServiceCase = (typeof some)[number]
const many = Array.from({ length: Number(factor) }, (_, copy) =>
  some.map((testCase): ServiceCase & Case<never> => ({
    ...testCase,
    id: `${testCase.id}--copy-${copy}` as ServiceCase['id'],
  })),
).flat()
const results = await runCases(many, subject, { seed: 1 })
const bad = results.filter(({ status }) => status !== 'passed')
if (bad.length > 0) throw new Error(`${bad.length} cases did not pass: ${bad[0]?.id} ${bad[0]?.message}`)
process.stdout.write(String(results.length))
await subject.close()
await server.close()
