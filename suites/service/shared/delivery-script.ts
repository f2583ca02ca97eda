// Random scripts about deliveries: webhooks, events, answers of endpoints, and the time between them.
import fc from 'fast-check'
import { eventTypes, type EventType } from '../../../spec/index.js'
import { status, type Answer } from '../../../harness/authoring.js'
import { blanks, plainTexts } from '../../shared/texts.js'
import type { Ending } from '../../shared/world/delivery.js'
import { anyFilter, anyInbox, anyType, canMatch } from './org-model.js'

/** How an endpoint answers from now on: with a status and what surrounds it, or not at all. */
export type AnswerPlan =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly body: string
      /** Headers that mean nothing to the sender of a delivery. */
      readonly headers: Readonly<Record<string, string>>
      readonly form: 'plain' | 'bare' | 'old' | 'pieces' | 'announced'
    }
  | { readonly kind: 'garbage' }

export type DeliveryStep =
  /** Events of one type for one inbox, all at once. */
  | { readonly do: 'raise'; readonly type: EventType; readonly inbox: number; readonly times: number }
  | { readonly do: 'answer'; readonly hook: number; readonly answer: AnswerPlan }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'replay'; readonly hook: number; readonly which: number }
  /** Every delivery of a webhook that there is, all at once, at most five. */
  | { readonly do: 'replay-several'; readonly hook: number }
  | { readonly do: 'delete'; readonly hook: number }
  /** The endpoint holds an answer back for `forMs` of real time, while its deliveries are replayed and more is raised. */
  | {
      readonly do: 'hold'
      readonly hook: number
      readonly meanwhile: readonly ('raise' | 'replay-held' | 'replay-first')[]
      readonly forMs: number
      readonly answer: AnswerPlan
    }

export interface DeliveryScript {
  readonly hooks: readonly {
    readonly inbox: number | undefined
    readonly types: readonly string[]
    readonly answer: AnswerPlan
  }[]
  readonly steps: readonly DeliveryStep[]
}

const inboxes = 2

/** Statuses after which a sender may repeat a request by itself (open point resends-of-a-delivery), and those that are not final. */
const otherStatuses: ReadonlySet<number> = new Set([408, 421])
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

const anyStatus = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(200, 201, 202, 204, 299) },
  { weight: 2, arbitrary: fc.constantFrom(301, 304, 400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504) },
  { weight: 2, arbitrary: fc.integer({ min: 200, max: 599 }).filter((code) => !otherStatuses.has(code)) },
)

const anyBody = fc.oneof(
  fc.constantFrom('', 'ok', '{"error":null}', '<html><body>Grüße 件名</body></html>'),
  // A reader of UTF-8 may drop a mark of the order of bytes.
  fc.constantFrom(...plainTexts, ...blanks.filter((text) => !text.startsWith('\ufeff'))),
  fc.string({ unit: fc.constantFrom(...'abc "<>&é件'), maxLength: 60 }).map((text) => `x${text}x`),
)

const anyHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Readonly<Record<string, string>>>(
      { 'content-type': 'application/json; charset=utf-8' },
      { 'retry-after': '1' },
      { 'retry-after': 'soon' },
      { 'retry-after': '-1' },
      { 'retry-after': '99999999999999999999' },
      { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' },
      { location: 'https://127.0.0.1:1/', refresh: '0; url=https://127.0.0.1:1/' },
      { connection: 'close', 'keep-alive': 'timeout=0' },
      { 'x-request-id': 'a'.repeat(200), 'set-cookie': 'session=1; Path=/' },
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 500, max: 6_000 }).map((length) => ({ 'x-filler': 'f'.repeat(length) })) },
)

/** Any answer of an endpoint that ends an attempt at once. */
const anyAnswer: fc.Arbitrary<AnswerPlan> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        kind: fc.constant('answer' as const),
        status: anyStatus,
        body: anyBody,
        headers: anyHeaders,
        form: fc.constantFrom('plain', 'plain', 'plain', 'bare', 'old', 'pieces', 'announced'),
      })
      .map((plan) => (withoutBody.has(plan.status) ? { ...plan, body: '', form: 'plain' as const } : plan)),
  },
  // No reset: a sender may resend the request by itself (open point resends-of-a-delivery), and a replay looks the same.
  { weight: 1, arbitrary: fc.constant<AnswerPlan>({ kind: 'garbage' }) },
)

/** The answer as the sink gives it. */
export function sinkAnswer(plan: AnswerPlan): Answer {
  if (plan.kind !== 'answer') return { kind: plan.kind }
  const { status: code, body, headers, form } = plan
  return status(code, {
    headers,
    ...(body === '' ? {} : { body }),
    ...(form === 'bare' && { isBare: true }),
    ...(form === 'old' && { isOld: true }),
    ...(form === 'announced' && { isAnnounced: true }),
    ...(form === 'pieces' && body !== '' && { firstBytes: 1 }),
  })
}

/** The answer as the model knows it. */
export function endingOf(plan: AnswerPlan): Ending {
  return plan.kind === 'answer' ? { kind: 'answer', status: plan.status, body: plan.body } : { kind: 'broken' }
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Between the delays of the schedule and far beyond it: whether an attempt is due is clear after each. */
const passes = [8 * second, 6 * minute, 40 * minute, 3 * hour, 12 * hour, 2 * day, 9 * day, 45 * day, 200 * day]

const hook = fc.nat(5)

const anyRaise = fc.record({
  do: fc.constant('raise' as const),
  type: anyType,
  inbox: fc.nat(inboxes - 1),
  times: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(1, 1, 2, 3) },
    { weight: 1, arbitrary: fc.constantFrom(5, 11, 21) },
  ),
})

const anyStep: fc.Arbitrary<DeliveryStep> = fc.oneof(
  { weight: 6, arbitrary: anyRaise },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), hook, answer: anyAnswer }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(...passes) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('replay' as const), hook, which: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replay-several' as const), hook }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), hook }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      hook,
      meanwhile: fc.array(fc.constantFrom('raise', 'replay-held', 'replay-first'), { minLength: 1, maxLength: 3 }),
      forMs: fc.constantFrom(0, 0, 1_200),
      answer: anyAnswer,
    }),
  },
)

const anyHook = fc
  .record({ inbox: anyInbox(inboxes), types: anyFilter, answer: anyAnswer })
  .filter(({ inbox, types }) => canMatch({ inbox, types }))

/** A random script; one webhook at least is for every event. */
export const anyDeliveryScript: fc.Arbitrary<DeliveryScript> = fc.record({
  hooks: fc
    .tuple(anyAnswer, fc.array(anyHook, { minLength: 1, maxLength: 3 }))
    .map(([answer, hooks]) => [{ inbox: undefined, types: [], answer }, ...hooks]),
  steps: fc
    .tuple(anyRaise, fc.array(anyStep, { minLength: 4, maxLength: 10, size: 'max' }))
    .map(([first, steps]) => [first, ...steps]),
})

/** Whether events of the type belong to the workspace. */
export function isOfWorkspace(type: EventType): boolean {
  return eventTypes[type] === 'workspace'
}
