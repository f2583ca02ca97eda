// The entry of receivers as targets.
export type { ReceiverContext } from './context.js'
export { ownEventsOf, OwnEventsProblem, type OwnEvent } from './own-events.js'
export { findMissingOfReceiver, forecastReceiver } from './needs.js'
export { concurrency, connectReceiver } from './subject.js'
export type { ReceiverTarget } from './target.js'
