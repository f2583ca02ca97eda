// A driver that answers in time, with anything: no case crashes on it, and its text controls no report.
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { connectClient } from '../../harness/client/index.js'
import { inProcessDriver } from '../../harness/driver/index.js'
import { runSuite } from '../../harness/index.js'
import { hostileText } from '../../harness/testing/sample-report.js'
import { connectVerifier } from '../../harness/verifier/index.js'
import { clientCases } from '../../suites/client/index.js'
import { verifierCases } from '../../suites/verifier/index.js'
import { tries } from '../../harness/testing/fuzz.js'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const text = fc.oneof(fc.constantFrom('', '__proto__', 'network_error', 'missing_api_key', hostileText), fc.string())
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, -1, 1e308, 2 ** 53, 429),
    text,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom('id', 'code', 'toString', 'length', 'then'), text), tie('any'), {
      maxKeys: 4,
    }),
  ),
})).any
/** Members of the protocol, each with what it may hold or with anything. */
const answer = fc.record(
  {
    ok: fc.oneof({ weight: 4, arbitrary: fc.boolean() }, value),
    event: value,
    value,
    signature: fc.oneof(fc.constant('v1,AAAA'), value),
    error: fc.oneof(
      value,
      fc.record({ status: value, code: value, message: value, fix: value, errors: value, retry_after: value }),
    ),
    unsupported: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, value),
  },
  { requiredKeys: ['ok'] },
)

/** Messages of a program that crashed on its own input. */
const fallen = /TypeError|RangeError|Cannot (?:read|convert)|is not a function|not iterable|undefined \(reading/

const kinds = {
  verifier: { catalogue: verifierCases, connect: connectVerifier, cases: ['verifier/**'] },
  client: { catalogue: clientCases, connect: connectClient, cases: ['client/**'] },
} as const

test.each(['verifier', 'client'] as const)('%s', async (kind) => {
  const members = Object.getOwnPropertyNames(Object.prototype)
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 5 }), async (answers) => {
      let count = 0
      const driver = inProcessDriver(
        'odd',
        () =>
          async ({ op }) =>
            op === 'hello' ? { name: 'odd', version: '1', language: 'any' } : (answers[count++ % answers.length] ?? {}),
      )
      const run = async <Context>(options: {
        readonly catalogue: Parameters<typeof runSuite<Context>>[0]
        readonly connect: (source: typeof driver) => Promise<Parameters<typeof runSuite<Context>>[1]>
        readonly cases: readonly string[]
      }) => {
        const subject = await options.connect(driver)
        open.push(() => subject.close())
        return runSuite(options.catalogue, subject, {
          selection: { suites: [], cases: options.cases },
          tool: { name: 'test', version: '0' },
          seed: 1,
          runs: 2,
          shrink: false,
          timeoutMs: 5_000,
        })
      }
      const report = kind === 'verifier' ? await run(kinds.verifier) : await run(kinds.client)
      expect(report.cases.length).toBeGreaterThan(0)
      for (const result of report.cases) expect(`${result.message ?? ''} ${result.reason ?? ''}`).not.toMatch(fallen)
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(members)
    }),
    tries(kind === 'verifier' ? 4 : 2),
  )
})
