import { accessPolicy, type AccessPolicy } from './policy/access.js'
import { addressPolicy, type AddressPolicy } from './policy/addresses.js'
import { deliveryPolicy, type DeliveryPolicy } from './policy/deliveries.js'
import { emailPolicy, type EmailPolicy } from './policy/emails.js'
import { errorPolicy, type ErrorPolicy } from './policy/errors.js'
import { eventPolicy, type EventPolicy } from './policy/events.js'
import { signingPolicy, type SigningPolicy } from './policy/signing.js'
import { streamPolicy, type StreamPolicy } from './policy/stream.js'
import { webhookPolicy, type WebhookPolicy } from './policy/webhooks.js'

/**
 * Every number and every decision of the server, one entry each. A mutant is {@link defaultPolicy} with one entry replaced; a conforming
 * variant is the same with another decision on an open point. Each entry names its requirement.
 */
export interface Policy
  extends
    AccessPolicy,
    WebhookPolicy,
    DeliveryPolicy,
    SigningPolicy,
    AddressPolicy,
    EventPolicy,
    StreamPolicy,
    EmailPolicy,
    ErrorPolicy {}

/** The interface as it is written, and the reference's reading of its open points. */
export const defaultPolicy: Policy = {
  ...accessPolicy,
  ...webhookPolicy,
  ...deliveryPolicy,
  ...signingPolicy,
  ...addressPolicy,
  ...eventPolicy,
  ...streamPolicy,
  ...emailPolicy,
  ...errorPolicy,
}

export type * from './policy/records.js'
export type { AnswerVerdict } from './policy/addresses.js'
export type { OutcomeEvent, Sender } from './policy/emails.js'
export { createdAtMember, dataMember, idMember, orgMember, timestampMember, typeMember } from './policy/members.js'
export { eventBody } from './policy/deliveries.js'
