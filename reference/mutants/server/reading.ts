import type { ServerMutant } from '../mutant.js'

/** Deviations in events, polling, the stream and scoping. */
export const readingMutants: readonly ServerMutant[] = []
