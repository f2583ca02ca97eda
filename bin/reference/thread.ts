import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReferenceFacts } from './target.js'

export interface ReferenceThread {
  readonly facts: ReferenceFacts
  close(): Promise<void>
}

/**
 * Starts the reference server with its control interface in a thread of its own, where it does not delay the runner; with the mistake of a
 * mutant, if one is named. Errors: those of its start.
 */
export async function startReferenceThread(mutant?: string): Promise<ReferenceThread> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { mutant },
    // What it makes for a request is short-lived: with the usual room it is kept until there is much of it.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  })
  const [facts] = (await once(worker, 'message')) as [ReferenceFacts]
  return {
    facts,
    async close() {
      const ended = once(worker, 'exit')
      worker.postMessage('close')
      await ended
    },
  }
}
