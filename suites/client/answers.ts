// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."
// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
//
// Reading: JSON is the same whether its type names its charset, whatever white space it has, and however its bytes arrive. The interface
// mostly does not show the status of a success, so a library that accepts only some relies on an assumption: that is advice.

import { json } from '../../harness/authoring.js'
import { inPieces, onLines, withCharset } from './shared/answers.js'
import { methodNamed, reading, sending } from './shared/methods.js'
import { objectsLikeLists } from './shared/odd-values.js'
import { scenario } from './shared/scenario.js'

const answer = {
  id: 'em_1',
  object: 'email',
  data: [{ id: 'em_1', subject: 'Grüße, 你好 👋 naïve ñandú 😀😃😄' }],
  next_cursor: null,
}
const calls = [sending, reading, methodNamed('emails.list')]
const fields = { code: 'not_today', message: 'Nicht heute: über 你好 👋.', fix: 'Frag morgen: ñ 😀.' }

export const answers = [
  ...(
    [
      ['reads-json-that-names-its-charset', 'with a charset in their content type', withCharset],
      ['reads-json-on-several-lines', 'on several lines with blanks around', onLines],
      ['reads-json-that-comes-in-pieces', 'in pieces that split characters', inPieces],
    ] as const
  ).map(([name, which, form]) =>
    scenario({
      id: `client/errors/${name}`,
      requirements: ['CLI-028', 'CLI-031'],
      title: `answers and errors ${which} are read`,
      keepsConnections: true,
      calls: calls.map((method) => ({ method, maxRetries: 0, answers: [form(json(200, answer))] })),
      errors: [{ method: reading, status: 409, error: fields, form }],
    }),
  ),

  scenario({
    id: 'client/errors/takes-any-2xx-for-a-success',
    requirements: ['CLI-028'],
    level: 'should',
    title: 'a call returns the answer of a 200, 201, 202, 203 or 207',
    calls: calls.flatMap((method) =>
      [200, 201, 202, 203, 207].map((status) => ({ method, maxRetries: 0, answers: [json(status, answer)] as const })),
    ),
  }),

  // A language with one type for a list and for an object without names cannot distinguish them.
  scenario({
    id: 'client/errors/returns-objects-like-lists-as-objects',
    requirements: ['CLI-028'],
    level: 'should',
    title: 'an object without members, and one whose names are numbers, are returned as objects',
    calls: [{ method: reading, answers: [json(200, { id: 'em_1', objects: objectsLikeLists })] }],
  }),

  scenario({
    id: 'client/emails/returns-what-is-answered-now',
    requirements: ['CLI-028'],
    title: 'a repeated call with the same arguments returns its own answer, not an earlier one',
    keepsConnections: true,
    calls: ['emails.get', 'emails.send', 'emails.update', 'emails.cancel', 'emails.batch'].flatMap((name) =>
      ['scheduled', 'sent', 'bounced'].map((status) => ({
        method: methodNamed(name),
        maxRetries: 0,
        answers: [json(200, { id: 'em_1', object: 'email', status, recipients: [], data: [{ id: status }] })] as const,
      })),
    ),
  }),
]
