import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestCase, type TestSpecification } from 'vitest/node'

const isCi = process.env['CI'] !== undefined

/** Names the tests that passed at the second asking alone, with why the first failed: each of them has a fault to be found. */
const reportsFlaky = (): Reporter => {
  const flaky: TestCase[] = []
  return {
    onTestCaseResult: (test) => void (test.diagnostic()?.flaky === true && flaky.push(test)),
    onTestRunEnd() {
      for (const test of flaky) {
        console.log(`FLAKY ${test.module.relativeModuleId} > ${test.fullName}`)
        for (const { message } of test.result().errors ?? []) console.log(`  ${message}`)
      }
    },
  }
}

const notOurs = ['**/node_modules/**', 'dist']
const inRealTime = ['modes', 'neighbour', 'small-service'].map((name) => `bin/blackbox/${name}.test.ts`)
/** Units: they share modules, which are loaded once for each worker. */
const units = ['fixtures', 'harness', 'reference', 'spec', 'suites'].map((folder) => `${folder}/**/*.test.ts`)

/** Files that take longest, mostly by waiting: they begin first, so that none of them is left at the end. */
const longest = [
  'hostile-receiver',
  'slow-receiver',
  'providers',
  'control',
  'silent-driver',
  'nothing-to-run',
  'sender',
  'official',
  'wait-growth',
  'state',
  'package',
  'hostile',
  'ci-files',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right))
  }
}

export default defineConfig({
  test: {
    // Most tests wait for processes and sockets more than they compute.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Runs in real time need the machine for themselves: next to other tests their reruns take many minutes.
    projects: [
      {
        extends: true,
        test: { name: 'tests', include: ['**/*.test.ts'], exclude: [...notOurs, ...inRealTime, ...units] },
      },
      { extends: true, test: { name: 'units', include: units, exclude: notOurs, isolate: false } },
      {
        extends: true,
        test: { name: 'real time', include: inRealTime, exclude: notOurs, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
    // The compiled product is loaded by Node itself, without a transformation.
    server: { deps: { external: [/\/node_modules\//, new RegExp(`^${import.meta.dirname}/dist/`)] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A CI machine is shared: only there a failed test runs once more. The runs on the reference, the noise and the selftest of `.ci/run`
    // have no retry.
    retry: isCi ? 1 : 0,
    reporters: ['default', ...(process.env['GITHUB_ACTIONS'] === undefined ? [] : ['github-actions']), reportsFlaky()],
    setupFiles: ['loopback-only', 'fuzz'].map((name) =>
      fileURLToPath(new URL(`harness/testing/${name}.ts`, import.meta.url)),
    ),
  },
})
