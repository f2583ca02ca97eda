// Runs the reference server in a thread of its own: sends its address, and ends at the first message.
import { parentPort, workerData } from 'node:worker_threads'
import { installLoopbackGuard } from '../../harness/loopback.js'
import { servedReference } from './served.js'
import type { ReferenceFacts } from './target.js'

installLoopbackGuard()
const { mutant } = workerData as { readonly mutant?: string }
const { entry, policy } = await servedReference('server', mutant)
const { close, ...facts } = await entry.startReferenceServer({ control: true, policy })
parentPort?.postMessage(facts satisfies ReferenceFacts)
parentPort?.once('message', () => void close().then(() => parentPort?.close()))
