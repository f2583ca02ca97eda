import type { Mutant } from './define.js'
import { mutantsOf } from './read.js'
import { addressesMutants } from './server/addresses.js'
import { authenticationMutants } from './server/authentication.js'
import { deliveriesMutants } from './server/deliveries.js'
import { emailsMutants } from './server/emails.js'
import { errorsMutants } from './server/errors.js'
import { eventsMutants } from './server/events.js'
import { idempotencyMutants } from './server/idempotency.js'
import { narrowTextMutants } from './server/narrow-texts.js'
import { pollingMutants } from './server/polling.js'
import { replayMutants } from './server/replay.js'
import { retriesMutants } from './server/retries.js'
import { scopingMutants } from './server/scoping.js'
import { signingMutants } from './server/signing.js'
import { streamMutants } from './server/stream.js'
import { webhooksMutants } from './server/webhooks.js'

/** Every mutant of the reference server. */
export const serverMutants: readonly Mutant<'server'>[] = [
  ...mutantsOf('server'),
  ...webhooksMutants,
  ...deliveriesMutants,
  ...retriesMutants,
  ...replayMutants,
  ...signingMutants,
  ...addressesMutants,
  ...authenticationMutants,
  ...errorsMutants,
  ...emailsMutants,
  ...idempotencyMutants,
  ...eventsMutants,
  ...narrowTextMutants,
  ...pollingMutants,
  ...streamMutants,
  ...scopingMutants,
]
