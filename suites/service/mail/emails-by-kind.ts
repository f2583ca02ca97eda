// SND-007  "`GET /v1/emails/{id}` answers the email with `recipients` and `status`."
// SND-008  "`GET /v1/emails` takes `limit` and `cursor` and answers `{ data, next_cursor }`."
// SND-009  "`next_cursor` passed as `cursor` continues the list without gap or repeat."
// SND-001, SND-004  sends by themselves and in batches are taken; SND-010, SND-011  so are changes.
// IDM-001  "A send that repeats an `Idempotency-Key` returns the first result."
// ERR-001  "The API answers errors with an error carrying `code`, `message` and `fix` (what to do about it)."
//
// Emails of other senders and kinds than those of emails.ts, and pages of other sizes.
//
// Reading: it is open what the key of an inbox may send (open point scoped-key-rights), and how the list is sorted. The text does not
// forbid a cursor with another limit than the one it came from; if a service refuses it, the case is skipped.

import { asText, cursorOf, itemsOf, serviceCase, type Api, type Project } from '../../../harness/authoring.js'
import { requestUntilAnswered, expectError } from '../shared/error-fields.js'
import { idsOf } from '../shared/event-log.js'
import { inHours } from '../shared/scheduled-mail.js'
import { email, idOf, isEmailAccepted } from '../shared/sent-mail.js'

/** Longest time a list or a record may lag after sending, in milliseconds. */
const lagMs = 5_000
/** Limits of the pages of one walk, over and over: neither growing nor shrinking alone, and no more than seven emails in four pages. */
const limits = [3, 1, 2, 1]
const maxPages = 12

/** The ids over pages of changing limits, or the status with which one is refused. */
async function walked(api: Api, limitsOfPages: readonly number[]): Promise<readonly unknown[] | number> {
  const ids: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const limit = limitsOfPages[page % limitsOfPages.length] ?? 1
    const answer = await api.listEmails({ limit, ...(cursor === undefined ? {} : { cursor }) })
    const { status = 0 } = answer
    if (page > 0 && status >= 400 && status < 500) return status
    const items = itemsOf(answer) ?? []
    for (const id of idsOf(items)) ids.push(id)
    cursor = cursorOf(answer.field('next_cursor'))
    // A page whose emails were all cancelled may be empty, and others follow.
    if (cursor === undefined) break
  }
  return ids
}

export const emailsByKind = [
  serviceCase({
    id: 'service/emails/lists-none-where-there-are-none',
    requirements: ['SND-008'],
    level: 'must',
    title: 'the list of an org that has sent nothing is answered, and is empty',
    needs: ['workspace'],
    async run({ openSandbox, check }) {
      const { api } = (await openSandbox()).project
      const answer = await api.listEmails({ limit: 5 })
      check.status(answer, [200])
      check.equal('emails of an org that has sent nothing', answer.field('data'), [])
    },
  }),

  serviceCase({
    id: 'service/emails/are-answered-while-sending-is-paused',
    requirements: ['ERR-001'],
    level: 'must',
    title: 'an email or batch during a pause is accepted, or refused with a full error',
    needs: ['send', 'workspace', 'sending-status'],
    async run({ openSandbox, check, recipient, unique }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const mail = () => email(sandbox.project, recipient, unique())
      await sandbox.setSending('paused', 'too many bounces')
      for (const send of [() => api.sendEmail(mail()), () => api.sendBatch([mail()])]) {
        const answer = await requestUntilAnswered(send)
        if (!isEmailAccepted(answer)) expectError(check, answer)
      }
      await sandbox.setSending('active')
    },
  }),

  serviceCase({
    id: 'service/emails/pages-through-with-any-limit',
    requirements: ['SND-009'],
    level: 'must',
    title: 'pages with changing limits have no gaps or repeats among emails of all kinds',
    needs: ['send', 'workspace'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const sent: string[] = []
      let cancelled: string | undefined
      for (let count = 0; count < 8; count++) {
        const mail = email(sandbox.project, recipient, unique())
        const isLater = count % 3 === 1 || count === 3
        const later = { ...mail, scheduled_at: inHours(sandbox, 20 - count) }
        const id = idOf(require, await api.sendEmail(isLater ? later : mail))
        if (count === 3) {
          require.of('SND-011').status(await api.cancelEmail(id), '2xx')
          cancelled = id
          continue
        }
        if (count === 4)
          require.of('SND-010').status(await api.updateEmail(id, { scheduled_at: inHours(sandbox, 22) }), '2xx')
        sent.push(id)
      }
      const inAll = async () => idsOf(itemsOf(await api.listEmails({ limit: 20 })) ?? [])
      await sandbox.until(async () => {
        const ids = await inAll()
        return sent.every((id) => ids.includes(id))
      }, lagMs)
      for (const [name, sizes] of [
        ['of limit 2', [2]],
        ['of changing limits', limits],
      ] as const) {
        const seen = await walked(api, sizes)
        if (typeof seen === 'number')
          return skip(`needs a service that accepts a cursor with another limit; it answered ${seen}`)
        // Whether an email that was cancelled is kept is not shown.
        const others = seen.filter((id) => id !== cancelled)
        check.equal(`ids over pages ${name}`, others.sort(), [...sent].sort())
      }
      // Which of them the key of an inbox is shown is open.
      for (const { api: ofInbox } of sandbox.project.inboxes.slice(0, 1)) {
        const [before, seen, after] = [
          await walked(ofInbox, [3]),
          await walked(ofInbox, [2]),
          await walked(ofInbox, [3]),
        ].map((count) => (typeof count === 'number' ? count : [...count].sort()))
        // A list that grows meanwhile proves nothing.
        if (typeof seen !== 'number' && String(before) === String(after))
          check.equal('ids over pages of limit 2 for the key of an inbox', seen, after)
      }
      // How many a page has without a limit is not shown.
      const first = await api.listEmails({ limit: 2 })
      const rest = await api.listEmails({ cursor: asText(first.field('next_cursor')) })
      if (!isEmailAccepted(rest)) return
      const [before, following] = [first, rest].map((page) => idsOf(itemsOf(page) ?? []))
      check.ok('emails after a cursor without a limit', following?.length !== 0, 'some', 'none')
      check.equal(
        'emails before a cursor that also follow it without a limit',
        following?.filter((id) => before?.includes(id)),
        [],
      )
    },
  }),

  serviceCase({
    id: 'service/emails/are-taken-where-sending-is-not-paused',
    requirements: ['SND-001', 'SND-004'],
    level: 'must',
    title: 'a pause in one workspace affects no other, and ends in every project',
    needs: ['send', 'projects', 'workspace', 'sending-status'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const [sandbox, other] = [await openSandbox({ projects: 2 }), await openSandbox()]
      const mail = (project: Project) => email(project, recipient, unique())
      const ways = [
        ['SND-001', (project: Project) => project.api.sendEmail(mail(project))],
        ['SND-004', (project: Project) => project.api.sendBatch([mail(project)])],
      ] as const
      for (const project of [...sandbox.projects, other.project])
        for (const [id, send] of ways) require.of(id).status(await send(project), '2xx')
      await sandbox.setSending('paused', 'too many bounces')
      // Whether it is refused is not shown; that it was may be remembered.
      for (const project of sandbox.projects) for (const [, send] of ways) await send(project)
      for (const [id, send] of ways) check.of(id).status(await send(other.project), '2xx')
      await sandbox.setSending('active')
      await sandbox.settle()
      for (const project of sandbox.projects)
        for (const [id, send] of ways) {
          let answer = await send(project)
          await sandbox.until(async () => {
            if (!isEmailAccepted(answer)) answer = await send(project)
            return isEmailAccepted(answer)
          }, lagMs)
          require.of(id).status(answer, '2xx')
        }
    },
  }),
]
