// Scripts about mail, named and random: sends, repeats, schedules, moves, cancels, walks through the list, and the time between them.
import fc from 'fast-check'
import { anyPlainText, anyText, isPlain } from '../../shared/texts.js'

/** How an address is written; the interface shows a plain one. */
export type AddressForm = 'plain' | 'capital-domain' | 'capital-local-part' | 'named' | 'tagged' | 'quoted'

export interface RecipientPlan {
  /** Index of the inbox it goes to; undefined is an address outside. */
  readonly inbox: number | undefined
  readonly form: AddressForm
}

/** One email, as far as it is random. */
export interface EmailPlan {
  readonly subject: string
  /** The display name of its sender; empty for none. */
  readonly name: string
  /** One is written as a string, several as a list. */
  readonly to: readonly RecipientPlan[]
  readonly isHtml: boolean
  /** Index of the inbox whose key and address send it; left out for the org's. */
  readonly by?: number
  /** It is from another address of the project's domain. */
  readonly isFromOther?: boolean
  /** It is equal to the item before it in its batch. */
  readonly isAlike?: boolean
  /** When it is scheduled for, counted from the begin of the script in milliseconds; undefined is at once. */
  readonly aheadMs: number | undefined
}

export type ChangePlan = { readonly do: 'move'; readonly aheadMs: number } | { readonly do: 'cancel' }

export type MailStep =
  /** The request is made as often as `copies`, concurrently and under one key. */
  | { readonly do: 'send'; readonly email: EmailPlan; readonly copies: number }
  | { readonly do: 'batch'; readonly emails: readonly EmailPlan[]; readonly copies: number }
  /** An earlier send or batch is repeated under its key. `which` counts from the latest, here and below. */
  | { readonly do: 'repeat'; readonly which: number; readonly copies: number }
  /** The emails of an earlier send or batch are sent again, under another key. */
  | { readonly do: 'again'; readonly which: number }
  /** Another email is sent under the key of an earlier send or batch. */
  | { readonly do: 'reuse-key'; readonly which: number; readonly email: EmailPlan }
  /** A waiting email is changed, `by` the key of an inbox or of the org; several changes are requested concurrently. */
  | { readonly do: 'change'; readonly which: number; readonly changes: readonly ChangePlan[]; readonly by?: number }
  /** The record of each email and its events are read. */
  | { readonly do: 'read' }
  | { readonly do: 'pass'; readonly ms: number }
  /** Sending is paused and resumed at once. */
  | { readonly do: 'pause' }
  /** The list of emails is read page by page, and after the first page something is done to it. */
  | { readonly do: 'walk'; readonly limit: number; readonly meanwhile?: MailAction | undefined }

/** A step of one project; time passes for all of them. */
export type MailAction = Exclude<MailStep, { readonly do: 'pass' }>

export const hour = 3_600_000
const day = 24 * hour

const outside: readonly RecipientPlan[] = [{ inbox: undefined, form: 'plain' }]

/** Steps of named scripts: an email is sent at once, to an address outside, with the key of the org, unless `more` differs. */
const plan = (more: Partial<EmailPlan>): EmailPlan => ({
  subject: 'Grüße, 件名',
  name: '',
  to: outside,
  isHtml: false,
  aheadMs: undefined,
  ...more,
})
export const toInbox = (...inboxes: readonly number[]): readonly RecipientPlan[] =>
  inboxes.map((inbox) => ({ inbox, form: 'plain' }))
export const inHours = (hours: number) => ({ aheadMs: hours * hour })
export const send = (more: Partial<EmailPlan> = {}, copies = 1): MailAction => ({
  do: 'send',
  email: plan(more),
  copies,
})
export const batch = (emails: readonly Partial<EmailPlan>[], copies = 1): MailAction => ({
  do: 'batch',
  emails: emails.map(plan),
  copies,
})
export const repeat = (which = 0): MailAction => ({ do: 'repeat', which, copies: 1 })
export const again = (which = 0): MailAction => ({ do: 'again', which })
export const reuseKey = (more: Partial<EmailPlan> = {}): MailAction => ({
  do: 'reuse-key',
  which: 0,
  email: plan(more),
})
export const change = (changes: readonly ChangePlan[], more: { which?: number; by?: number } = {}): MailAction => ({
  do: 'change',
  which: 0,
  changes,
  ...more,
})
export const movedTo = (hours: number): ChangePlan => ({ do: 'move', aheadMs: hours * hour })
export const cancelled: ChangePlan = { do: 'cancel' }
export const move = (hours: number, more?: Parameters<typeof change>[1]): MailAction => change([movedTo(hours)], more)
export const cancel = (more?: Parameters<typeof change>[1]): MailAction => change([cancelled], more)
export const pass = (hours: number): MailStep => ({ do: 'pass', ms: hours * hour })
export const read: MailAction = { do: 'read' }
export const walk = (limit: number, meanwhile?: MailAction): MailAction => ({ do: 'walk', limit, meanwhile })

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

const anyForm = fc.constantFrom<AddressForm>(
  ...Array.from({ length: 6 }, () => 'plain' as const),
  'capital-domain',
  'capital-local-part',
  'named',
  'tagged',
  'quoted',
)

/** Inboxes of the workspace. */
export const inboxCount = 3

const anyRecipients = fc.uniqueArray(
  fc.record({ inbox: fc.option(fc.nat(inboxCount - 1), { nil: undefined }), form: anyForm }),
  { minLength: 1, maxLength: inboxCount, selector: ({ inbox }) => inbox },
)

const anyEmailWith = (subject: fc.Arbitrary<string>): fc.Arbitrary<EmailPlan> =>
  fc.record({
    subject,
    name: anyName,
    to: fc.oneof(
      { weight: 3, arbitrary: anyRecipients.map((to) => to.slice(0, 1)) },
      { weight: 1, arbitrary: anyRecipients },
    ),
    isHtml: fc.boolean(),
    isAlike: fc.nat(9).map((chance) => chance === 0),
    aheadMs: fc.option(anyAhead, { nil: undefined, freq: 3 }),
  })

/** One that is sent alone: a service may refuse its subject. */
const anyEmail = anyEmailWith(fc.oneof({ weight: 3, arbitrary: anyPlainSubject }, { weight: 1, arbitrary: anyText }))

const anyChangePlan: fc.Arbitrary<ChangePlan> = fc.oneof(
  fc.record({ do: fc.constant('move' as const), aheadMs: anyAhead }),
  fc.record({ do: fc.constant('cancel' as const) }),
)

const anyWhich = fc.nat(9)

const anyChange: fc.Arbitrary<MailAction> = fc.record({
  do: fc.constant('change' as const),
  which: anyWhich,
  changes: fc.oneof(
    { weight: 2, arbitrary: fc.tuple(anyChangePlan) },
    { weight: 1, arbitrary: fc.array(anyChangePlan, { minLength: 2, maxLength: 3 }) },
  ),
})

const anyCopies = fc.constantFrom(1, 1, 1, 4)

const anySend: fc.Arbitrary<MailAction> = fc.record({
  do: fc.constant('send' as const),
  email: anyEmail,
  copies: anyCopies,
})

/** As many emails as a batch may have, and more than a page of fifty. */
const anyCrowd = fc.constantFrom(51, 100).chain((length) =>
  fc.record({ inbox: fc.nat(1), isHtml: fc.boolean() }).map(({ inbox, isHtml }) => {
    const to = [{ inbox, form: 'plain' as const }]
    return Array.from({ length }, (): EmailPlan => ({ subject: '', name: '', to, isHtml, aheadMs: undefined }))
  }),
)

const anyBatch: fc.Arbitrary<MailAction> = fc.record({
  do: fc.constant('batch' as const),
  emails: fc.array(anyEmailWith(anyPlainSubject), { minLength: 1, maxLength: 4 }),
  copies: anyCopies,
})

const anyRepeat: fc.Arbitrary<MailAction> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('repeat' as const), which: anyWhich, copies: anyCopies }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), which: anyWhich }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reuse-key' as const), which: anyWhich, email: anyEmail }) },
)

const anyStep: fc.Arbitrary<MailStep> = fc.oneof(
  { weight: 4, arbitrary: anySend },
  { weight: 2, arbitrary: anyBatch },
  { weight: 4, arbitrary: anyChange },
  { weight: 3, arbitrary: anyRepeat },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(hour, 20 * hour, 5 * day, 60 * day) }),
  },
  { weight: 1, arbitrary: fc.constantFrom<MailAction>({ do: 'pause' }, read) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('walk' as const),
      limit: fc.integer({ min: 1, max: 4 }),
      meanwhile: fc.oneof(anyChange, anySend, anyBatch, anyRepeat),
    }),
  },
)

/** A random script; it begins with mail, so that there is something to move, to cancel and to list. */
export const anyMailScript: fc.Arbitrary<readonly MailStep[]> = fc
  .tuple(
    fc.array(anySend, { minLength: 2, maxLength: 4 }),
    fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anyCrowd }),
    fc.array(anyStep, { minLength: 4, maxLength: 12, size: 'max' }),
  )
  .map(([sends, crowd, steps]) => [
    ...sends,
    ...(crowd === undefined ? [] : [{ do: 'batch', emails: crowd, copies: 1 } as const]),
    ...steps,
  ])
