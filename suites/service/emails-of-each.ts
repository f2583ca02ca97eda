// SND-007  "`GET /v1/emails/{id}` answers the email with `recipients` and `status`."
// SND-008  "`GET /v1/emails` takes `limit` and `cursor` and answers `{ data, next_cursor }`."
// SND-009  "`next_cursor` passed as `cursor` continues the list without gap or repeat."
// ERR-001  "The API answers errors with an error carrying `code`, `message` and `fix` (what to do about it)."
//
// Emails of other senders and kinds than those of emails.ts, and pages of other sizes.
//
// Reading: what the key of an inbox may send is open (open point scoped-key-rights), and in which order the list stands.
// That a cursor is taken with another limit than it was given with is not refused by the text; where a service refuses
// it, the case is skipped.

import { asText, cursorOf, itemsOf, memberOf, serviceCase, type Api } from '../../harness/authoring.js'
import { askedAgain, expectError } from './error-fields.js'
import { idsOf } from './event-log.js'
import { inHours } from './scheduled-mail.js'
import { email, idOf, isTaken } from './sent-mail.js'

/** Longest time a list or a record may lag behind what was sent, in milliseconds. */
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
    ids.push(...idsOf(items))
    cursor = cursorOf(answer.field('next_cursor'))
    if (items.length === 0 || cursor === undefined) break
  }
  return ids
}

export const emailsOfEach = [
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
    title:
      'an email, or a batch, that is sent while sending is paused is taken, or refused with an error that has code, message and fix',
    needs: ['send', 'workspace', 'sending-status'],
    async run({ openSandbox, check, recipient, unique }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const mail = () => email(sandbox.project, recipient, unique())
      await sandbox.setSending('paused', 'too many bounces')
      for (const ask of [() => api.sendEmail(mail()), () => api.sendBatch([mail()])]) {
        const answer = await askedAgain(ask)
        if (!isTaken(answer)) expectError(check, answer)
      }
      await sandbox.setSending('active')
    },
  }),

  serviceCase({
    id: 'service/emails/pages-through-with-any-limit',
    requirements: ['SND-009'],
    level: 'must',
    title:
      'pages follow each other without gap or repeat where limit changes from page to page, and where scheduled, moved and sent emails stand side by side',
    needs: ['send', 'workspace'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const sent: string[] = []
      for (let count = 0; count < 7; count++) {
        const mail = email(sandbox.project, recipient, unique())
        const isLater = count % 3 === 1
        const later = { ...mail, scheduled_at: inHours(sandbox, 20 - count) }
        const id = idOf(require, await api.sendEmail(isLater ? later : mail))
        if (count === 4)
          require.of('SND-010').status(await api.updateEmail(id, { scheduled_at: inHours(sandbox, 22) }), '2xx')
        sent.push(id)
      }
      const inAll = async () => idsOf(itemsOf(await api.listEmails({ limit: 20 })) ?? [])
      await sandbox.until(async () => (await inAll()).length >= sent.length, lagMs)
      for (const [name, sizes] of [
        ['of limit 2', [2]],
        ['of changing limits', limits],
      ] as const) {
        const seen = await walked(api, sizes)
        if (typeof seen === 'number')
          return skip(`needs a service that takes a cursor with another limit; it answered ${seen}`)
        check.equal(`ids over pages ${name}`, [...seen].sort(), [...sent].sort())
      }
      // Which of them the key of an inbox is shown is open.
      for (const { api: ofInbox } of sandbox.project.inboxes.slice(0, 1)) {
        const [before, seen, after] = [
          await walked(ofInbox, [3]),
          await walked(ofInbox, [2]),
          await walked(ofInbox, [3]),
        ].map((each) => (typeof each === 'number' ? each : [...each].sort()))
        // A list that grows meanwhile tells nothing.
        if (typeof seen !== 'number' && String(before) === String(after))
          check.equal('ids over pages of limit 2 for the key of an inbox', seen, after)
      }
      // How many a page has without a limit is not shown.
      const first = await api.listEmails({ limit: 2 })
      const rest = await api.listEmails({ cursor: asText(first.field('next_cursor')) })
      if (!isTaken(rest)) return
      const [before, behind] = [first, rest].map((each) => idsOf(itemsOf(each) ?? []))
      check.ok('emails behind a cursor without a limit', behind?.length !== 0, 'some', 'none')
      check.equal(
        'emails before a cursor that are behind it without a limit',
        behind?.filter((each) => before?.includes(each)),
        [],
      )
    },
  }),

  serviceCase({
    id: 'service/emails/shows-what-the-key-of-an-inbox-sent',
    requirements: ['SND-007', 'SND-008'],
    level: 'must',
    title: 'a key of the org is shown an email that the key of an inbox sent, by its id and in the list',
    needs: ['send', 'workspace', 'inboxes'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(0)
      const plain = email(project, recipient, unique())
      const answer = await inbox.api.sendEmail({ ...plain, from: inbox.address ?? plain['from'] })
      if (!isTaken(answer)) return skip('needs a service that lets the key of an inbox send')
      const id = idOf(require, answer)
      let shown = await project.api.getEmail(id)
      let isListed = false
      await sandbox.until(async () => {
        shown = await project.api.getEmail(id)
        const items = itemsOf(await project.api.listEmails({ limit: 5 })) ?? []
        isListed = items.some((each) => memberOf(each, 'id') === id)
        return isTaken(shown) && isListed
      }, lagMs)
      check.of('SND-007').status(shown, [200])
      check.of('SND-007').equal('id of the email', shown.field('id'), id)
      check.of('SND-008').ok('the email in the list', isListed, 'listed', 'absent')
    },
  }),
]
