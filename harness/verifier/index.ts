// The entry of verifiers as targets.
export type { VerifierContext } from './context.js'
export { findMissingOfVerifier } from './needs.js'
export { connectVerifier } from './subject.js'
