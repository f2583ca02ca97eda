// CLI-060  "Methods whose path is not shown behave like every other method."
// CLI-062  "`messages.raw` returns the raw `.eml` as a string."
// CLI-066  "`messages.list` takes `limit`, and returns `data` and `next_cursor`."
//
// Reading: whatever request such a method makes is answered; the texts of its arguments must be in its requests, and what it returns is judged.

import { clientCase, json, type Reply } from '../../harness/authoring.js'
import { methodNamed, slugOf, unshownMethods } from './shared/methods.js'
import { membersOfErrors, oddValues } from './shared/odd-values.js'
import { textsOf } from './shared/request-model.js'
import { scenario } from './shared/scenario.js'

/** An answer that any of these methods might get. */
const answer = {
  id: 'x_1',
  object: 'x',
  status: 'open',
  codes: ['123456'],
  records: [{ type: 'TXT', name: '_dkim', value: 'v=DKIM1' }],
  next_step: null,
  key: { id: 'key_1', created_at: '2030-01-02T03:04:05+00:00' },
  secret: 'sk_1',
  data: [{ thread_id: 'thr_1', created_at: '2030-01-02', localPart: 'as it is' }],
  next_cursor: 'cur_2',
  odd: oddValues,
  ...membersOfErrors,
}

/** Line ends, a byte order and blanks as a program may want to mend them. */
const eml = 'From: Zoë <zoe@sender.example>\r\nSubject: Hi\r\n\r\nfirst \r\n\r\n{"a": 1}\r\n\r\n'

const inBlanks = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

const rawTypes = ['message/rfc822', 'text/plain; charset=utf-8'] as const

/** The ways an API may hand out a raw message; the path is not shown, nor is the shape. */
const rawForms: readonly Reply[] = [
  ...rawTypes.map((contentType): Reply => ({ kind: 'text', status: 200, body: eml, contentType })),
  json(200, eml),
  json(200, { raw: eml }),
]

/** A text with everything a program might be tempted to mend. */
const text = ' Zoë: \u4f60\u597d \u{1f44b}\r\n\r\n  "quoted" \\ end. \n'

const message = { to: 'bob@recipient.example', subject: 'Greeting-72', text: 'Body-73' }
const statuses = ['closed', 'open', 'snoozed']

/** Arguments of each method: each value of a member that the interface names. */
const given: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  'messages.send': [
    ['ibx_71', message],
    ['ibx_71', { ...message, subject: 'Grüße \u4f60', text }],
  ],
  'messages.reply': [
    ['msg_7aB1', { text: 'Thanks-72', reply_all: true }],
    ['msg_7aB1', { text }],
    ['msg_7aB1', { text: '007' }],
  ],
  'messages.raw': [['msg_7aB1']],
  'inboxes.create': ['support-71', '0071', 'Sales.Team-72'].map((local_part) => [{ local_part }]),
  'threads.get': [['thr_7aB1']],
  'conversations.list': [
    ...statuses.map((status) => [{ status, assignee: 'me' }]),
    // Each filter without the other.
    [{ assignee: 'me' }],
    [{ status: 'closed' }],
  ],
  'conversations.update': statuses.map((status) => ['cnv_7aB1', { status }]),
  'domains.create': [[{ name: 'mail-71.example' }]],
  'keys.create': ['mail-72.example', 'dom_7aB2'].map((domain_id) => [
    { name: 'ci-71', permissions: 'sending', domain_id },
  ]),
  'suppressions.delete': [['Bob+71@recipient.example']],
}

/** Characters with a meaning in a URL; all but the blank are allowed in the local part of an address. */
const idWithSigns = 'a?b=1#c/d e%2F'

/** The methods that take an id or an address, with one of such characters. */
const givenSigns: Readonly<Record<string, readonly [id: string, ...others: unknown[]]>> = {
  'messages.send': [idWithSigns, message],
  'messages.reply': [idWithSigns, { text: 'Thanks' }],
  'messages.raw': [idWithSigns],
  'threads.get': [idWithSigns],
  'conversations.update': [idWithSigns, { status: 'closed' }],
  'suppressions.delete': ['a?b=1#c/d%2F@recipient.example'],
}

export const unshown = [
  ...Object.entries(given).map(([name, rows]) =>
    scenario({
      id: `client/unshown/${slugOf({ name })}-sends-what-it-was-given`,
      requirements: ['CLI-060'],
      title: `the requests of ${name} contain its arguments, whatever their values`,
      calls: rows.map((args) => ({ method: methodNamed(name, args), maxRetries: 0, answers: [json(200, answer)] })),
    }),
  ),

  ...Object.entries(givenSigns).map(([name, [id, ...others]]) =>
    scenario({
      id: `client/unshown/${slugOf({ name })}-escapes-its-id`,
      requirements: ['CLI-060'],
      level: 'should',
      title: `an id or address with URL characters arrives whole by ${name}`,
      calls: [
        {
          method: methodNamed(name, [id, ...others]),
          maxRetries: 0,
          answers: [json(200, answer)],
          more: { texts: [id] },
        },
      ],
    }),
  ),

  ...unshownMethods
    .filter(({ name }) => name !== 'messages.raw')
    .map((method) =>
      scenario({
        id: `client/unshown/${slugOf(method)}-returns-the-answer-unchanged`,
        requirements: [method.name === 'messages.list' ? 'CLI-066' : 'CLI-060'],
        title: `${method.name} returns the JSON it was answered, unchanged`,
        calls: [{ method, answers: [json(200, answer)] }],
      }),
    ),

  // A library that gets a name may look the domain up first, and find none: a call that does not end is not judged.
  clientCase({
    id: 'client/unshown/domains-verify-sends-what-it-was-given',
    requirements: ['CLI-060'],
    level: 'must',
    title: 'requests of domains.verify contain the id or name that was given',
    async run({ client, server, check, skip }) {
      server.replies(json(200, answer))
      const handle = await client({ max_retries: 0 })
      let requestCount = 0
      for (const domain of ['dom_7aB2', 'mail-73.example']) {
        const before = server.requests.length
        const result = await handle.call('domains.verify', [domain])
        if (result.kind !== 'value') continue
        requestCount++
        const texts = server.requests.slice(before).flatMap((received) => textsOf(received))
        check.ok(
          `what domains.verify sends of ${domain}`,
          texts.includes(domain),
          `"${domain}" in path, query or body`,
          'nothing',
        )
      }
      if (requestCount === 0) skip('domains.verify of this library accepts an answer in a form unknown to the run')
    },
  }),

  // What a delete is answered is not shown; a 204 has no body.
  scenario({
    id: 'client/unshown/suppressions-delete-takes-an-answer-without-a-body',
    requirements: ['CLI-060'],
    level: 'should',
    title: 'suppressions.delete answered 204 is not an error',
    calls: [{ method: methodNamed('suppressions.delete'), maxRetries: 0, answers: [{ kind: 'empty', status: 204 }] }],
  }),

  scenario({
    id: 'client/unshown/messages-list-sends-its-limit',
    requirements: ['CLI-066'],
    title: 'messages.list sends its limit, from 1 to 100',
    calls: [1, 7, 50, 100].map((limit) => ({
      method: methodNamed('messages.list', [{ limit }]),
      answers: [json(200, { data: [], next_cursor: null })],
    })),
  }),

  clientCase({
    id: 'client/unshown/messages-raw-returns-the-text',
    requirements: ['CLI-062'],
    level: 'must',
    title: 'messages.raw returns the .eml as a string, character for character',
    async run({ client, server, check, skip }) {
      const handle = await client({ max_retries: 0 })
      const got: unknown[] = []
      for (const reply of rawForms) {
        server.replies(reply)
        const result = await handle.call('messages.raw', ['msg_1'])
        if (result.kind === 'value') got.push(result.value)
      }
      if (got.length === 0) skip('this library reads the raw message in a form that the run does not know')
      // A form that the library reads differently may become anything except the message with other blanks and line ends.
      const mended = got.find(
        (value) => typeof value === 'string' && value !== eml && inBlanks(value) === inBlanks(eml),
      )
      check.ok(
        'value of messages.raw',
        got.includes(eml) && mended === undefined,
        `the text of ${eml.length} characters`,
        got.map((value) => (typeof value === 'string' ? `a string of ${value.length} characters` : value)),
      )
    },
  }),

  clientCase({
    id: 'client/unshown/messages-raw-returns-no-half-of-a-text',
    requirements: ['CLI-062'],
    // Some HTTP libraries hide that less arrived than was announced.
    level: 'should',
    title: 'messages.raw does not return a truncated message after the connection was closed',
    async run({ client, server, check, skip }) {
      const handle = await client({ max_retries: 0 })
      for (const contentType of rawTypes) {
        server.replies({ kind: 'text', status: 200, body: eml, contentType })
        const whole = await handle.call('messages.raw', ['msg_1'])
        if (whole.kind !== 'value' || whole.value !== eml) continue
        server.replies({ kind: 'close-in-body', status: 200, body: eml, contentType })
        const half = await handle.call('messages.raw', ['msg_1'])
        check.equal('result of messages.raw whose text was cut', half.kind === 'value' ? 'a value' : half.kind, 'error')
        return
      }
      skip('this library does not read the raw message as a text')
    },
  }),
]
