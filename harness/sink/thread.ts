// The thread of the sink: it answers deliveries while the rest of the run computes.
import { setPriority } from 'node:os'
import { workerData, type MessagePort } from 'node:worker_threads'
import { listen } from './listener.js'
import type { ListenOptions } from './protocol.js'

/**
 * The priority of the thread: a late answer would end a sender's attempt. Only root may set it, and only on Linux does it apply to one
 * thread.
 */
const niceness = -10

if (process.platform === 'linux')
  try {
    setPriority(niceness)
  } catch {
    // Not allowed here: attempts that are late for that reason are repeated.
  }
const { port, options } = workerData as { readonly port: MessagePort; readonly options: ListenOptions }
listen(port, options)
