import type { Level, Requirement, SubjectKind } from './types.js'

/** The id of a requirement that is not of the interface, but of whoever writes cases of their own: `X-ACME-001`. */
export type OwnRequirementId = `X-${string}`

/** Whether an id is of that kind. */
export function isOwnRequirement(id: string): id is OwnRequirementId {
  return id.startsWith('X-')
}

/** One sentence that cases of one's own ask. */
export interface OwnRequirement {
  /** `must` decides the verdict, `should` is reported. */
  readonly level: Level
  readonly text: string
  /** Where it stands: an address, a page, a chapter. */
  readonly source?: string
}

/** As the registry has it. */
export function asRequirement(
  { level, text, source = 'own requirement' }: OwnRequirement,
  subject: SubjectKind,
): Requirement {
  return { level, subject, text, source }
}
