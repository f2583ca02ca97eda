// EVT-003  "`message.received` fires when an inbox received an email; its data is of kind received."
// EVT-004  "`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued."
// EVT-005  "`message.delivered` fires when a recipient's server accepted the message; its data is of kind delivery."
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
// EVT-002  "`timestamp` is ISO 8601 UTC with milliseconds in webhook bodies and WebSocket frames."
// SND-007  "`GET /v1/emails/{id}` answers the email with `recipients` and `status`."
// POL-009  "Events of the list carry `org_id` and `created_at` instead of `timestamp`."
//
// The sentences make no difference between an email that was sent by itself, in a batch, or at its time; nor between letters.
// Reading: as in mail-events.ts. A service of a test deployment may carry no mail to its own inboxes: then the cases are skipped.

import { asText, instantOf, memberOf, serviceCase } from '../../../harness/authoring.js'
import { eventsOnce, showsEvent } from '../shared/event-log.js'
import { hour, inHours, movedMs, scheduledEmail } from '../shared/scheduled-mail.js'
import { dataOf, email, idOf, isEmailAccepted } from '../shared/sent-mail.js'
import { carriedWithinMs, isOf, notCarried } from '../shared/carried-mail.js'

/** Hours ahead of the scheduled email whose events contain its time. */
const aheadHours = 6

/** Subjects of received mail that a header of 78 letters, or of ASCII, would spoil. */
const oddSubjects = [
  'Grüße aus München',
  '件名：請求書',
  '👩‍👩‍👧 family',
  'a < b && <i>"c"</i>',
  `${'long '.repeat(40)}end`,
  `${'longer '.repeat(60)}end`,
]

/** What becomes of an email once it was handed over. */
const isOutcome = (event: unknown): boolean =>
  ['message.delivered', 'message.received'].includes(asText(memberOf(event, 'type')))

const idIn = (event: unknown): string => asText(memberOf(event, 'id'))

export const mailByKind = [
  // Times of events are compared with each other alone: whether they follow the clock that is moved is open (clock-and-events).
  serviceCase({
    id: 'service/mail-events/tell-when-a-scheduled-email-was-sent',
    requirements: ['EVT-002', 'POL-009', 'SND-007'],
    level: 'must',
    title: 'events of a scheduled email have the time at which it was sent',
    needs: ['send', 'inboxes', 'workspace', 'clock'],
    async run({ openSandbox, check, require, unique, measure, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const stream = await project.stream().opened(require.of('STR-001'))
      const { address } = project.inbox()
      const firstHours = [aheadHours, aheadHours / 2, aheadHours * 2]
      const ids: string[] = []
      const [scheduled, plain] = [firstHours.map(unique), unique()]
      for (const [index, hours] of firstHours.entries()) {
        const mail = scheduledEmail(sandbox, address, scheduled[index] ?? '', hours)
        const id = idOf(require, await project.api.sendEmail(mail))
        ids.push(id)
        if (hours === aheadHours) continue
        const moved = await project.api.updateEmail(id, { scheduled_at: inHours(sandbox, aheadHours) })
        require.of('SND-010').status(moved, '2xx')
      }
      await sandbox.advance((aheadHours + 1) * hour)
      const isSent = (events: readonly unknown[]) =>
        scheduled.every((subject) => events.some(isOf('message.queued', subject)))
      const isMoved = isSent(await eventsOnce(sandbox, project.api, isSent, { withinMs: movedMs }))
      measure('scheduled mail is moved by', isMoved ? 'the clock of the workspace' : 'real time')
      if (!isMoved) return
      for (const id of ids) {
        const shown = await project.api.getEmail(id)
        const [status, recipients] = [shown.field('status'), shown.field('recipients')]
        const what = check.of('SND-007')
        what.status(shown, [200])
        what.ok('status of an email that was sent at its time', typeof status === 'string', 'a string', status)
        const isNamed = JSON.stringify(recipients ?? null).includes(asText(address))
        what.ok('recipients of an email that was sent at its time', isNamed, `something with ${address}`, recipients)
      }
      idOf(require, await project.api.sendEmail(email(project, address, plain)))
      const isThere = (events: readonly unknown[]) => events.filter(isOutcome).length >= 2 * (scheduled.length + 1)
      const events = await eventsOnce(sandbox, project.api, isThere, { withinMs: carriedWithinMs })
      const outcomes = events.filter(isOutcome)
      const latest = outcomes.at(-1)
      if (outcomes.length < 2 || latest === undefined) return skip(notCarried)
      require
        .of('EVT-014')
        .ok('the latest on the stream', await showsEvent(stream, sandbox, idIn(latest)), 'one frame', 'none')
      const frames = new Map(stream.frames.map(({ id, event }) => [id, event]))
      const timesOf = (event: unknown) =>
        [
          ['POL-009', 'created_at', instantOf(asText(memberOf(event, 'created_at')))],
          ['EVT-002', 'timestamp', instantOf(asText(memberOf(frames.get(idIn(event)), 'timestamp')))],
        ] as const
      for (const event of outcomes)
        for (const [index, [requirement, name, at]] of timesOf(event).entries()) {
          const hoursBefore = ((timesOf(latest)[index]?.[2] ?? Number.NaN) - at) / hour
          const what = `hours from the ${name} of ${asText(memberOf(event, 'type'))} to that of the latest`
          check.of(requirement).between(what, hoursBefore, -1, 2)
        }
    },
  }),

  serviceCase({
    id: 'service/mail-events/a-received-email-tells-its-subject',
    requirements: ['EVT-003'],
    level: 'must',
    title: 'message.received contains the subject unchanged, apart from blanks',
    needs: ['send', 'inboxes', 'workspace'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(1)
      const plain = unique()
      const sent: string[] = []
      for (const subject of [`Re: ${unique()}`, ...oddSubjects.map((words) => `${unique()} ${words}`)]) {
        // How long a subject may be is not shown.
        if (isEmailAccepted(await project.api.sendEmail(email(project, inbox.address, subject)))) sent.push(subject)
      }
      idOf(require, await project.api.sendEmail(email(project, inbox.address, plain)))
      const isReceived = (event: unknown) => memberOf(event, 'type') === 'message.received'
      const hasAll = (events: readonly unknown[]) => events.filter(isReceived).length > sent.length
      const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
      const events = await eventsOnce(sandbox, project.api, hasAll, { withinMs })
      if (!events.some(isOf('message.received', plain))) return skip(notCarried)
      const reported = events.filter(isReceived).map((event) => withoutBlanks(asText(dataOf(event, 'subject'))))
      check.equal('subjects of message.received', reported.sort(), [...sent, plain].map(withoutBlanks).sort())
    },
  }),
]

/** A header line may be folded at a blank. */
function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '')
}
