// EVT-003  "`message.received` fires when an inbox received an email; its data is of kind received."
// EVT-004  "`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued."
// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// SND-001  "`POST /v1/emails` takes an email object and answers `{ id }`."
// SND-003  "`to` accepts a single address string."
//
// Subjects and names of any characters, also those that end a line of a mail header.
//
// Reading: letters of any script, and texts that look like values of another type, are accepted. Signs with a meaning elsewhere, blanks
// and control characters may be refused with a 4xx; in an accepted subject control characters, and blanks at its ends, may be replaced or
// left out (mail carries neither), and nothing else changes. A 5xx is judged by malformed-requests.ts.

import {
  asText,
  memberOf,
  serviceCase,
  type Checks,
  type Exchange,
  type Project,
  type Sandbox,
} from '../../../harness/authoring.js'
import { blanks, controls, foreignLetters, keepsText, lookAlikes, signs, unstorable } from '../../shared/texts.js'
import { carriedWithinMs, notCarried } from '../shared/carried-mail.js'
import { eventsAfter, eventsOnce, idsOf, showsEvents } from '../shared/event-log.js'
import { bareAddress, dataOf, isEmailAccepted, waitQuietly } from '../shared/sent-mail.js'

/** Emails that are sent concurrently. */
const atOnce = 8

/** Subjects that must be accepted, and others. */
const subjects: readonly (readonly [subject: string, isAccepted: boolean])[] = [
  ...[...lookAlikes, ...foreignLetters].map((subject) => [subject, true] as const),
  ...[...signs, ...blanks, ...controls, ...unstorable, 'longer '.repeat(60)].map(
    (subject) => [subject, false] as const,
  ),
]

async function sendAll<Item>(items: readonly Item[], send: (item: Item) => Promise<Exchange>): Promise<Exchange[]> {
  const answers: Exchange[] = []
  for (let from = 0; from < items.length; from += atOnce)
    answers.push(...(await Promise.all(items.slice(from, from + atOnce).map(send))))
  return answers
}

const isOfType = (type: string) => (event: unknown) => memberOf(event, 'type') === type

interface Expected {
  readonly type: string
  readonly count: number
}

/** The events of a fresh org, once there are as many of each type as expected or the wait is over, and others had time to follow. */
async function eventsOf(sandbox: Sandbox, project: Project, all: readonly Expected[]): Promise<unknown[]> {
  const startedAt = performance.now()
  const hasAll = (events: readonly unknown[]) =>
    all.every(({ type, count }) => events.filter(isOfType(type)).length >= count)
  const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
  await eventsOnce(sandbox, project.api, hasAll, { withinMs })
  await waitQuietly(sandbox, performance.now() - startedAt)
  return eventsAfter(project.api)
}

/** Checks that each of the sent subjects is that of one event, and each event has one of them. */
function expectSubjects(
  check: Checks,
  type: string,
  { events, sent }: { events: readonly unknown[]; sent: readonly string[] },
): void {
  const shown = events.filter(isOfType(type)).map((event) => dataOf(event, 'subject'))
  const { missing, others } = pairOff(sent, shown)
  for (const subject of sent)
    check.ok(`${type} with the subject ${JSON.stringify(subject)}`, !missing.includes(subject), 'one event', 'none')
  check.equal(`subjects of ${type} that were not sent`, others, [])
}

/**
 * Pairs each sent subject with one that is shown, as many as can be paired: where signs are replaced, one that is shown may be any of
 * several (augmenting paths of a bipartite graph).
 */
function pairOff(sent: readonly string[], shown: readonly unknown[]) {
  const ownerOf = new Map<number, number>()
  const isPlaced = (index: number, seen: Set<number>): boolean =>
    shown.some((one, at) => {
      if (seen.has(at) || !keepsText(sent[index] ?? '', one)) return false
      seen.add(at)
      const owner = ownerOf.get(at)
      if (owner !== undefined && !isPlaced(owner, seen)) return false
      ownerOf.set(at, index)
      return true
    })
  const missing = sent.filter((_, index) => !isPlaced(index, new Set()))
  return { missing, others: shown.filter((_, at) => !ownerOf.has(at)) }
}

/** Ways to write the end of a line of a header, or what a decoder may turn into one. */
const lineEnds = [
  '\r\n',
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '\u0000\r\n',
  '%0d%0a',
  String.raw`\r\n`,
  '=?utf-8?q?=0D=0A?=',
]
const headerNames = ['Bcc', 'Cc', 'To', 'Resent-To'] as const

type Field = 'subject' | 'from' | 'to'

/** An email to `to` with a header in one of its fields that names `victim`. */
function withHeader(
  { from, to, victim }: { readonly from: string; readonly to: string; readonly victim: string },
  { field, end, name }: { readonly field: Field; readonly end: string; readonly name: string },
): Record<string, unknown> {
  const header = `Hello${end}${name}: ${victim}${end === '\r\n' ? `${end}${end}Hello` : ''}`
  const plain = { from, to, subject: 'Hello', text: 'Hello' }
  return { ...plain, [field]: field === 'subject' ? header : `"${header}" <${plain[field]}>` }
}

/** The addresses of a field of an event, without display names. */
function addressesIn(value: unknown): string[] {
  const texts = typeof value === 'string' ? value.split(',') : Object.values(Object(value) as object)
  return texts.map((text) => bareAddress(typeof text === 'string' ? text.trim() : asText(memberOf(text, 'address'))))
}

export const mailTexts = [
  serviceCase({
    id: 'service/mail-channels/carry-any-subject-or-refuse-it',
    requirements: ['EVT-003', 'EVT-004', 'EVT-014', 'SND-001'],
    level: 'must',
    title: 'subjects of any characters arrive unchanged at the list, the webhook and the stream, or are refused',
    needs: ['sink', 'workspace', 'send', 'inboxes'],
    timeoutMs: 120_000,
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(1)
      const webhook = await project.createWebhook({ eventTypes: ['message.queued', 'message.received'] })
      const stream = await project.stream().opened(require.of('STR-001'))
      const from = bareAddress(project.from)
      const answers = await sendAll(subjects, ([subject]) =>
        project.api.sendEmail({ from, to: inbox.address, subject, text: subject }),
      )
      const sent: string[] = []
      for (const [index, [subject, isAccepted]] of subjects.entries()) {
        const answer = answers[index]
        if (answer === undefined) continue
        if (isAccepted) check.of('SND-001').status(answer, '2xx')
        if (isEmailAccepted(answer)) sent.push(subject)
      }
      const all = [
        { type: 'message.queued', count: sent.length },
        { type: 'message.received', count: sent.length },
      ]
      const events = await eventsOf(sandbox, project, all)
      expectSubjects(check.of('EVT-004'), 'message.queued', { events, sent })
      // A service of a test deployment may carry no mail to its own inboxes.
      if (events.some(isOfType('message.received')))
        expectSubjects(check.of('EVT-003'), 'message.received', { events, sent })
      const reported = events.filter((event) => all.some(({ type }) => isOfType(type)(event)))
      await webhook.endpoint.until(() => webhook.attempts().length >= reported.length, sandbox.budgetMs)
      const byId = new Map(webhook.attempts().map((attempt) => [attempt.field('id'), attempt.field('data')]))
      await showsEvents(stream, sandbox, idsOf(reported).map(asText))
      for (const event of reported) {
        const id = asText(memberOf(event, 'id'))
        const subject = dataOf(event, 'subject')
        const what = `subject of ${asText(memberOf(event, 'type'))}`
        check.of('EVT-014').equal(`${what} at the webhook`, memberOf(byId.get(id), 'subject'), subject)
        const frame = stream.frames.find((candidate) => candidate.id === id)?.event
        check.of('EVT-014').equal(`${what} on the stream`, dataOf(frame, 'subject'), subject)
      }
      const ids = idsOf(events)
      check.of('EVT-014').equal(
        'events of the stream that are not listed',
        stream.ids.filter((id) => !ids.includes(id)),
        [],
      )
    },
  }),

  serviceCase({
    id: 'service/mail-events/take-no-header-from-a-text',
    requirements: ['EVT-003', 'EVT-004', 'SND-003'],
    level: 'must',
    title: 'a subject or display name with a line break and a header adds no recipient',
    needs: ['workspace', 'send', 'inboxes'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [to, victim] = [project.inbox(0).address, project.inbox(1).address]
      const from = bareAddress(project.from)
      if (to === undefined || victim === undefined) return skip('needs inboxes with addresses')
      const control = await project.api.sendEmail({ from, to, subject: 'Hello', text: 'Hello' })
      require.of('SND-001').status(control, '2xx')
      const emails = (['subject', 'from', 'to'] as const).flatMap((field, shift) =>
        lineEnds.map((end, index) => {
          const name = headerNames[(index + shift) % headerNames.length] ?? 'Bcc'
          return { field, email: withHeader({ from, to, victim }, { field, end, name }) }
        }),
      )
      const answers = await sendAll(emails, ({ email }) => project.api.sendEmail(email))
      const taken = emails.filter((_, index) => answers[index] !== undefined && isEmailAccepted(answers[index]))
      const sent = ['Hello', ...taken.map(({ email }) => asText(email['subject']))]
      const events = await eventsOf(sandbox, project, [
        { type: 'message.queued', count: sent.length },
        { type: 'message.received', count: sent.length },
      ])
      const received = events.filter(isOfType('message.received'))
      const astray = received.filter((event) => dataOf(event, 'inbox_id') === project.inbox(1).id)
      check.of('EVT-003').equal(
        'subjects received by an inbox that no `to` names',
        astray.map((event) => dataOf(event, 'subject')),
        [],
      )
      for (const event of events.filter(isOfType('message.queued')))
        for (const name of ['to', 'cc'])
          check
            .of('SND-003')
            .ok(
              `${name} of message.queued`,
              !addressesIn(dataOf(event, name)).includes(victim),
              'no other address',
              dataOf(event, name),
            )
      expectSubjects(check.of('EVT-004'), 'message.queued', { events, sent })
      if (received.length === 0) skip(notCarried)
    },
  }),
]
