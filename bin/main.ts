// The process of the command: its memory, its errors and its exit code.
import { keepHeapSmall } from './cli/memory.js'
import { printError } from './cli/output.js'
import { isStandardOutputBroken } from './cli/standard-output.js'
import { isOfEndedCase } from './cli/stray-error.js'
import { systemProblem } from './cli/system-problem.js'
import { exitCodes } from './cli/usage.js'
import { conformance } from './program.js'

/** Time after its end in which a process that something still holds open is ended, in milliseconds. */
const lingerMs = 3_000

keepHeapSmall()
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    if (isOfEndedCase(error)) return
    const problem = systemProblem(error)
    printError(problem ?? `unexpected: ${error instanceof Error ? error.stack : String(error)}`)
    process.exit(problem === undefined ? exitCodes.noVerdict : exitCodes.usage)
  })

const ended = conformance()
// Output may also get lost after the command has ended.
process.once('exit', (code) => {
  if (code === exitCodes.conformant && isStandardOutputBroken()) process.exitCode = exitCodes.usage
})
process.exitCode = await ended
setTimeout(() => process.exit(), lingerMs).unref()
