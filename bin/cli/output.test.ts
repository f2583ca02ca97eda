// Checks that every writer to standard output and error uses one file, so that text of a target cannot control a terminal or a build log.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const writes = /process\s*\.\s*(?:stdout|stderr)|process\s*\[|console\s*\.|writeSync\(\s*[12]\b|from 'node:console'/
/** What holds the streams of a call, the file itself, what notices broken streams, and the watchdog, which writes while the main thread is stuck. */
const own = [
  'bin/cli/invocation.ts',
  'bin/cli/output.ts',
  'bin/cli/standard-output.ts',
  'bin/cli/watchdog.ts',
  'bin/cli/watchdog-thread.ts',
]
/** Who may have a stream as it is: reporters escape by themselves, vectors keep their bytes, a question needs a terminal. */
const raw = [
  'bin/commands/init.ts',
  'bin/commands/vectors.ts',
  'bin/init/ask.ts',
  'bin/report/comparison-output.ts',
  'bin/report/history-output.ts',
  'bin/run/reporting.ts',
]
/** Programs outside the command, or without any text of a target. */
const apart = /^(?:bin\/(?:attack|bench|libraries|noise|observe\/mutants)|harness\/testing|reference\/independent)\//

const code = (path: string) => readFileSync(resolve(root, path), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
const files = ['bin', 'harness', 'suites', 'reference', 'spec', 'fixtures']
  .flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true }).map((name) => join(folder, String(name))),
  )
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !apart.test(path) && !own.includes(path))

test('no other file writes to standard output or error', () => {
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((path) => writes.test(code(path)))).toEqual([])
})

test('a stream as it is goes only to those who need its bytes', () => {
  expect(files.filter((path) => code(path).includes('rawStream(')).toSorted()).toEqual(raw)
})

test.each(['process.stdout.write(x)', 'process . stderr', "process['stdout']", 'console.log(x)', 'writeSync(2, x)'])(
  'the search finds %s',
  (line) => expect(writes.test(line)).toBe(true),
)
