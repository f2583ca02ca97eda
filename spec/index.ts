import { authentication, scoping } from './requirements/authentication.js'
import { addresses } from './requirements/addresses.js'
import { clientLibrary } from './requirements/client.js'
import { deliveries, replay, retries } from './requirements/deliveries.js'
import { emails, idempotency } from './requirements/emails.js'
import { errors, versioning } from './requirements/errors.js'
import { events, polling, stream } from './requirements/events.js'
import { reception } from './requirements/receiver.js'
import { sending } from './requirements/sender.js'
import { signing } from './requirements/signing.js'
import { verification } from './requirements/verifier.js'
import { webhooks } from './requirements/webhooks.js'
import type { OwnRequirementId } from './own-requirements.js'
import type { Requirement } from './types.js'

export * from './constants.js'
export { asRequirement, isOwnRequirement, type OwnRequirement, type OwnRequirementId } from './own-requirements.js'
export { openPoints } from './open-points.js'
export { blocksOf, type Block, type PlacedSentence } from './sentences/blocks.js'
export { sentencesOf, type Sentence } from './sentences/index.js'
export type { Level, OpenPoint, ReportKind, Requirement, SchemaError, SubjectKind, Validate } from './types.js'

const registry = {
  ...authentication,
  ...scoping,
  ...webhooks,
  ...deliveries,
  ...retries,
  ...replay,
  ...signing,
  ...addresses,
  ...events,
  ...polling,
  ...stream,
  ...emails,
  ...idempotency,
  ...errors,
  ...versioning,
  ...reception,
  ...verification,
  ...clientLibrary,
  ...sending,
} as const

/** The id of a requirement: area, dash, three digits. Permanent, never reused; a misspelt one does not compile. */
export type RequirementId = keyof typeof registry

const known: Record<string, Requirement> = { ...registry }
const ids = Object.keys(registry) as RequirementId[]

/** Every requirement of the interface, by id, and what {@link admitRequirement} has added in this process. */
export const requirements = known as Readonly<Record<RequirementId, Requirement>>

/** The ids of {@link requirements} in registry order. */
export const requirementIds: readonly RequirementId[] = ids

/** Registers a user's own requirement in this process, so that reports contain its sentence. One with the same id is replaced. */
export function admitRequirement(id: OwnRequirementId, requirement: Requirement): void {
  if (!Object.hasOwn(known, id)) ids.push(id as string as RequirementId)
  known[id] = requirement
}
