import { retryDelaysMs } from '../../../spec/index.js'
import type { ServerMutant } from '../mutant.js'

/** Deviations in deliveries, retries, replay, signing and the webhook resource. */
export const deliveringMutants: readonly ServerMutant[] = [
  {
    id: 'server/first-retry-after-ten-seconds',
    title: 'the first retry waits 10 seconds',
    breaks: ['RTY-002'],
    policy: { retryDelaysMs: [0, 10_000, ...retryDelaysMs.slice(2)] },
  },
]
