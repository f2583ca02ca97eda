// CLI-007, CLI-008, CLI-013 to CLI-015, CLI-018 to CLI-020, CLI-025 to CLI-028, CLI-037 to CLI-042, CLI-046, CLI-047, CLI-057: random scripts
// of answers.
//
// Every method that the interface names, with any texts, answered by failures of every kind in any order, and then by any JSON or another
// error. The model of the client computes the expectations. Most answers have `Retry-After: 0`, since waits are real.

import fc from 'fast-check'
import { clientCase, json, refusal, type Reply } from '../../harness/authoring.js'
import { blanks, plainTexts } from '../shared/texts.js'
import { atOnce, closed, failing, inPieces, onLines, page, reset, withCharset, type Answer } from './shared/answers.js'
import { email } from './shared/expectations.js'
import { methodNamed, type Method } from './shared/methods.js'
import { membersOfErrors, oddValues } from './shared/odd-values.js'
import { Player } from './shared/scenario.js'
import type { Script } from './shared/script.js'

const checked = [
  ...(['CLI-007', 'CLI-008', 'CLI-013', 'CLI-014', 'CLI-015', 'CLI-018', 'CLI-019', 'CLI-020', 'CLI-025'] as const),
  ...(['CLI-026', 'CLI-028', 'CLI-037', 'CLI-038', 'CLI-039', 'CLI-040', 'CLI-041', 'CLI-042', 'CLI-057'] as const),
  ...(['CLI-027', 'CLI-046', 'CLI-047'] as const),
] as const

const anyText = fc.constantFrom(...plainTexts, ...blanks)
const anyEmail = fc.record({ subject: anyText, text: anyText }).map((texts) => ({ ...email, ...texts }))
const anyId = fc.stringMatching(/^(em|whk|dlv)_[A-Za-z0-9_-]{1,40}$/)
const anyTime = fc
  .date({ min: new Date('2027-01-01'), max: new Date('2037-01-01'), noInvalidDate: true })
  .map((date) => ({ scheduled_at: date.toISOString() }))

const anyMethod: fc.Arbitrary<Method> = fc.oneof(
  anyEmail.map((letter) => methodNamed('emails.send', [letter])),
  fc.array(anyEmail, { minLength: 1, maxLength: 12 }).map((letters) => methodNamed('emails.batch', [letters])),
  anyId.map((id) => methodNamed('emails.get', [id])),
  fc
    .record(
      { limit: fc.integer({ min: 1, max: 100 }), cursor: fc.base64String({ minLength: 4 }) },
      { requiredKeys: [] },
    )
    .map((query) => methodNamed('emails.list', [query])),
  fc.tuple(anyId, anyTime).map((args) => methodNamed('emails.update', args)),
  anyId.map((id) => methodNamed('emails.cancel', [id])),
  anyId.map((id) => methodNamed('webhooks.deliveries', [id])),
  fc.tuple(anyId, anyId).map((ids) => methodNamed('webhooks.replay', ids)),
)

const anyForm = fc.constantFrom<(reply: Reply) => Reply>((reply) => reply, withCharset, onLines)
/** Errors whose bodies are marked as JSON, and have no error of the interface, or no JSON. */
const anyOddBody = fc.constantFrom('', '{', 'null', '[]', '"no"', '0', '{"code":', '{"message":null}', '<html></html>')
const oddError = (status: number, body: string, headers: Readonly<Record<string, string>>): Reply => ({
  kind: 'text',
  status,
  body,
  headers,
  contentType: 'application/json',
})

const anyServerError = fc.integer({ min: 500, max: 599 })
const emptyReply = (status: number): Reply => ({ kind: 'empty', status, headers: atOnce })
const anyQuickFailure: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(failing(429)) },
  { weight: 3, arbitrary: fc.tuple(anyServerError, anyForm).map(([status, form]) => form(failing(status))) },
  fc
    .tuple(fc.oneof(anyServerError, fc.constant(429)), anyOddBody)
    .map(([status, body]) => oddError(status, body, atOnce)),
  anyServerError.map((status) => page(status, atOnce)),
  anyServerError.map(emptyReply),
)
/** Failures that a client waits after. */
const anySlowFailure: fc.Arbitrary<Answer> = fc.oneof(
  fc.constantFrom<Answer>(reset, closed, failing(429, 1), refusal(503, 'try_again')),
  fc.constantFrom(429, 502).map((status): Answer => ({ kind: 'dated', status, inSeconds: 1 })),
)
/** Without those that the HTTP library below a client may act on itself. */
const anyFinalError = fc
  .integer({ min: 400, max: 499 })
  .filter((status) => ![401, 407, 408, 421, 425, 426, 429].includes(status))
const otherNames = ['created_at', 'updatedAt', 'type', 'headers', 'status_code', 'retry_after', 'body', 'fix'] as const
/** Values that a library may be tempted to read as others, under names that the interface does not have; numbers that every language reads alike. */
const anyMembers = fc.letrec<{ value: unknown; members: Readonly<Record<string, unknown>> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyText,
    fc.constantFrom<unknown>(null, true, false, 0, -1, -0.5, 3_000_000_000, 1e-7, [], '2030-01-02T03:04:05+00:00'),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('members'),
  ),
  members: fc.dictionary(
    fc.constantFrom(...Object.keys(membersOfErrors), ...Object.keys(oddValues.object), ...otherNames),
    tie('value'),
    { minKeys: 1, maxKeys: 6, noNullPrototype: true },
  ),
})).members
const anyListed = fc.tuple(anyMembers, anyEmail).map(([members, known]) => ({ ...members, ...known }))
const anySuccess = fc
  .tuple(
    anyMembers,
    fc.record({
      id: anyText,
      status: anyText,
      next_cursor: fc.option(anyText),
      data: fc.array(anyListed, { maxLength: 3 }),
    }),
    fc.oneof(anyForm, fc.constant(inPieces)),
  )
  .map(([members, body, form]) => form(json(200, { ...members, ...body })))

const anyScript: fc.Arbitrary<Script> = fc
  .record({
    method: anyMethod,
    quick: fc.array(anyQuickFailure, { maxLength: 4 }),
    slow: fc.array(anySlowFailure, { maxLength: 1 }),
    isSlowFirst: fc.boolean(),
    last: fc.oneof(
      { weight: 2, arbitrary: anySuccess },
      fc.tuple(anyFinalError, anyForm).map(([status, form]) => form(refusal(status, 'no_use'))),
      fc.tuple(anyFinalError, anyOddBody).map(([status, body]) => oddError(status, body, {})),
    ),
    maxRetries: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    hasOwnKey: fc.boolean(),
  })
  .map(({ method, quick, slow, isSlowFirst, last, maxRetries, hasOwnKey }): Script => {
    const [first = last, ...others] = isSlowFirst ? [...slow, ...quick, last] : [...quick, ...slow, last]
    return {
      method,
      answers: [first, ...others],
      ...(maxRetries === undefined ? {} : { maxRetries }),
      ...(hasOwnKey && method.effect === 'keyed' ? { ownKey: 'usual' } : {}),
    }
  })

export const randomScripts = [
  clientCase({
    id: 'client/model/holds-for-any-script',
    requirements: checked,
    level: 'must',
    title: 'requests, waits and results of any call follow the answers, whatever they are',
    timeoutMs: 180_000,
    async run(context) {
      const player = new Player(context, checked)
      await context.property(
        anyScript,
        async (script, require) => player.report(script, (await player.play(script)).faults, require),
        { runs: 24, atOnce: context.isConcurrent ? 8 : 1 },
      )
    },
  }),
]
