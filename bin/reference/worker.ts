// The reference server in a thread of its own: tells where it listens, and ends when it is told anything.
import { parentPort } from 'node:worker_threads'
import { installLoopbackGuard } from '../../harness/loopback.js'
import { startReferenceServer } from '../../reference/server/index.js'
import type { ReferenceFacts } from './target.js'

installLoopbackGuard()
const { close, ...facts } = await startReferenceServer({ control: true })
parentPort?.postMessage(facts satisfies ReferenceFacts)
parentPort?.once('message', () => void close().then(() => parentPort?.close()))
