// The entry of receivers as targets.
export type { ReceiverContext } from './context.js'
export { ownEventsOf, OwnEventsProblem, type OwnEvent } from './own-events.js'
export { concurrency, connectReceiver, lackOfReceiver, receiverOutlook, type ReceiverTarget } from './subject.js'
