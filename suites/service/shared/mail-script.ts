// Random scripts about mail: sends, schedules, moves, cancels, walks through the list, and the time between them.
import fc from 'fast-check'
import { anyPlainText, anyText, isPlain } from '../../shared/texts.js'

/** One email, as far as it is random. */
export interface EmailPlan {
  readonly subject: string
  /** The display name of its sender; empty for none. */
  readonly name: string
  /** Index of the inbox it goes to; undefined is an address outside. */
  readonly inbox: number | undefined
  /** The domain of its recipient is written in capitals: domains have no case (RFC 1035, 2.3.3). */
  readonly hasCapitals: boolean
  readonly isHtml: boolean
  /** When it is scheduled for, counted from the begin of the script in milliseconds; undefined is at once. */
  readonly aheadMs: number | undefined
}

export type MailStep =
  | { readonly do: 'send'; readonly email: EmailPlan }
  | { readonly do: 'batch'; readonly emails: readonly EmailPlan[] }
  | { readonly do: 'move'; readonly which: number; readonly aheadMs: number }
  | { readonly do: 'cancel'; readonly which: number }
  | { readonly do: 'pass'; readonly ms: number }
  /** Sending is paused and resumed at once. */
  | { readonly do: 'pause' }
  /** The list of emails is read page by page, and after the first page something is done to it. */
  | { readonly do: 'walk'; readonly limit: number; readonly meanwhile: MailStep }

const hour = 3_600_000
const day = 24 * hour

/** Hours, days, and months ahead, over a change of the clocks and more milliseconds than 31 bits hold; few, so that some fall together. */
const anyAhead = fc.constantFrom(2 * hour, 30 * hour, 9 * day, 40 * day, 150 * day, 300 * day)

const anyPlainSubject = fc.oneof(
  { weight: 3, arbitrary: anyPlainText },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: fc.constantFrom(...'aé件👋 '), minLength: 30, maxLength: 150, size: 'max' })
      .filter(isPlain),
  },
)

const anyName = fc.oneof(
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...`abcXYZ09 .,&'()-:;é件👋`), minLength: 1, maxLength: 20 }).filter(isPlain),
)

const anyEmailWith = (subject: fc.Arbitrary<string>): fc.Arbitrary<EmailPlan> =>
  fc.record({
    subject,
    name: anyName,
    inbox: fc.option(fc.nat(1), { nil: undefined }),
    hasCapitals: fc.constantFrom(false, false, false, true),
    isHtml: fc.boolean(),
    aheadMs: fc.option(anyAhead, { nil: undefined, freq: 3 }),
  })

/** One that is sent alone: a service may refuse its subject. */
const anyEmail = anyEmailWith(fc.oneof({ weight: 3, arbitrary: anyPlainSubject }, { weight: 1, arbitrary: anyText }))

const anyChange: fc.Arbitrary<MailStep> = fc.oneof(
  fc.record({ do: fc.constant('move' as const), which: fc.nat(9), aheadMs: anyAhead }),
  fc.record({ do: fc.constant('cancel' as const), which: fc.nat(9) }),
)

const anySend: fc.Arbitrary<MailStep> = fc.record({ do: fc.constant('send' as const), email: anyEmail })

const anyBatch: fc.Arbitrary<MailStep> = fc.record({
  do: fc.constant('batch' as const),
  emails: fc.array(anyEmailWith(anyPlainSubject), { minLength: 1, maxLength: 4 }),
})

const anyStep: fc.Arbitrary<MailStep> = fc.oneof(
  { weight: 4, arbitrary: anySend },
  { weight: 2, arbitrary: anyBatch },
  { weight: 4, arbitrary: anyChange },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(hour, 20 * hour, 5 * day, 60 * day) }),
  },
  { weight: 1, arbitrary: fc.constant<MailStep>({ do: 'pause' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('walk' as const),
      limit: fc.integer({ min: 1, max: 4 }),
      meanwhile: fc.oneof(anyChange, anySend, anyBatch),
    }),
  },
)

/** A random script; it begins with mail, so that there is something to move, to cancel and to list. */
export const anyMailScript: fc.Arbitrary<readonly MailStep[]> = fc
  .tuple(
    fc.array(anyEmail, { minLength: 2, maxLength: 4 }),
    fc.array(anyStep, { minLength: 4, maxLength: 10, size: 'max' }),
  )
  .map(([emails, steps]) => [...emails.map((email): MailStep => ({ do: 'send', email })), ...steps])
