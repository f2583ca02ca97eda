// The thread of the sink: it answers deliveries while the rest of the run computes.
import { setPriority } from 'node:os'
import { workerData, type MessagePort } from 'node:worker_threads'
import { listen } from './listener.js'
import type { ListenOptions } from './protocol.js'

/** How nice it is to others: a delivery that waits for a processor waits in vain. Only root may, and only there it is for one thread. */
const niceness = -10

if (process.platform === 'linux')
  try {
    setPriority(niceness)
  } catch {
    // Not allowed here: what comes late for that is asked again.
  }
const { port, options } = workerData as { readonly port: MessagePort; readonly options: ListenOptions }
listen(port, options)
