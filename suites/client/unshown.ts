// CLI-060  "Methods whose path is not shown behave like every other method."
// CLI-062  "`messages.raw` returns the raw `.eml` as a string."
// CLI-066  "`messages.list` takes `limit`, and returns `data` and `next_cursor`."
//
// Reading: whatever request such a method makes is answered, and what it returns is judged.

import {
  asText,
  clientCase,
  json,
  memberOf,
  percentDecoded,
  type ReceivedRequest,
  type Reply,
} from '../../harness/authoring.js'
import { isNothing, valueOf } from './expectations.js'
import { slugOf, unshownMethods } from './methods.js'
import { membersOfErrors, oddValues } from './odd-values.js'

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

type Given = readonly [args: readonly unknown[], held: readonly string[]]

/** Arguments that the text names, each value of a member that it names, with the texts that the requests of a call must hold somewhere. */
const given: Readonly<Record<string, readonly Given[]>> = {
  'messages.send': [
    [
      ['ibx_71', { to: 'bob@recipient.example', subject: 'Greeting-72', text: 'Body-73' }],
      ['bob@recipient.example', 'Greeting-72', 'Body-73'],
    ],
    [
      ['ibx_71', { to: 'bob@recipient.example', subject: 'Grüße \u4f60', text }],
      ['Grüße \u4f60', text],
    ],
  ],
  'messages.reply': [
    [
      ['msg_7aB1', { text: 'Thanks-72', reply_all: true }],
      ['msg_7aB1', 'Thanks-72', 'true'],
    ],
    ...[text, '007'].map((value): Given => [
      ['msg_7aB1', { text: value }],
      ['msg_7aB1', value],
    ]),
  ],
  'messages.raw': [[['msg_7aB1'], ['msg_7aB1']]],
  'inboxes.create': ['support-71', '0071', 'Sales.Team-72'].map((part) => [[{ local_part: part }], [part]]),
  'threads.get': [[['thr_7aB1'], ['thr_7aB1']]],
  'conversations.list': [
    ...['closed', 'open', 'snoozed'].map((status): Given => [[{ status, assignee: 'me' }], [status, 'me']]),
    // Each filter without the other.
    [[{ assignee: 'me' }], ['me']],
    [[{ status: 'closed' }], ['closed']],
  ],
  'conversations.update': ['closed', 'open', 'snoozed'].map((status) => [
    ['cnv_7aB1', { status }],
    ['cnv_7aB1', status],
  ]),
  'domains.create': [[[{ name: 'mail-71.example' }], ['mail-71.example']]],
  'keys.create': ['mail-72.example', 'dom_7aB2'].map((domain) => [
    [{ name: 'ci-71', permissions: 'sending', domain_id: domain }],
    ['ci-71', 'sending', domain],
  ]),
  'suppressions.delete': [[['Bob+71@recipient.example'], ['Bob+71@recipient.example']]],
}

/** Characters with a meaning in a URL; all but the blank are allowed in the local part of an address. */
const idWithSigns = 'a?b=1#c/d e%2F'
const addressWithSigns = 'a?b=1#c/d%2F@recipient.example'

/** The methods that take an id or an address, each with arguments after it. */
const givenSigns: readonly (readonly [name: string, id: string, ...others: readonly unknown[]])[] = [
  ['messages.send', idWithSigns, { to: 'bob@recipient.example', subject: 'Greeting', text: 'Body' }],
  ['messages.reply', idWithSigns, { text: 'Thanks' }],
  ['messages.raw', idWithSigns],
  ['threads.get', idWithSigns],
  ['conversations.update', idWithSigns, { status: 'closed' }],
  ['suppressions.delete', addressWithSigns],
]

export const unshown = [
  ...Object.entries(given).map(([name, rows]) =>
    clientCase({
      id: `client/unshown/${slugOf({ name })}-sends-what-it-was-given`,
      requirements: ['CLI-060'],
      level: 'must',
      title: `the requests of ${name} contain its arguments: ${named(rows)}`,
      async run({ client, server, check, require }) {
        server.replies(json(200, answer))
        const handle = await client({ max_retries: 0 })
        for (const [args, held] of rows) {
          const before = server.requests.length
          valueOf(require, name, await handle.call(name, args))
          const texts = server.requests.slice(before).flatMap((received) => textsOf(received))
          for (const text of held)
            check.ok(
              `what ${name} sends of ${text}`,
              texts.includes(text),
              `"${text}" in path, query or body`,
              'nothing',
            )
        }
      },
    }),
  ),

  ...givenSigns.map(([name, id, ...others]) =>
    clientCase({
      id: `client/unshown/${slugOf({ name })}-escapes-its-id`,
      requirements: ['CLI-060'],
      level: 'should',
      title: `an id or address with URL characters arrives whole by ${name}`,
      async run({ client, server, check, require }) {
        server.replies(json(200, answer))
        const handle = await client({ max_retries: 0 })
        const result = await handle.call(name, [id, ...others])
        if (server.requests.length === 0) valueOf(require, `${name} with the id ${id}`, result)
        const texts = server.requests.flatMap((received) => textsOf(received))
        check.ok(`what ${name} sends of ${id}`, texts.includes(id), `"${id}" in path, query or body`, texts.join(' | '))
      },
    }),
  ),

  ...unshownMethods
    .filter(({ name }) => name !== 'messages.raw')
    .map((method) =>
      clientCase({
        id: `client/unshown/${slugOf(method)}-returns-the-answer-unchanged`,
        requirements: [method.name === 'messages.list' ? 'CLI-066' : 'CLI-060'],
        level: 'must',
        title: `${method.name} returns the JSON it was answered, unchanged`,
        async run({ client, server, check, require }) {
          server.replies(json(200, answer))
          const handle = await client()
          const value = valueOf(require, method.name, await handle.call(method.name, method.args))
          if (method.isAnswerOpen === true && isNothing(value)) return
          check.equal(`value of ${method.name}`, value, answer)
        },
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
  clientCase({
    id: 'client/unshown/suppressions-delete-takes-an-answer-without-a-body',
    requirements: ['CLI-060'],
    level: 'should',
    title: 'suppressions.delete answered 204 is not an error',
    async run({ client, server, require }) {
      const handle = await client({ max_retries: 0 })
      server.replies({ kind: 'empty', status: 204 })
      const result = await handle.call('suppressions.delete', ['bob@recipient.example'])
      valueOf(require, 'suppressions.delete answered 204', result)
    },
  }),

  clientCase({
    id: 'client/unshown/messages-list-sends-its-limit',
    requirements: ['CLI-066'],
    level: 'must',
    title: 'messages.list sends its limit, from 1 to 100',
    async run({ client, server, check, require }) {
      server.replies(json(200, { data: [], next_cursor: null }))
      const handle = await client()
      for (const limit of [1, 7, 50, 100]) {
        const before = server.requests.length
        valueOf(require, 'messages.list', await handle.call('messages.list', [{ limit }]))
        const received = server.requests[before]
        check.ok(
          'limit in the request',
          received?.query.get('limit') === String(limit) || memberOf(received?.json, 'limit') === limit,
          String(limit),
          received === undefined ? 'no request' : `${received.method} ${received.path}?${received.query.toString()}`,
        )
      }
    },
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

/** The texts that calls must hold, each once, for a title; without the long one. */
function named(rows: readonly Given[]): string {
  return [...new Set(rows.flatMap(([, held]) => held))].filter((value) => value !== text).join(', ')
}

/** The texts of a request: the parts of its path, the values of its query, and those of its JSON body, however deep. */
function textsOf({ path, query, json: body }: ReceivedRequest): readonly string[] {
  const leaves = (value: unknown): readonly string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [asText(value)]
  return [...path.split('/').map((part) => percentDecoded(part) ?? part), ...query.values(), ...leaves(body)]
}
