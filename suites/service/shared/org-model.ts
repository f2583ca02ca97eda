// Random events, keys and filters for the model of which clients must receive an event; traffic uses the same model.

import fc from 'fast-check'
import { eventTypes, type EventType } from '../../../spec/index.js'
import { admits, type Limits as AnyLimits, type ExpectedEvent, type Project } from '../../../harness/authoring.js'

/** An event as the model knows it; its inbox is an index. */
export interface ModelEvent extends ExpectedEvent<number> {
  readonly id: string
  readonly type: EventType
}

/** What a key, a stream or a webhook is limited to; the inbox is an index. */
export type Limits = AnyLimits<number>

export const wholeOrg: Limits = { inbox: undefined, types: [] }

/** Whether any event could pass: a service may refuse workspace events alone for the webhook of one inbox. */
export function canMatch({ inbox, types: names }: Limits): boolean {
  return inbox === undefined || names.length === 0 || names.some((name) => !name.startsWith('sending.'))
}

/** The ids of the events that `limits` let through, oldest first. */
export function idsFor(limits: Limits, events: readonly ModelEvent[]): string[] {
  return events.filter((event) => admits(limits, event)).map(({ id }) => id)
}

/** Raises an event for the inbox at `inbox`, with sample data if none is given, and returns its entry in the model. */
export async function raiseFor(
  project: Project,
  type: EventType,
  inbox: number,
  data?: Readonly<Record<string, unknown>>,
): Promise<ModelEvent> {
  const { id } = await project.raise(type, { inbox: project.inbox(inbox), ...(data !== undefined && { data }) })
  return { id, type, inbox: eventTypes[type] === 'workspace' ? null : inbox }
}

const types = Object.keys(eventTypes) as EventType[]

/** An event type; the one of most subscriptions is more frequent. */
export const anyType: fc.Arbitrary<EventType> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<EventType>('message.received') },
  { weight: 2, arbitrary: fc.constantFrom(...types) },
)

/** `event_types` of a webhook: every form that means all, and lists. */
export const anyFilter: fc.Arbitrary<readonly string[]> = fc.oneof(
  fc.constantFrom<readonly string[]>([], ['*']),
  fc.uniqueArray(anyType, { minLength: 1, maxLength: types.length }),
)

/** The index of one of `inboxes` inboxes, or the whole org. */
export function anyInbox(inboxes: number): fc.Arbitrary<number | undefined> {
  return fc.option(fc.nat(inboxes - 1), { nil: undefined })
}
