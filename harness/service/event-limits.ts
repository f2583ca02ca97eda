// Decides which clients must receive an event: the model for random programs (suites/service) and for traffic.
import type { RequirementId } from '../../spec/index.js'

/** What a key, a stream or a webhook is limited to. */
export interface Limits<Inbox = string> {
  /** Its inbox; undefined is the whole org. */
  readonly inbox: Inbox | undefined
  /** Event types of a webhook; empty and `*` are all. */
  readonly types: readonly string[]
}

/** The properties of an event that decide who must receive it. An unknown property excludes no one. */
export interface ExpectedEvent<Inbox = string> {
  readonly type: string | undefined
  /** Its inbox; null for an event of the workspace, which belongs to none; undefined where that is not known. */
  readonly inbox: Inbox | null | undefined
}

/** Why `limits` keep an event out, as the requirement that it breaks where a webhook gets it; undefined where they let it through. */
export function findExclusion<Inbox>(
  { inbox, types }: Limits<Inbox>,
  event: ExpectedEvent<Inbox>,
): Extract<RequirementId, 'EVT-013' | 'SCOPE-005' | 'WHK-009'> | undefined {
  if (inbox !== undefined && event.inbox === null) return 'EVT-013'
  if (inbox !== undefined && event.inbox !== undefined && event.inbox !== inbox) return 'SCOPE-005'
  const isForAll = types.length === 0 || types.includes('*') || event.type === undefined
  return isForAll || types.includes(event.type) ? undefined : 'WHK-009'
}

/** Whether the limits admit the event. */
export function admits<Inbox>(limits: Limits<Inbox>, event: ExpectedEvent<Inbox>): boolean {
  return findExclusion(limits, event) === undefined
}
