// The rules for every delivery, frame, event and error, wherever it is seen: in a run of our own (always-on.ts) or in the traffic of others
// (observe/). Each is written here once; the caller supplies the observation and records the result.
import type { EventType, RequirementId } from '../../spec/index.js'
import { memberOf } from '../wire/exchange.js'
import { contractViolations, maxItems, eventComponent, type ContractViolation } from './contract-check.js'
import { errorOf } from './answer-readers.js'

/** Records which requirements were checked and what violated them. */
export interface RuleRecorder {
  checked(requirement: RequirementId): void
  violated(requirement: RequirementId, found: { what: string; expected: string; got: unknown }): void
}

/** The requirement that describes the data of an event type. */
export const requirementOfType: Readonly<Record<EventType, RequirementId>> = {
  'message.received': 'EVT-003',
  'message.queued': 'EVT-004',
  'message.delivered': 'EVT-005',
  'message.deferred': 'EVT-006',
  'message.bounced': 'EVT-007',
  'message.complained': 'EVT-008',
  'message.failed': 'EVT-009',
  'sending.paused': 'EVT-010',
  'sending.resumed': 'EVT-011',
}

const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
/** `v1,<base64>`, or the same of another version. */
const entryForm = /^[^\s,]+,[A-Za-z0-9+/_-]+={0,2}$/
/** Unix seconds of this age. */
const secondsForm = /^\d{9,11}$/

/** A delivery without its body. */
export interface DeliveryHead {
  readonly method: string
  /** The values of a header, one for each line. */
  readonly values: (name: string) => readonly string[]
  /** The event id of the body; undefined where it has none, or none that is known. */
  readonly bodyId: unknown
}

export interface SignatureHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
}

/** Checks the method and the three headers of a delivery; returns these where each is there once. */
export function checkDeliveryHead(
  recorder: RuleRecorder,
  { method, values, bodyId }: DeliveryHead,
): SignatureHeaders | undefined {
  recorder.checked('DLV-001')
  if (method !== 'POST') recorder.violated('DLV-001', { what: 'method of a delivery', expected: 'POST', got: method })
  recorder.checked('DLV-003')
  const wrong = headerNames.filter((name) => values(name).length !== 1)
  for (const name of wrong)
    recorder.violated('DLV-003', { what: `header ${name} of a delivery`, expected: 'once', got: values(name) })
  if (wrong.length > 0) return undefined
  const [id = '', timestamp = '', signature = ''] = headerNames.map((name) => values(name)[0])
  if (typeof bodyId === 'string') {
    recorder.checked('SIG-001')
    if (bodyId !== id)
      recorder.violated('SIG-001', { what: 'header webhook-id', expected: `the event id ${bodyId}`, got: id })
  }
  recorder.checked('SIG-002')
  if (!secondsForm.test(timestamp))
    recorder.violated('SIG-002', { what: 'header webhook-timestamp', expected: 'Unix seconds', got: timestamp })
  recorder.checked('SIG-003')
  if (!signature.split(' ').every((entry) => entryForm.test(entry)))
    recorder.violated('SIG-003', {
      what: 'header webhook-signature',
      expected: 'space-separated entries of a version, a comma and base64',
      got: signature,
    })
  return { id, timestamp, signature }
}

/** Checks the body of a delivery: one JSON object. Returns whether it is. */
export function checkDeliveryBody(recorder: RuleRecorder, body: unknown, got: unknown): body is object {
  recorder.checked('DLV-002')
  const isObject = typeof body === 'object' && body !== null
  if (!isObject) recorder.violated('DLV-002', { what: 'body of a delivery', expected: 'a JSON object', got })
  return isObject
}

/**
 * Whether a frame of the stream is meant to carry an event. A greeting or a heartbeat (open point other-frames) has neither `id` nor
 * `data`, no type of the interface, and nothing within that could be an event.
 */
export function isEventFrame(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return true
  if ('id' in body || 'data' in body || requirementsOfType(body).length > 0) return true
  return Object.values(body).some((member) => typeof member === 'object' && member !== null)
}

/** Checks a frame of the stream: one JSON object as text. Returns whether it is. */
export function checkFrame(recorder: RuleRecorder, body: unknown, got: unknown): body is object {
  recorder.checked('STR-002')
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isObject)
    recorder.violated('STR-002', { what: 'frame of the stream', expected: 'a text frame with one JSON object', got })
  return isObject
}

/** Returns the requirements of an event, wherever it is pushed: that of its body, and that of its type. */
export function requirementsOfEvent(event: unknown, body: RequirementId): readonly RequirementId[] {
  return [body, ...requirementsOfType(event)]
}

/** The requirement that describes the data of an event; none for a type that the interface does not know. */
export function requirementsOfType(event: unknown): readonly RequirementId[] {
  const type = memberOf(event, 'type')
  return typeof type === 'string' && Object.hasOwn(requirementOfType, type)
    ? [requirementOfType[type as EventType]]
    : []
}

/** Returns the faults of an event in a delivery or a frame, each with the nearest requirement, the others with `body`. */
export function pushedEventFaults(event: unknown, body: RequirementId): readonly ContractViolation[] {
  const type = memberOf(event, 'type')
  return contractViolations(eventComponent(type) ?? 'OtherEvent', event, body).map((violation) => ({
    ...violation,
    requirement: nearest(violation, type, body),
  }))
}

function nearest({ requirement, where }: ContractViolation, type: unknown, body: RequirementId): RequirementId {
  if (requirement === 'EVT-001' || requirement === 'EVT-002') return requirement
  if (!/\.data(\.|$)/.test(where)) return body
  if (requirement === 'EVT-015' && type !== 'message.failed') return requirement
  return requirementOfType[type as EventType] ?? body
}

/** A valid event of a list: replacing the others by it leaves the faults of the page itself. */
const listedEvent = { id: 'evt_1', type: 'any', org_id: 'org_1', created_at: '2026-01-01T00:00:00.000Z', data: {} }
/** Faults of one page that are reported. */
const maxFaults = 5

/** Returns the faults of an answer to `GET /v1/events`: those of the page, and of each of its events with the nearest requirement. */
export function eventPageFaults(page: unknown): readonly ContractViolation[] {
  const whole = contractViolations('EventPage', page, 'POL-007')
  const events = memberOf(page, 'data')
  if (whole.length === 0 || !Array.isArray(events)) return whole
  const own = contractViolations(
    'EventPage',
    { ...(page as object), data: events.slice(0, 1).map(() => listedEvent) },
    'POL-007',
  )
  const faults = [...own]
  for (const [index, event] of events.slice(0, maxItems).entries()) {
    if (faults.length >= maxFaults) break
    const where = `event ${index + 1} of ${events.length}`
    faults.push(...polledEventFaults(event).map((fault) => ({ ...fault, where: `${where}, ${fault.where}` })))
  }
  return faults.length === 0 ? whole : faults.slice(0, maxFaults)
}

/** Returns the faults of an event in the list: it has `org_id` and `created_at` instead of `timestamp`. */
export function polledEventFaults(event: unknown): readonly ContractViolation[] {
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    return [{ requirement: 'POL-007', where: 'data', problem: 'must be events', found: event }]
  const fault = (where: string, problem: string, found: unknown) =>
    ({ requirement: 'POL-009', where, problem, found }) as const
  const ofTime = ['org_id', 'created_at'].flatMap((name) => {
    const value = memberOf(event, name)
    return typeof value === 'string' ? [] : [fault(name, 'must be a string', value ?? Object.keys(event))]
  })
  if (Object.hasOwn(event, 'timestamp'))
    ofTime.push(fault('timestamp', 'must not be there', memberOf(event, 'timestamp')))
  return [...ofTime, ...pushedEventFaults({ ...event, timestamp: listedEvent.created_at }, 'POL-007')]
}

/** Statuses that a gateway may answer before the service, with a body of its own: open point limits-and-quotas. */
export const ofGateways: readonly number[] = [408, 413, 414, 429, 431]

/** An answer with an error, and how it is called. */
export interface ErrorAnswer {
  readonly status: number
  readonly label: string
  readonly body: unknown
  /** The part that is shown. */
  readonly text: unknown
}

/** Checks an error of the service: code, message and fix. Returns the error; undefined for what a gateway may have answered. */
export function checkError(
  recorder: RuleRecorder,
  { status, label, body, text }: ErrorAnswer,
): ReturnType<typeof errorOf> | undefined {
  if (status < 400 || status >= 500 || ofGateways.includes(status)) return undefined
  // Web servers in front of a service refuse a NUL in a path themselves, with a page of their own (RFC 3986, 7.3).
  if (body === undefined && label.includes('%00')) return undefined
  const requirement = status === 401 || status === 403 ? 'ERR-005' : 'ERR-001'
  recorder.checked(requirement)
  const error = errorOf({ json: body, field: (name) => memberOf(body, name) })
  for (const name of ['code', 'message', 'fix'] as const)
    if (typeof error[name] !== 'string' || error[name] === '')
      recorder.violated(requirement, {
        what: `error of ${label} (${status})`,
        expected: `a text in "${name}"`,
        got: text,
      })
  return error
}
