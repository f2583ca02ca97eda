// CLI-037 to CLI-042, CLI-046, CLI-047, CLI-059  method and path of each operation.
// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."
//
// Reading: a method's argument is in its request, whichever other arguments are given: a member or a parameter alone, and with the others.
// The expected requests are in shared/request-model.ts.

import { clientCase, json, type Reply } from '../../harness/authoring.js'
import { success } from './shared/answers.js'
import { contents } from './shared/contents.js'
import { email, valueOf } from './shared/expectations.js'
import { methodNamed, slugOf } from './shared/methods.js'
import { membersOfErrors, oddValues } from './shared/odd-values.js'
import { scenario } from './shared/scenario.js'

const batch = [email, { ...email, subject: 'Second' }]
const when = '2030-01-02T03:04:05.000Z'
/** In an id capitals and small letters are not the same: those below have both. */
const eventId = 'evt_01HZx7Kd'
/** Both ends of the allowed range of pages, and their default. */
const limitsOfPages = [1, 50, 100]
const largestBatch = 100
const idWithSigns = 'a?b=1#c/d e%2F'

/** An answer with everything a client might be tempted to change. */
const unchanged = {
  id: 'em_42',
  object: 'email',
  // A time that is not what a library writes which reads it and writes it again.
  scheduled_at: '2030-01-02T05:04:05+02:00',
  created_at: '2030-01-02T03:04:05Z',
  next_cursor: null,
  data: [
    {
      thread_id: 'thr_1',
      created_at: '2030-01-02T03:04:05.678901Z',
      bounce_classification: null,
      nested_field: { deep_field: [1, 0.123456789, 1_700_000_000_123, true] },
      permanent: false,
      opens: 0,
      recipients: [],
      text: '  Tom &amp; Zoe\u0308 \n',
    },
  ],
  subject: 'Grüße, 你好 👋',
  createdAt: 'as it is',
  // Forms of a time that a library may be tempted to read and write again.
  times: [
    '2030-01-02T03:04:05Z',
    '2030-01-02T05:04:05.000000+02:00',
    '2030-01-02',
    'Wed, 02 Jan 2030 03:04:05 GMT',
    '',
  ],
  errors: [{ index: 1, code: 'missing_to', message: 'No recipient.' }],
  extra_field: 'kept',
  sent_at_ms: 1_700_000_000_123,
  odd: oddValues,
  ...membersOfErrors,
}

/** Every method with a shown path, its arguments, the requirement of its request, and its answer. */
const operations = [
  ['emails.send', [email], 'CLI-037', json(200, unchanged)],
  ['emails.batch', [batch], 'CLI-038', json(200, unchanged)],
  ['emails.get', ['em_4aB2'], 'CLI-039', json(200, unchanged)],
  ['emails.list', [{ limit: 7, cursor: 'cur_1' }], 'CLI-040', json(200, unchanged)],
  ['emails.update', ['em_4aB2', { scheduled_at: when }], 'CLI-041', json(200, unchanged)],
  ['emails.cancel', ['em_4aB2'], 'CLI-042', json(200, unchanged)],
  ['webhooks.deliveries', ['whk_1Cd'], 'CLI-046', json(200, unchanged)],
  ['webhooks.replay', ['whk_1Cd', 'dlv_2eF'], 'CLI-047', json(202, unchanged)],
  [
    'webhooks.create',
    [{ url: 'https://a.example/', event_types: ['message.received'], inbox_id: null }],
    'CLI-059',
    json(201, { ...unchanged, secret: 'whsec_AAAA' }),
  ],
  ['webhooks.list', [], 'CLI-059', json(200, unchanged)],
  ['webhooks.delete', ['whk_1Cd'], 'CLI-059', json(200, unchanged)],
  ['events.list', [{ after: eventId, limit: 7 }], 'CLI-059', json(200, unchanged)],
] as const

/** Parameters of lists: each alone, both, and none; one page is requested twice, and another one after it. */
const queries = [
  ['emails.list', 'CLI-040', 'cursor'],
  ['events.list', 'CLI-059', 'after'],
] as const
const page = json(200, { data: [{ id: 'evt_80' }], next_cursor: 'cur_80', next_after: 'evt_80' })

/** Some languages treat "0" as nothing, and digits as a number; padding of base64 is at an end. */
const cursors = ['eyJh+b/c==&limit=1 #%41', '0', 'false', 'eyJhIjoxMH0=', '0090071992547409931']

const webhookUrl = 'https://A.example:8443/Hook/%41?Tenant=7&x=a%20b'
const webhooks = [
  { url: webhookUrl, event_types: ['message.bounced', 'sending.paused', 'message.scheduled'] },
  { url: 'https://a.example/', event_types: ['*'], inbox_id: null },
  { url: 'https://a.example/', event_types: [], inbox_id: 'ibx_71' },
  { url: 'https://a.example/', inbox_id: 'ibx_72' },
]

/** Emails with rarer members; the accepted ones arrive unchanged. */
const letters = [
  {
    from: 'ada@verified.example',
    to: 'bob@recipient.example',
    subject: 'Html and a time',
    html: '<p>Hi</p>',
    scheduled_at: '2030-01-02T03:04:05.000Z',
  },
  {
    from: '"Lovelace, Ada" <ada@verified.example>',
    to: 'bob@recipient.example',
    subject: 'Both and a time',
    html: '<p>Hi</p>',
    text: 'Hi',
    scheduled_at: '2030-01-02T03:04:05.000Z',
  },
] as const

/** The ids of an answer to so many emails. */
const idsOf = (emails: readonly unknown[]) => ({ data: emails.map((_, index) => ({ id: `em_${index}` })) })
const lettersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...email, subject: `Letter ${index}` }))
const withContent = contents.map(({ subject, ...bodies }) => ({ from: email.from, to: email.to, subject, ...bodies }))
const withoutBody = (status: number): Reply => ({ kind: 'empty', status })
/** A call that succeeds. */
const called = (name: string, args: readonly unknown[], reply: Reply = success) => ({
  method: methodNamed(name, args),
  answers: [reply] as const,
})

export const emails = [
  ...operations.map(([name, args, requirement, reply]) =>
    scenario({
      id: `client/emails/${slugOf({ name })}-makes-its-request`,
      requirements: requirement === 'CLI-047' || requirement === 'CLI-059' ? [requirement] : [requirement, 'CLI-028'],
      title: `${name} makes the request of the interface, and returns the answer unchanged`,
      calls: [called(name, args, reply)],
    }),
  ),

  scenario({
    id: 'client/emails/sends-a-cursor-as-it-is',
    requirements: ['CLI-040'],
    title: 'a cursor of base64 and other signs arrives as the text it is',
    calls: cursors.map((cursor) => called('emails.list', [{ limit: 7, cursor }])),
  }),

  scenario({
    id: 'client/emails/sends-a-limit-as-it-is',
    requirements: ['CLI-040'],
    title: 'emails.list requests the given limit, at both ends of the allowed range of pages',
    calls: limitsOfPages.map((limit) => called('emails.list', [{ limit }])),
  }),

  scenario({
    id: 'client/emails/sends-a-large-limit-as-it-is',
    requirements: ['CLI-040'],
    level: 'should',
    title: 'emails.list requests the given limit, beyond the maximum of other lists',
    calls: [101, 250].map((limit) => called('emails.list', [{ limit }])),
  }),

  // "Answers `202`. Response body: not shown."
  scenario({
    id: 'client/emails/webhooks-replay-takes-an-answer-without-a-body',
    requirements: ['CLI-047'],
    level: 'should',
    title: 'a replay answered 202 without a body is not an error',
    calls: [
      called('webhooks.replay', ['whk_1', 'dlv_2'], { kind: 'text', status: 202, body: '', contentType: 'text/plain' }),
    ],
  }),

  // "Success status and body: not shown."
  scenario({
    id: 'client/emails/webhooks-delete-takes-an-answer-without-a-body',
    requirements: ['CLI-059'],
    level: 'should',
    title: 'a delete answered 204, 200 or 202 without a body is not an error',
    calls: [204, 200, 202].map((status) => called('webhooks.delete', ['whk_1'], withoutBody(status))),
  }),

  scenario({
    id: 'client/emails/creates-a-webhook-with-its-fields',
    requirements: ['CLI-059'],
    title: 'webhooks.create sends the url, the event types and the inbox it was given',
    calls: [
      called('webhooks.create', [
        { url: 'https://a.example/hook?tenant=7', event_types: ['message.received'], inbox_id: 'ibx_1' },
      ]),
    ],
  }),

  scenario({
    id: 'client/emails/limits-the-list-of-deliveries',
    requirements: ['CLI-046'],
    level: 'should',
    title: 'webhooks.deliveries sends its limit, at both ends of the allowed range',
    calls: limitsOfPages.map((limit) => ({
      ...called('webhooks.deliveries', ['whk_1', { limit }]),
      more: { query: { limit } },
    })),
  }),

  scenario({
    id: 'client/emails/limits-the-list-of-events',
    requirements: ['CLI-059'],
    title: 'events.list sends its limit, at both ends of the allowed range',
    calls: limitsOfPages.map((limit) => called('events.list', [{ limit }])),
  }),

  scenario({
    id: 'client/emails/keeps-the-errors-of-a-permissive-batch',
    requirements: ['CLI-028', 'CLI-038'],
    title: 'a batch answered 200 with errors returns its data and errors unchanged',
    calls: [
      called(
        'emails.batch',
        [[email, { ...email, to: 'nobody' }]],
        json(200, { data: [{ id: 'em_1' }], errors: [{ index: 1, code: 'missing_to', message: 'No recipient.' }] }),
      ),
    ],
  }),

  clientCase({
    id: 'client/emails/sends-the-validation-of-a-batch',
    requirements: ['CLI-063'],
    level: 'should',
    title: 'a batch with batchValidation sends it; one without does not request permissive',
    async run({ client, server, check, require }) {
      server.replies(json(200, { data: [{ id: 'em_1' }, { id: 'em_2' }] }))
      const handle = await client()
      const options = { batch_validation: 'permissive' }
      valueOf(require, 'emails.batch', await handle.call('emails.batch', [batch]))
      valueOf(require, 'emails.batch with batchValidation', await handle.call('emails.batch', [batch], options))
      const [without, withIt] = server.requests.map(
        ({ path, query, headers, body }) => `${path} ${query.toString()} ${JSON.stringify(headers)} ${body}`,
      )
      check.ok('permissive in a batch without it', without?.includes('permissive') === false, 'nowhere', 'somewhere')
      check.ok('permissive in a batch with it', withIt?.includes('permissive') === true, 'somewhere', 'nowhere')
    },
  }),

  scenario({
    id: 'client/emails/escapes-ids',
    requirements: ['CLI-039'],
    level: 'should',
    title: 'in every method, an id with URL characters stays one part of the path',
    calls: [
      called('emails.get', [idWithSigns]),
      called('emails.update', [idWithSigns, { scheduled_at: when }]),
      called('emails.cancel', [idWithSigns]),
      called('webhooks.deliveries', [idWithSigns]),
      called('webhooks.replay', ['whk_1', idWithSigns]),
      called('webhooks.replay', [idWithSigns, 'dlv_2']),
      called('webhooks.delete', [idWithSigns]),
    ],
  }),

  scenario({
    id: 'client/emails/emails-send-changes-no-text',
    requirements: ['CLI-037'],
    title: 'subject, html and text of an email arrive unchanged by emails.send',
    calls: withContent.map((letter) => called('emails.send', [letter])),
  }),

  scenario({
    id: 'client/emails/emails-batch-changes-no-text',
    requirements: ['CLI-038'],
    title: 'subject, html and text of an email arrive unchanged by emails.batch',
    calls: withContent.map((letter) => called('emails.batch', [[letter]])),
  }),

  scenario({
    id: 'client/emails/sends-json',
    requirements: ['CLI-037'],
    title: 'the email goes as JSON, with its characters as they are',
    calls: [called('emails.send', [{ ...email, subject: 'Grüße, 你好 👋 "quoted" \\ \u2028' }])],
  }),

  ...queries.map(([name, requirement, cursor]) =>
    scenario({
      id: `client/emails/${slugOf({ name })}-sends-each-parameter-alone`,
      requirements: [requirement],
      title: `${name} sends exactly the given limit and ${cursor}, none of an earlier call`,
      calls: [
        { [cursor]: 'evt_71' },
        { limit: 9 },
        {},
        { limit: 9, [cursor]: 'evt_71' },
        { [cursor]: 'evt_72' },
        {},
      ].map((query) => called(name, [query], page)),
    }),
  ),

  scenario({
    id: 'client/emails/creates-webhooks-of-every-form',
    requirements: ['CLI-059'],
    title: 'webhooks.create sends url, event types and inbox exactly as given',
    calls: webhooks.map((webhook) => called('webhooks.create', [webhook])),
  }),

  // That a list of recipients is taken is not shown; what becomes of one is.
  scenario({
    id: 'client/emails/emails-send-sends-every-member',
    requirements: ['CLI-037'],
    title: 'an email with all fields sends all of them, and one with two recipients both',
    calls: [
      ...letters.map((letter) => called('emails.send', [letter])),
      {
        ...called('emails.send', [{ ...email, to: ['bob@recipient.example', 'eve@recipient.example'] }]),
        mayBeRefused: true,
      },
    ],
  }),

  scenario({
    id: 'client/emails/emails-batch-sends-a-hundred',
    requirements: ['CLI-038'],
    title: `${largestBatch} emails are one request, in the order they were given`,
    calls: [called('emails.batch', [lettersOf(largestBatch)], json(200, idsOf(lettersOf(largestBatch))))],
  }),

  scenario({
    id: 'client/emails/emails-batch-sends-as-many-as-it-was-given',
    requirements: ['CLI-038'],
    title: 'a batch of one email is a batch; one with two equal emails keeps both',
    calls: [[email], [email, { ...email, subject: 'Another' }, email]].map((letters) =>
      called('emails.batch', [letters], json(200, idsOf(letters))),
    ),
  }),
]
