// Records and checks traffic in its own thread; calls arrive through the port.
import { parentPort, workerData } from 'node:worker_threads'
import { Recorder, TrafficJudge } from '../../harness/observe/index.js'
import { systemCode } from '../cli/settings.js'
import { CaptureFile } from './capture-file.js'
import type { Batch, FromThread, JudgingOptions, JudgedLine } from './judging.js'
import { TrafficWatch } from './watch.js'

const { options, judged } = workerData as { options: JudgingOptions; judged: BigInt64Array }
const judge = new TrafficJudge({ scopes: options.scopes })
const capture = options.record === undefined ? undefined : new CaptureFile(options.record)
const watch = new TrafficWatch({ judge, recorder: new Recorder(options.secrets), capture, marked: options.marked })

parentPort?.on('message', (batch: Batch) => {
  for (const { line, bytes } of batch) {
    receive(line)
    Atomics.add(judged, 0, 1n)
    Atomics.add(judged, 1, BigInt(bytes))
  }
  const { exchanges, deliveries, frames } = judge.seen
  for (const [index, count] of [exchanges, deliveries, frames].entries())
    Atomics.store(judged, 2 + index, BigInt(count))
})

function receive(line: JudgedLine): void {
  switch (line[0]) {
    case 'creating':
      return watch.creating()
    case 'exchange':
      return watch.exchange(line[1], line[2], line[3])
    case 'delivery':
      return watch.delivery(line[1])
    case 'streamOpened':
      return watch.streamOpened(line[1], line[2])
    case 'frame':
      return watch.frame(line[1], line[2], line[3], line[4])
    case 'streamEnded':
      return watch.streamEnded(line[1], line[2])
    case 'end':
      return end()
  }
}

function end(): void {
  watch.end()
  let failure = watch.failure
  try {
    judge.finish()
  } catch (error) {
    failure ??= `judging failed: ${error instanceof Error ? error.message : String(error)}`
  }
  capture?.close()
  const { counts, findings, notes } = judge.ledger
  const unwritten = capture?.failure === undefined ? undefined : systemCode(capture.failure)
  parentPort?.postMessage({ counts, findings, notes, failure, unwritten } satisfies FromThread)
}
