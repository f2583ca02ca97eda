// The entry of senders as targets.
export type { SenderContext } from './context.js'
export { concurrency, connectSender, findMissingOfSender } from './subject.js'
export type { SenderProfile, SenderTarget, SenderTrigger } from './target.js'
export { startTrigger } from './trigger.js'
