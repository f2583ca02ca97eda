// The thread that watches the main thread. The inspector alone can run code there in the midst of a loop.
import { writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'

const beats = workerData as Int32Array
const everyMs = 500
/**
 * Processor time and time without a turn of the main thread after which it is stuck, in milliseconds: nothing it does takes a tenth of that
 * in one go. A process that waits, is stopped, or has no processor uses none.
 */
const stuckAfterMs = 10_000
/** Native code cannot be interrupted: after this many attempts the process is killed. */
const maxAttempts = 3

let seen = -1
let since = { at: performance.now(), cpu: cpuMs() }
let attempts = 0

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function look(): void {
  const now = Atomics.load(beats, 0)
  const isTurning = now !== seen
  if (isTurning) attempts = 0
  if (!isTurning && (performance.now() - since.at < stuckAfterMs || cpuMs() - since.cpu < stuckAfterMs)) return
  seen = now
  since = { at: performance.now(), cpu: cpuMs() }
  if (isTurning) return
  if (++attempts <= maxAttempts) endProcess()
  else {
    writeSync(2, 'conformance: stuck and killed; `conformance cleanup` removes what this run created\n')
    process.kill(process.pid, 'SIGKILL')
  }
}

function endProcess(): void {
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.evaluate', { expression: "globalThis[Symbol.for('conformance.stuck')]()" })
}

setInterval(look, everyMs)
