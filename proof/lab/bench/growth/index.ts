import { growingCases } from './cases.js'
import { growingEvents, growingStream } from './events.js'
import { growingDistance, growingRuns } from './far.js'
import { growingClients } from './clients.js'
import { growingVectors } from './vectors.js'
import { growingWebhooks } from './webhooks.js'

export type { Growth, GrowthRow, Point } from './growth.js'

/** Every curve, in the order of the plot. */
export const growthRows = [
  growingDistance,
  growingRuns,
  growingCases,
  growingEvents,
  growingStream,
  growingClients,
  growingWebhooks,
  growingVectors,
]
