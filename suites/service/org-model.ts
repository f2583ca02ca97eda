// What an org owes whom, as small as the interface states it: the model that random events are held against.

import fc from 'fast-check'
import { eventTypes, type EventType } from '../../spec/index.js'
import type { Project } from '../../harness/authoring.js'

/** An event as the model knows it. */
export interface ModelEvent {
  readonly id: string
  readonly type: EventType
  /** Index of its inbox; undefined for an event of the workspace, which belongs to none. */
  readonly inbox: number | undefined
}

/** What a key, a stream or a webhook is limited to. */
export interface Limits {
  /** Index of its inbox; undefined is the whole org. */
  readonly inbox: number | undefined
  /** Event types of a webhook; empty and `*` are all. */
  readonly types: readonly string[]
}

export const wholeOrg: Limits = { inbox: undefined, types: [] }

/** Whether `limits` let the event through. */
export function lets(limits: Limits, event: ModelEvent): boolean {
  const isOfInbox = limits.inbox === undefined || limits.inbox === event.inbox
  return isOfInbox && (limits.types.length === 0 || limits.types.includes('*') || limits.types.includes(event.type))
}

/** The ids of the events that `limits` let through, oldest first. */
export function idsFor(limits: Limits, events: readonly ModelEvent[]): string[] {
  return events.filter((event) => lets(limits, event)).map(({ id }) => id)
}

/** Raises an event for the inbox at `inbox` and tells how the model knows it. */
export async function raiseFor(project: Project, type: EventType, inbox: number): Promise<ModelEvent> {
  const { id } = await project.raise(type, { inbox: project.inbox(inbox) })
  return { id, type, inbox: eventTypes[type] === 'workspace' ? undefined : inbox }
}

const types = Object.keys(eventTypes) as EventType[]

/** An event type; the one of most subscriptions comes up more often. */
export const anyType: fc.Arbitrary<EventType> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<EventType>('message.received') },
  { weight: 2, arbitrary: fc.constantFrom(...types) },
)

/** `event_types` of a webhook: every form that means all, and lists. */
export const anyFilter: fc.Arbitrary<readonly string[]> = fc.oneof(
  fc.constantFrom<readonly string[]>([], ['*']),
  fc.uniqueArray(anyType, { minLength: 1, maxLength: 3 }),
)

/** The index of one of `inboxes` inboxes, or the whole org. */
export function anyInbox(inboxes: number): fc.Arbitrary<number | undefined> {
  return fc.option(fc.nat(inboxes - 1), { nil: undefined })
}
