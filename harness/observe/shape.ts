// Validates events with the OpenAPI document, except for what traffic cannot show: a field without a value may be null or absent, and a
// marked field is unknown.
import { eventTypes, type EventType, type RequirementId } from '../../spec/index.js'
import { contractViolations, type ContractViolation } from '../service/contract-check.js'
import { polledEventFaults, pushedEventFaults, requirementsOfType } from '../service/rules.js'
import { memberOf } from '../wire/exchange.js'
import { markedField } from './record.js'

export interface ShapeFault {
  readonly requirement: RequirementId
  readonly where: string
  readonly problem: string
  readonly found: unknown
  /** The same wherever the same thing is wrong with an event, however it was seen. */
  readonly fault: string
}

/** Returns the first fault of a value checked against a component, if any. */
export function shapeFault(component: string, value: unknown, fallback: RequirementId): ShapeFault | undefined {
  const violation = contractViolations(component, value, fallback).find((fault) => !isMarked(fault))
  return violation === undefined ? undefined : { ...violation, fault: faultOf(violation) }
}

/** The first thing wrong with an event as a delivery or a frame carries it. */
export function pushedEventFault(event: unknown, body: RequirementId): ShapeFault | undefined {
  const first = pushedEventFaults(withAbsentFields(event), body).find((fault) => !isMarked(fault))
  return first === undefined ? undefined : { ...first, fault: faultOf(first) }
}

/** The first thing wrong with an event as the list shows it. */
export function polledEventFault(event: unknown): ShapeFault | undefined {
  const first = polledEventFaults(withAbsentFields(event)).find((fault) => !isMarked(fault))
  if (first === undefined) return undefined
  return { ...first, fault: first.where.includes('.') ? faultOf(first) : `polled:${first.where}` }
}

/** Returns the requirements that an event is checked against, besides that of its channel: those whose fields it has. */
export function requirementsOfEvent(event: unknown): readonly RequirementId[] {
  const isShown = (name: string) => ![undefined, markedField].includes(memberOf(event, name) as string | undefined)
  const ofFields = [
    ...(isShown('id') ? ['EVT-001' as const] : []),
    ...(isShown('timestamp') ? ['EVT-002' as const] : []),
  ]
  return [...ofFields, ...(isShown('data') ? requirementsOfType(event) : [])]
}

function isMarked({ found }: ContractViolation): boolean {
  return found === markedField
}

/** Component and type left out: the same fault in a frame, a delivery and a page is one. */
function faultOf({ where, problem }: ContractViolation): string {
  return `shape:${where.replace(/^[^.]*/, '')}:${problem}`
}

/** Fields that have no value for every message: no inbox, no thread, no answer of a server, no bounce, no subject. */
const maybeAbsent = {
  received: ['subject'],
  queued: ['inbox_id', 'thread_id', 'cc', 'subject'],
  delivery: ['inbox_id', 'thread_id', 'response', 'bounce_classification'],
  workspace: [],
} as const

/** The event with null where a field that may have no value is absent. */
function withAbsentFields(event: unknown): unknown {
  const type = memberOf(event, 'type')
  const data = memberOf(event, 'data')
  const kind = typeof type === 'string' && Object.hasOwn(eventTypes, type) ? eventTypes[type as EventType] : undefined
  if (kind === undefined || typeof data !== 'object' || data === null || Array.isArray(data)) return event
  if (type === 'message.failed' && memberOf(data, 'reason') !== undefined && memberOf(data, 'reason') !== null)
    return event
  const filled: Record<string, unknown> = { ...data }
  for (const name of maybeAbsent[kind]) if (filled[name] === undefined) filled[name] = null
  // Only a bounce has a mark of whether it is permanent.
  if (kind === 'delivery' && type !== 'message.bounced') filled['permanent'] ??= false
  return { ...(event as object), data: filled }
}

/** A text that is the same for the same JSON value: names in order, fields without a value left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
