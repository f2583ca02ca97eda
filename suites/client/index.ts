import type { ClientCase } from '../../harness/authoring.js'
import { backoff } from './backoff.js'
import { construction } from './construction.js'
import { emails } from './emails.js'
import { errors } from './errors.js'
import { idempotency } from './idempotency.js'
import { retries } from './retries.js'
import { time } from './time.js'
import { verification } from './verification.js'

/** Every case for client libraries, in run order. */
export const clientCases: readonly ClientCase[] = [
  ...construction,
  ...emails,
  ...idempotency,
  ...retries,
  ...backoff,
  ...errors,
  ...time,
  ...verification,
]
