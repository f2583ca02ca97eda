import type { Level, Requirement, SubjectKind } from './types.js'

/** The id of a requirement outside the interface, by a user with cases of their own: `X-ACME-001`. */
export type OwnRequirementId = `X-${string}`

/** Whether an id is of that kind. */
export function isOwnRequirement(id: string): id is OwnRequirementId {
  return id.startsWith('X-')
}

/** One requirement of a user's own cases. */
export interface OwnRequirement {
  /** `must` decides the verdict, `should` is reported. */
  readonly level: Level
  readonly text: string
  /** Its place: an address, a page, a chapter. */
  readonly source?: string
}

/** As the registry has it. */
export function asRequirement(
  { level, text, source = 'own requirement' }: OwnRequirement,
  subject: SubjectKind,
): Requirement {
  return { level, subject, text, source }
}
