import type { ServiceCase } from '../../harness/authoring.js'
import { addressSpellings } from './address-spellings.js'
import { always } from './always.js'
import { authentication } from './authentication.js'
import { batches } from './batches.js'
import { emails } from './emails.js'
import { errors } from './errors.js'
import { idempotency } from './idempotency.js'
import { malformedRequests } from './malformed-requests.js'
import { privateNames } from './private-names.js'
import { rebinding } from './rebinding.js'
import { refusedAddresses } from './refused-addresses.js'
import { retries } from './retries.js'

/** Every case for services, in run order; the always-on checks come last. */
export const serviceCases: readonly ServiceCase[] = [
  ...retries,
  ...refusedAddresses,
  ...addressSpellings,
  ...privateNames,
  ...rebinding,
  ...authentication,
  ...errors,
  ...malformedRequests,
  ...emails,
  ...batches,
  ...idempotency,
  ...always,
]
