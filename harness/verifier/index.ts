// The entry of verifiers as targets.
export type { VerifierContext } from './context.js'
export { lackOfVerifier } from './needs.js'
export { connectVerifier } from './subject.js'
