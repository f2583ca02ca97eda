// Signals are handled on the main thread: a loop without an end there would outlast each of them but SIGKILL. A thread of its own notices
// that the main thread does not turn any more, and ends the process from within.
import { closeSync, writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { runningCase } from '../../harness/webhook-sink.js'
import { exitCodes } from './usage.js'

/** How often the main thread shows that it turns, in milliseconds. */
const beatMs = 250

/** Starts the watchdog, which ends the process with exit code 3 where the main thread is stuck. */
export function startWatchdog(): { end(): void } {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const beat = setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref()
  Object.defineProperty(globalThis, Symbol.for('conformance.stuck'), { value: endStuckProcess, configurable: true })
  const worker = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
    workerData: beats,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
  })
  // Without its watchdog a run is as good as any other.
  worker.on('error', () => {})
  worker.unref()
  return {
    end() {
      clearInterval(beat)
      void worker.terminate()
    },
  }
}

/** Runs on the main thread in the midst of whatever it is stuck in: nothing here may wait. */
function endStuckProcess(): void {
  const where = runningCase() ?? 'work that belongs to no case'
  writeSync(
    2,
    `conformance: stuck in ${where}: it used the processor for 10 s without a pause, and the process was ended. Nothing was judged. If this is not a case of your own, please report it. Webhooks and other things it made may be left: conformance cleanup removes them.\n`,
  )
  // Node writes there that it waits for a debugger, which is the watchdog.
  closeSync(2)
  process.exit(exitCodes.noVerdict)
}
