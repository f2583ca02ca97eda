// The entry of clients as targets.
export type { ClientContext } from './context.js'
export { connectClient } from './subject.js'
