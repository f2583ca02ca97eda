import { isDeepStrictEqual } from 'node:util'
import type { OwnRequirementId, RequirementId } from '../spec/index.js'
import { listed } from './reporters/text.js'
import type { MissingCapability } from './missing-capability.js'
import type { Decision, Mismatch, MismatchKind } from './result.js'

/** The target contradicts a requirement; carries every mismatch found so far. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'
  readonly mismatches: readonly Mismatch[]
  readonly counterexample: unknown

  constructor(mismatches: readonly Mismatch[], counterexample?: unknown) {
    super(mismatches.map(describeMismatch).join('; '))
    this.mismatches = mismatches
    this.counterexample = counterexample
  }
}

/** The case does not apply to this target; `reason` contains the way to enable it. */
export class CaseSkipped extends Error {
  override readonly name = 'CaseSkipped'
  readonly missing: MissingCapability

  constructor(reason: string, more: Omit<MissingCapability, 'reason'> = {}) {
    super(reason)
    this.missing = { reason, ...more }
  }
}

/** The case could not run (no connection, a broken set-up of ours); never counts against the target. */
export class CaseErrored extends Error {
  override readonly name = 'CaseErrored'
}

/**
 * No answer shows whether a request was carried out, so that later checks would prove nothing. The case starts again in a fresh sandbox.
 */
export class AnswerLost extends CaseErrored {
  /** Whether the whole time for an answer had passed: asking again would most likely take as long. */
  readonly wasLate: boolean

  constructor(message: string, { wasLate = false }: { readonly wasLate?: boolean } = {}) {
    super(message)
    this.wasLate = wasLate
  }
}

/** The case itself found that this machine was too busy for it: it is run again while no other case runs. */
export class TooBusy extends CaseErrored {}

/** `what: expected … got …`, one line. */
export function describeMismatch({ what, expected, got }: Mismatch): string {
  return `${what}: expected ${expected}, got ${got}`
}

/** An answer of the target, or the lack of one. */
export interface Answered {
  readonly label: string
  readonly status: number | undefined
  /** Why there is no status: `connection reset`, `no answer within 10000 ms`. */
  readonly failure: string | undefined
  /** The shortened answer, for a message. */
  readonly excerpt: string
  /** What the lack of an answer proves; by default nothing. */
  readonly silence?: MismatchKind
  /** When its request was sent, in milliseconds since 1970; absent if this is not an exchange. */
  readonly startedAt?: number
}

/**
 * Comparisons in the protocol's words. `check` collects mismatches and continues; `require` ends the case at the first one, for controls
 * and for everything the rest of the case depends on. Each returns whether it held. `what` names the compared thing: `status of POST
 * /v1/webhooks`.
 */
export interface Checks {
  /** Returns the same checks with mismatches recorded for one requirement. */
  of(requirement: RequirementId | OwnRequirementId): Checks
  /** The same checks for times that this process measured: they fail a case only if the process was on time itself. */
  readonly measured: Checks
  /**
   * The same checks for facts that a late process cannot cause, such as a forbidden attempt with its own time stamp: they fail a case even
   * if the process was late or an earlier event is missing.
   */
  readonly certain: Checks
  /** The same checks for a target that crashed or hung: a failure is a must failure, whatever the level of the case. */
  readonly fatal: Checks
  /**
   * Returns the same checks for consequences of other requirements: if one of those failed in a case of its own, and this case does not
   * test it, the checks are not evaluated.
   */
  dependingOn(...on: readonly RequirementId[]): Checks
  /** The status is one of `allowed`; no answer is a mismatch. */
  status(answer: Answered, allowed: readonly number[] | StatusClass): boolean
  /** Expects a 4xx out of `allowed` (by default any but 404, 405, 408, 429). A 5xx or a missing answer is not a refusal. */
  refused(answer: Answered, allowed?: readonly number[]): boolean
  /** `exchange`: the one that `actual` was taken from, if later ones were made since. */
  equal(what: string, actual: unknown, expected: unknown, exchange?: Pick<Answered, 'startedAt'>): boolean
  oneOf(what: string, actual: unknown, expected: readonly unknown[]): boolean
  matches(what: string, actual: unknown, pattern: RegExp): boolean
  /** `min <= actual <= max`. */
  between(what: string, actual: number, min: number, max: number): boolean
  ok(what: string, condition: boolean, expected: string, got: unknown): boolean
  /** The target decided on a delivery as is `due`. */
  decision(decided: Decision, due: Decision, words: DecisionWords): boolean
  fail(what: string, expected: string, got: unknown): false
}

/** Words for a decision in messages; by default the decision itself. */
export interface DecisionWords {
  readonly what: string
  readonly expected?: string
  readonly got?: unknown
  /** The exchange in which the target decided. */
  readonly exchange?: Pick<Answered, 'startedAt'>
}

/** Checks that end the case at the first mismatch. */
export interface Require extends Checks {
  of(requirement: RequirementId | OwnRequirementId): Require
  readonly measured: Require
  readonly certain: Require
  readonly fatal: Require
  dependingOn(...on: readonly RequirementId[]): Require
  fail(what: string, expected: string, got: unknown): never
}

export type StatusClass = '2xx' | '4xx'

/** 4xx statuses that are not about the content of the request. */
const notRefusals: readonly number[] = [404, 405, 408, 429]

type Sink = (mismatch: Mismatch, isCertain: boolean) => void

interface Booking {
  readonly requirement?: RequirementId
  readonly kind?: MismatchKind
  readonly isCertain?: boolean
  readonly isFatal?: boolean
  readonly dependsOn?: readonly RequirementId[]
}

/** Checks that throw each mismatch. */
export function createRequire(): Require {
  // `fail` never returns, since the listener throws.
  return createChecks((mismatch) => {
    throw new CheckFailed([mismatch])
  }) as Require
}

/** Checks that hand each mismatch to `onMismatch`. */
export function createChecks(onMismatch: Sink, booking: Booking = {}): Checks {
  const { kind = 'compared', requirement, isCertain = false, isFatal = false, dependsOn = [] } = booking
  const booked = {
    ...(requirement === undefined ? {} : { requirement }),
    ...(isFatal ? { fatal: true as const } : {}),
    ...(dependsOn.length === 0 ? {} : { depends_on: dependsOn }),
  }
  const report = (
    what: string,
    expected: string,
    got: unknown,
    more: Pick<Mismatch, 'decided' | 'exchange_at'> = {},
  ): false => {
    onMismatch({ kind, what, expected, got: show(got), ...booked, ...more, found_at: now() }, isCertain)
    return false
  }
  const reportAnswer = (answer: Answered, what: string, expected: string): false => {
    const { status, failure, excerpt } = answer
    const got = status === undefined ? `no answer (${failure ?? 'unknown'})` : `${status} ${excerpt}`.trim()
    const mismatch: Mismatch = {
      kind: status === undefined ? (answer.silence ?? 'no-answer') : kind,
      what,
      expected,
      got,
      ...booked,
      ...(status === undefined || status >= 500 ? { crashed: true } : {}),
      found_at: now(),
      ...placeOf(answer),
    }
    onMismatch(mismatch, isCertain)
    return false
  }
  return {
    of: (id) => createChecks(onMismatch, { ...booking, requirement: id as RequirementId }),
    get measured() {
      return createChecks(onMismatch, { ...booking, kind: 'measured' })
    },
    get certain() {
      return createChecks(onMismatch, { ...booking, isCertain: true })
    },
    get fatal() {
      return createChecks(onMismatch, { ...booking, isFatal: true })
    },
    dependingOn: (...on) => createChecks(onMismatch, { ...booking, dependsOn: on }),
    status(answer, allowed) {
      if (answer.status !== undefined && isAllowed(answer.status, allowed)) return true
      return reportAnswer(answer, `status of ${answer.label}`, typeof allowed === 'string' ? allowed : named(allowed))
    },
    refused(answer, allowed) {
      const { status } = answer
      const held =
        status !== undefined &&
        (allowed === undefined
          ? status >= 400 && status < 500 && !notRefusals.includes(status)
          : allowed.includes(status))
      if (held) return true
      return reportAnswer(
        answer,
        `answer to ${answer.label}`,
        `a refusal (${allowed === undefined ? '4xx' : named(allowed)})`,
      )
    },
    equal: (what, actual, expected, exchange) =>
      isDeepStrictEqual(actual, expected) || report(what, ...differenceOf(expected, actual), placeOf(exchange)),
    oneOf: (what, actual, expected) =>
      expected.some((candidate) => isDeepStrictEqual(actual, candidate)) ||
      report(what, expected.map(show).join(' or '), actual),
    matches: (what, actual, pattern) =>
      (typeof actual === 'string' && pattern.test(actual)) || report(what, `a string like ${pattern.source}`, actual),
    between: (what, actual, min, max) =>
      (actual >= min && actual <= max) ||
      report(what, max === Infinity ? `at least ${min}` : `${min} to ${max}`, actual),
    ok: (what, condition, expected, got) => condition || report(what, expected, got),
    decision: (decided, due, { what, expected = show(due), got = decided, exchange }) =>
      decided === due || report(what, expected, got, { decided, ...placeOf(exchange) }),
    fail: (what, expected, got) => report(what, expected, got),
  }
}

/** Which exchange a mismatch is about. */
function placeOf({ startedAt }: Pick<Answered, 'startedAt'> = {}): Pick<Mismatch, 'exchange_at'> {
  return startedAt === undefined ? {} : { exchange_at: new Date(startedAt).toISOString() }
}

function now(): string {
  return new Date().toISOString()
}

/** Statuses that are named one by one; more of them are a class. */
const maxNamed = 8

function named(statuses: readonly number[]): string {
  if (statuses.length <= maxNamed) return listed(statuses.toSorted((a, b) => a - b).map(String), 'or')
  return [...new Set(statuses.map((status) => `${Math.floor(status / 100)}xx`))].join(' or ')
}

function isAllowed(status: number, allowed: readonly number[] | StatusClass): boolean {
  return typeof allowed === 'string' ? Math.floor(status / 100) === Number(allowed[0]) : allowed.includes(status)
}

const shown = Symbol('shown')
const longest = 300

/** Marks a text that a message shows without quotes. */
export function inWords(text: string): object {
  return { [shown]: text }
}

/** A value that need not be kept whole, since a message shows only its start. */
export function shortenedValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? inWords(show(value)) : value
}

/** Formats a value for a message: JSON, shortened. */
export function show(value: unknown): string {
  if (typeof value === 'object' && value !== null && shown in value) return String(value[shown])
  const text =
    value === undefined
      ? 'nothing'
      : value instanceof Uint8Array
        ? `${value.length} bytes`
        : (JSON.stringify(value, rounded) ?? String(value))
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

/** Formats two values that differ. Of long lists of texts, such as ids, only the texts that one of them lacks are shown. */
function differenceOf(expected: unknown, actual: unknown): [expected: string, got: object] {
  if (isLongList(expected) && Array.isArray(actual)) {
    const [due, found] = [new Set<unknown>(expected), new Set<unknown>(actual)]
    const missing = expected.filter((text) => !found.has(text))
    const unexpected = actual.filter((value) => !due.has(value))
    if (missing.length + unexpected.length > 0) {
      const parts = [`${actual.length} items`, ...few('missing', missing), ...few('not expected', unexpected)]
      return [`${expected.length} items`, inWords(parts.join('; '))]
    }
  }
  return [besides(expected, actual), inWords(besides(actual, expected))]
}

const shownItems = 3

function isLongList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > shownItems && value.every((item) => typeof item === 'string')
}

function few(label: string, values: readonly unknown[]): string[] {
  if (values.length === 0) return []
  const rest = values.length > shownItems ? ` and ${values.length - shownItems} more` : ''
  return [`${label}: ${values.slice(0, shownItems).map(show).join(', ')}${rest}`]
}

/**
 * Formats a value that differs from `other`. A long text or list begins at the first difference, so that shortening does not cut the
 * difference off.
 */
function besides(value: unknown, other: unknown): string {
  if (typeof value === 'string' && typeof other === 'string') return besidesText(value, other)
  if (!Array.isArray(value) || !Array.isArray(other) || Math.max(lengthOf(value), lengthOf(other)) <= longest)
    return show(value)
  const shorter = Math.min(value.length, other.length)
  let equal = 0
  while (equal < shorter && isDeepStrictEqual(value[equal], other[equal])) equal++
  if (equal === 0) return show(value)
  const rest = value.slice(equal)
  return `${equal} equal, then ${rest.length === 0 ? 'no more' : show(rest)}`
}

function besidesText(value: string, other: string): string {
  const [characters, others] = [[...value], [...other]]
  let equal = 0
  while (equal < characters.length && characters[equal] === others[equal]) equal++
  if (equal === 0 || Math.max(characters.length, others.length) <= longest) return show(value)
  const rest = characters.slice(equal).join('')
  return `${equal} equal characters, then ${rest === '' ? 'no more' : show(rest)}`
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}

/** Decimals of a number in a message. */
const decimals = 1_000

/** Rounds numbers to the precision that measurements have. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * decimals) / decimals : value
}
