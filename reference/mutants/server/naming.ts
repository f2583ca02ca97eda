import type { ServerMutant } from '../mutant.js'

/** Deviations in addresses, names, authentication, errors, emails and idempotency. */
export const namingMutants: readonly ServerMutant[] = []
