// IDM-001, IDM-002, IDM-005  a repeat of an `Idempotency-Key` returns the first result, and sends nothing a second time.
// SND-010  "`PATCH /v1/emails/{id}` with `{ scheduled_at }` reschedules and answers `{ object, id }`."
// SND-013  "An email with a `scheduled_at` in the future is kept until then: it is not sent before."
// SND-014  "A cancelled email is not sent."
// SND-016  "A scheduled email is sent once, at its time: a later reschedule or cancel does not send it again."
// SND-018  "An email has a `scheduled_at`: the time it was last scheduled for."
// ERR-003  "A malformed request (broken JSON, wrong types, oversize or odd values) gets a 4xx, never a 5xx."
//
// Scheduled mail that is changed or repeated, by the key of the org or of an inbox, before its time and after.
//
// Reading: the interface leaves open whether the key of an inbox may change emails (open point scoped-key-rights), so a refusal ends the
// check and a 2xx means that the change was made. It also leaves open whether the clock moves mail (clock-and-mail): if not, the case is
// skipped, since in real time a change may be too late.

import { instantOf, itemsOf, memberOf, serviceCase, type Exchange } from '../../../harness/authoring.js'
import { requestUntilAnswered, expectNoServerError } from '../shared/error-fields.js'
import {
  checkTime,
  hour,
  inHours,
  lateMs,
  movedMs,
  scheduledEmail,
  scheduleTimeoutMs,
} from '../shared/scheduled-mail.js'
import { email, idOf, isEmailAccepted, queuedSubjects, timesIn } from '../shared/sent-mail.js'

const byRealTime = 'needs a service that sends scheduled mail by the clock of the workspace'

/** Emails sent with the key of an inbox: hour they were due (`first`), hour they were moved to, and times sent by the third hour. */
const changes = [
  { name: 'not changed, due in time', first: 2, isOwn: true, moved: 'not', times: 1, id: 'SND-016' },
  { name: 'not changed, due later', first: 30, isOwn: true, moved: 'not', times: 0, id: 'SND-013' },
  { name: 'moved later by the key of the inbox', first: 2, isOwn: true, moved: 30, times: 0, id: 'SND-013' },
  { name: 'moved earlier by the key of the inbox', first: 30, isOwn: true, moved: 2, times: 1, id: 'SND-016' },
  { name: 'moved later by a key of the org', first: 2, isOwn: false, moved: 30, times: 0, id: 'SND-013' },
  { name: 'moved earlier by a key of the org', first: 30, isOwn: false, moved: 2, times: 1, id: 'SND-016' },
  { name: 'cancelled by a key of the org', first: 2, isOwn: false, moved: 'never', times: 0, id: 'SND-014' },
] as const

/** Emails of each kind: two concurrent requests may miss each other by chance. */
const atOnce = 5

export const mailChanges = [
  serviceCase({
    id: 'service/schedules/changes-mail-of-an-inbox-whoever-asks',
    requirements: ['SND-010', 'SND-013', 'SND-014', 'SND-016', 'SND-018'],
    level: 'must',
    title: 'a scheduled email of an inbox key is sent, rescheduled or cancelled as answered',
    needs: ['send', 'inboxes', 'clock'],
    timeoutMs: scheduleTimeoutMs,
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(0)
      const made: ((typeof changes)[number] & { readonly subject: string })[] = []
      for (const change of changes) {
        const subject = `${change.name} ${unique()}`
        const plain = email(project, recipient, subject)
        const mail = { ...plain, from: inbox.address ?? plain['from'], scheduled_at: inHours(sandbox, change.first) }
        const sent = await inbox.api.sendEmail(mail)
        if (!isEmailAccepted(sent)) continue
        const id = idOf(require, sent)
        // A cached answer for either key is stale after the change.
        for (const reader of [inbox, project]) await reader.api.getEmail(id)
        const { api } = change.isOwn ? inbox : project
        if (typeof change.moved === 'number') {
          const at = inHours(sandbox, change.moved)
          if (!isEmailAccepted(await api.updateEmail(id, { scheduled_at: at }))) continue
          await checkTime(check, sandbox, { id, at })
        } else if (change.moved === 'never' && !isEmailAccepted(await api.cancelEmail(id))) continue
        made.push({ ...change, subject })
      }
      if (made.length === 0) return skip('needs a service that lets the key of an inbox schedule an email')
      const witness = unique()
      const mail = scheduledEmail(sandbox, recipient, witness, 2)
      idOf(require, await project.api.sendEmail(mail))
      await sandbox.advance(3 * hour)
      const inTime = { expected: [witness], after: undefined, withinMs: movedMs }
      if (timesIn(await queuedSubjects(sandbox, project, inTime), witness) === 0) return skip(byRealTime)
      const expected = made.filter(({ times }) => times > 0).map(({ subject }) => subject)
      const queued = await queuedSubjects(sandbox, project, { expected, after: undefined, withinMs: lateMs })
      for (const { name, subject, times, id } of made)
        check.of(id).equal(`how often an email was sent that was ${name}`, timesIn(queued, subject), times)
    },
  }),

  serviceCase({
    id: 'service/schedules/makes-changes-that-come-at-once',
    requirements: ['SND-014', 'SND-016'],
    level: 'must',
    title: 'after concurrent reschedules and cancels an email is sent at most once, as answered',
    needs: ['send', 'workspace', 'clock'],
    timeoutMs: scheduleTimeoutMs,
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project
      const scheduled = async (name: string, hours: number) => {
        const subject = `${name} ${unique()}`
        const mail = scheduledEmail(sandbox, recipient, subject, hours)
        return { subject, id: idOf(require, await api.sendEmail(mail)) }
      }
      const move = (id: string, hours: number) => api.updateEmail(id, { scheduled_at: inHours(sandbox, hours) })
      const cancelled: string[] = []
      const moved: string[] = []
      for (let count = 0; count < atOnce; count++) {
        const [first, second] = [await scheduled('moved and cancelled', 2), await scheduled('moved twice', 2)]
        const [, cancel] = await Promise.all([move(first.id, 3), api.cancelEmail(first.id)])
        if (isEmailAccepted(cancel)) cancelled.push(first.subject)
        await Promise.all([move(second.id, 4), move(second.id, 3)])
        moved.push(second.subject)
      }
      const witness = await scheduled('not changed', 5)
      await sandbox.advance(6 * hour)
      const expected = [...moved, witness.subject]
      const queued = await queuedSubjects(sandbox, project, { expected, after: undefined, withinMs: movedMs })
      if (timesIn(queued, witness.subject) === 0) return skip(byRealTime)
      const times = (subjects: readonly string[]) => subjects.map((subject) => timesIn(queued, subject))
      check.of('SND-014').equal(
        'how often each cancelled email was sent',
        times(cancelled),
        cancelled.map(() => 0),
      )
      check.of('SND-016').equal(
        'how often each email was sent after two concurrent reschedules',
        times(moved),
        moved.map(() => 1),
      )
    },
  }),

  serviceCase({
    id: 'service/idempotency/sends-scheduled-mail-once',
    requirements: ['IDM-001', 'IDM-002', 'IDM-004', 'IDM-005'],
    level: 'must',
    title: 'a scheduled email repeated under its key is sent once, with the first result',
    needs: ['send', 'workspace', 'clock'],
    timeoutMs: scheduleTimeoutMs,
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project
      const scheduledAt = inHours(sandbox, 2)
      const mail = (subject: string) => ({ ...email(project, recipient, subject), scheduled_at: scheduledAt })
      const [alone, concurrent, witness, later] = [unique(), unique(), unique(), unique()]
      const ofBatch = [unique(), unique()]
      const [key, otherKey, keyOfBatch] = [unique(), unique(), unique()].map((text) => ({ 'idempotency-key': text }))
      const send = () => api.sendEmail(mail(alone), key)
      const sendBatch = () => api.sendBatch(ofBatch.map(mail), keyOfBatch)
      const first = idOf(require, await send())
      const batch = await sendBatch()
      // A past time may be refused as invalid: only that nothing is sent again counts.
      const checkRepeats = async (when: 'before its time' | 'after its time') => {
        const again = await send()
        if (when === 'before its time') check.of('IDM-001').status(again, '2xx')
        if (isEmailAccepted(again)) check.of('IDM-001').equal(`id of a repeat ${when}`, again.field('id'), first)
        // A scheduled email in a batch may be refused.
        if (!isEmailAccepted(batch)) return
        const repeated = await sendBatch()
        if (when === 'before its time') check.of('IDM-005').status(repeated, '2xx')
        if (isEmailAccepted(repeated) && !Array.isArray(repeated.field('errors')))
          check.of('IDM-005').equal(`data of a repeat ${when}`, repeated.field('data'), batch.field('data'))
      }
      await checkRepeats('before its time')
      const answers = await Promise.all(Array.from({ length: 5 }, () => api.sendEmail(mail(concurrent), otherKey)))
      const ids = new Set(answers.filter(isEmailAccepted).map((answer) => answer.field('id')))
      check.of('IDM-004').equal('different ids of repeats side by side', ids.size, 1)
      idOf(require, await api.sendEmail(mail(witness)))
      await sandbox.advance(3 * hour)
      const due = isEmailAccepted(batch) ? [alone, concurrent, ...ofBatch] : [alone, concurrent]
      const expected = [witness, ...due]
      if (
        timesIn(await queuedSubjects(sandbox, project, { expected, after: undefined, withinMs: movedMs }), witness) ===
        0
      )
        return skip(byRealTime)
      await checkRepeats('after its time')
      // What a repeat takes for another email has a time that has passed: it is sent by the time that this one is.
      idOf(require, await api.sendEmail(email(project, recipient, later)))
      await sandbox.advance(hour)
      const queued = await queuedSubjects(sandbox, project, { expected: [...expected, later], after: undefined })
      for (const [id, name, subjects] of [
        ['IDM-002', 'a scheduled email', [alone]],
        ['IDM-004', 'one that was repeated side by side', [concurrent]],
        ['IDM-002', 'an item of a scheduled batch', isEmailAccepted(batch) ? ofBatch : []],
      ] as const)
        for (const subject of subjects) check.of(id).equal(`how often ${name} was sent`, timesIn(queued, subject), 1)
    },
  }),

  serviceCase({
    id: 'service/schedules/late-changes-are-no-server-errors',
    requirements: ['ERR-003'],
    level: 'should',
    title: 'changing a cancelled or sent email gets a 4xx or a success, never a 5xx',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const mail = () => email(sandbox.project, recipient, unique())
      const later = { scheduled_at: inHours(sandbox, 20) }
      const cancelled = idOf(require, await api.sendEmail({ ...mail(), ...later }))
      require.of('SND-011').status(await api.cancelEmail(cancelled), '2xx')
      const sent = idOf(require, await api.sendEmail(mail()))
      for (const [name, id] of [
        ['that was cancelled', cancelled],
        ['that was sent', sent],
      ] as const)
        for (const [change, send] of [
          ['a reschedule', () => api.updateEmail(id, later)],
          ['a cancel', () => api.cancelEmail(id)],
        ] as const)
          expectNoServerError(check, await requestUntilAnswered(send), `${change} of an email ${name}`)
    },
  }),

  serviceCase({
    id: 'service/schedules/lists-the-time-it-shows',
    requirements: ['SND-018', 'SND-010'],
    level: 'must',
    title: 'the list of emails shows the new scheduled_at of a rescheduled email',
    needs: ['send', 'workspace'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const mail = scheduledEmail(sandbox, recipient, unique(), 20)
      const id = idOf(require, await api.sendEmail(mail))
      await api.listEmails({ limit: 5 })
      const moved = inHours(sandbox, 22)
      require.of('SND-010').status(await api.updateEmail(id, { scheduled_at: moved }), '2xx')
      let shown: unknown
      const isMoved = () => Math.abs(instantOf(shown) - instantOf(moved)) <= roundedMs
      await sandbox.until(async () => {
        shown = memberOf(itemOf(await api.listEmails({ limit: 5 }), id), 'scheduled_at') ?? undefined
        return isMoved()
      }, lagMs)
      if (shown === undefined) return skip('needs a service whose list contains scheduled_at')
      check.ok('scheduled_at in the list', isMoved(), moved, shown)
    },
  }),
]

/** Longest time a list may lag after a change, and tolerance of a shown time, in milliseconds. */
const lagMs = 5_000
const roundedMs = 1_000

function itemOf(list: Exchange, id: string): unknown {
  return (itemsOf(list) ?? []).find((item) => memberOf(item, 'id') === id)
}
