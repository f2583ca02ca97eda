// Random scripts about events: webhooks, answers of endpoints, replays, pages, streams, and the time between them.
import fc from 'fast-check'
import { eventTypes, snippetCharacters, type EventType } from '../../../spec/index.js'
import { status, type Answer } from '../../../harness/authoring.js'
import { anyPlainText, blanks, controls, plainTexts } from '../../shared/texts.js'
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

/** Whose key reads: that of a project, or that of one of its inboxes. */
export interface Reader {
  readonly project: number
  readonly inbox: number | undefined
}

/** Events of one type for one inbox, all at once. */
export interface RaiseStep {
  readonly do: 'raise'
  readonly project: number
  readonly type: EventType
  readonly inbox: number
  readonly times: number
  /** Values of the members of `data` that have one of these names. */
  readonly words: Readonly<Record<string, unknown>>
  /** False: no jump of the clock follows, so that more of them may be retried at once. */
  readonly isBounded?: boolean
}

export interface HookPlan extends Reader {
  readonly types: readonly string[]
  /** The key of its inbox creates it. */
  readonly isByInbox: boolean
  readonly answer: AnswerPlan
  /** More path and query after the url of its endpoint. */
  readonly suffix: string
}

export type DeliveryStep =
  | RaiseStep
  | { readonly do: 'create'; readonly plan: HookPlan }
  | { readonly do: 'answer'; readonly hook: number; readonly answer: AnswerPlan }
  | { readonly do: 'pass'; readonly ms: number }
  /** Up to a moment before an attempt of the webhook is due, and then a moment beyond it. */
  | { readonly do: 'pass-due'; readonly hook: number }
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
  /** A page of events after one of those that there are, or from the oldest. */
  | {
      readonly do: 'page'
      readonly reader: Reader
      readonly after: number | undefined
      readonly limit: number | undefined
    }
  /** All events page by page; more are raised after the first page. */
  | { readonly do: 'walk'; readonly reader: Reader; readonly limit: number; readonly meanwhile: RaiseStep }
  /** A stream of the first project, from now on or after an event. */
  | {
      readonly do: 'stream'
      readonly inbox: number | undefined
      readonly after: number | undefined
      readonly auth: 'header' | 'token'
    }
  /** A stream breaks off, and resumes after its last frame. */
  | { readonly do: 'reconnect'; readonly which: number }
  /** The list of deliveries with a limit. */
  | { readonly do: 'records'; readonly hook: number; readonly limit: number | undefined }

export interface DeliveryScript {
  readonly hooks: readonly HookPlan[]
  readonly steps: readonly DeliveryStep[]
}

/** Projects of a workspace, and inboxes of each. */
export const [projects, inboxes] = [2, 2]

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
  fc
    .tuple(
      fc.constantFrom('ab cd', '<p>é</p>\n', '{"件": "名"} ', 'ÿ'),
      fc.oneof(
        fc.constantFrom(...[-1, 0, 1].map((more) => snippetCharacters + more)),
        fc.integer({ min: 1, max: 5_000 }),
      ),
    )
    .map(([text, length]) => `x${text.repeat(length)}`.slice(0, length)),
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

/** Between the delays of the schedule and far beyond it: whether an attempt is due is clear after most. */
const passes = [8 * second, 6 * minute, 40 * minute, 3 * hour, 12 * hour, 2 * day, 9 * day, 45 * day, 200 * day]

const anyPass = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...passes) },
  // As likely about a minute as about a month.
  { weight: 1, arbitrary: fc.double({ min: 4, max: 10, noNaN: true }).map((digits) => Math.round(10 ** digits)) },
)

const hook = fc.nat(5)

/** The second project is the one that others must not see. */
const project = fc.constantFrom(0, 0, 0, 1)
const anyReader: fc.Arbitrary<Reader> = fc.record({ project, inbox: anyInbox(inboxes) })

const word = fc.oneof(
  { weight: 4, arbitrary: anyPlainText },
  { weight: 1, arbitrary: fc.constantFrom(...blanks, ...controls, 'x'.repeat(2_000)) },
)
/** Names in either case, and numbers that are often changed: the interface shows neither names nor forms of the numbers. */
const anyStats = fc.dictionary(
  fc.constantFrom('sent', 'Sent', 'bounce rate', 'a.b', '10', '9', 'größe', 'created_at', 'data'),
  fc.oneof(fc.constantFrom(0, -1, 0.1, 1e-7, 2 ** 31, 2 ** 53 - 1), fc.integer()),
  { maxKeys: 6, noNullPrototype: true },
)
const anyAddress = fc.nat(60).map((number) => `to-${number}@recipient.example`)
const anyAddresses = fc.array(fc.oneof(word, anyAddress), { minLength: 1, maxLength: 60, size: '+1' })
const anyWords = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...Object.fromEntries(['from', 'subject', 'recipient', 'response', 'reason'].map((name) => [name, word])),
      ...Object.fromEntries(['to', 'cc'].map((name) => [name, anyAddresses])),
      permanent: fc.boolean(),
      stats: anyStats,
    }),
  },
)

const anyRaise: fc.Arbitrary<RaiseStep> = fc.record({
  do: fc.constant('raise' as const),
  project,
  type: anyType,
  inbox: fc.nat(inboxes - 1),
  times: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(1, 1, 2, 3) },
    { weight: 1, arbitrary: fc.constantFrom(5, 11, 21) },
  ),
  words: anyWords,
})

const anyCursor = fc.option(fc.nat(30), { nil: undefined })
/** Sizes of pages, about their default and their maximum too. */
const anyLimit = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(undefined, 49, 50, 51, 99, 100, 101, 1_000))

/** What a webhook for every event of the first project is created with. */
export const everyEvent = { project: 0, inbox: undefined, isByInbox: false, types: [], suffix: '' } as const

/** Ends of urls that a careless sender changes; none that an HTTP library may write in another way. */
const anySuffix = fc
  .tuple(
    fc.array(
      fc.constantFrom('', ...'a B with%20blank one%2Fsegment a;b=1 caf%C3%A9 ~x a+b'.split(' '), 'long'.repeat(50)),
      { maxLength: 3 },
    ),
    fc.array(fc.constantFrom(...'z=1 b=2 b=3 Token=aB flag empty= sum=1+2 plus=%2B u=http://a/?b'.split(' ')), {
      maxLength: 4,
    }),
  )
  .map(([path, query]) => `${path.map((part) => `/${part}`).join('')}${query.length > 0 ? `?${query.join('&')}` : ''}`)

const anyHook: fc.Arbitrary<HookPlan> = fc
  .record({
    project,
    inbox: anyInbox(inboxes),
    isByInbox: fc.boolean(),
    types: anyFilter,
    answer: anyAnswer,
    suffix: anySuffix,
  })
  .filter(({ inbox, types }) => canMatch({ inbox, types }))

const anyStep: fc.Arbitrary<DeliveryStep> = fc.oneof(
  { weight: 6, arbitrary: anyRaise },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), hook, answer: anyAnswer }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: anyPass }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass-due' as const), hook }) },
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
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), plan: anyHook }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('page' as const), reader: anyReader, after: anyCursor, limit: anyLimit }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('walk' as const),
      reader: anyReader,
      limit: fc.integer({ min: 1, max: 9 }),
      meanwhile: anyRaise,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('stream' as const),
      inbox: anyInbox(inboxes),
      after: anyCursor,
      auth: fc.constantFrom('header', 'token'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconnect' as const), which: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('records' as const), hook, limit: anyLimit }) },
)

/** A random script; one webhook at least is for every event of the first project. */
export const anyDeliveryScript: fc.Arbitrary<DeliveryScript> = fc.record({
  hooks: fc
    .tuple(anyAnswer, anySuffix, fc.array(anyHook, { minLength: 1, maxLength: 3 }))
    .map(([answer, suffix, hooks]) => [{ ...everyEvent, answer, suffix }, ...hooks]),
  steps: fc
    .tuple(anyRaise, fc.array(anyStep, { minLength: 5, maxLength: 12, size: 'max' }))
    .map(([first, steps]) => [first, ...steps]),
})

/** Whether events of the type belong to the workspace. */
export function isOfWorkspace(type: EventType): boolean {
  return eventTypes[type] === 'workspace'
}
