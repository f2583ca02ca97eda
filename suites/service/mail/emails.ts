// SND-001 to SND-009, SND-012, see each case.
//
// Reading: the interface shows neither the form of an email id, nor the words of `status`, nor the status of a success; of the first two
// only the presence is checked, and any 2xx is a success. `to` is one address as a text, the only form that is shown; a list is used only
// for several recipients, and may be refused (open point several-recipients). A cursor may be a number (open point cursor-form).

import { cursorOf, errorOf, itemsOf, memberOf, serviceCase } from '../../../harness/authoring.js'
import { idsOf } from '../shared/event-log.js'
import { inHours } from '../shared/scheduled-mail.js'
import { bareAddress, email, idOf, isEmailAccepted } from '../shared/sent-mail.js'

/** Longest time a list or a record may lag after sending, in milliseconds. */
const lagMs = 5_000
/** Times a list is walked again because it changed meanwhile, and the pause before that, which grows. */
const calmRounds = 8
const calmMs = 200

export const emails = [
  serviceCase({
    id: 'service/emails/sends-an-email',
    requirements: ['SND-001', 'SND-002', 'SND-003'],
    decides: ['SND-001'],
    level: 'must',
    title: 'a send is answered with an id; an email without a recipient is refused',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const { project } = await openSandbox()
      const bare = bareAddress(project.from)
      const send = (more: Record<string, unknown>) =>
        project.api.sendEmail({ ...email(project, recipient, unique()), ...more })
      const plain = await send({ from: bare })
      const listed = isEmailAccepted(plain) ? plain : await send({ from: bare, to: [recipient] })
      require.of(isEmailAccepted(listed) ? 'SND-003' : 'SND-001').status(plain, '2xx')
      idOf(require, plain)
      const longName = 'Department of Applied Mathematics and Physics'
      for (const name of ["O'Sender 2nd", 'A & Co - R&D', '"Sender, A. (EU): B"', 'Zoë 山田 👋', 'Q', longName])
        check.of('SND-002').status(await send({ from: `${name} <${bare}>` }), '2xx')
      check.of('SND-001').status(await send({ text: undefined, html: '<p>Text</p>' }), '2xx')
      for (const to of [undefined, '', []]) check.of('SND-001').refused(await send({ to }))
    },
  }),

  serviceCase({
    id: 'service/emails/shows-an-email',
    requirements: ['SND-007'],
    level: 'must',
    title: 'an email that was sent is shown with its recipients and a status',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique, measure }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const mail = email(project, recipient, unique())
      const id = idOf(require, await project.api.sendEmail(mail))
      const both = [recipient, project.from === undefined ? recipient : bareAddress(project.from)]
      const many = await project.api.sendEmail({ ...mail, to: both })
      measure('a list in `to`', isEmailAccepted(many) ? 'accepted' : `answered ${many.status ?? many.failure}`)
      for (const [sent, recipients] of isEmailAccepted(many)
        ? ([
            [id, [recipient]],
            [idOf(require, many), both],
          ] as const)
        : [[id, [recipient]] as const]) {
        let shown = await project.api.getEmail(sent)
        await sandbox.until(async () => {
          shown = await project.api.getEmail(sent)
          return isEmailAccepted(shown)
        }, lagMs)
        check.status(shown, [200])
        check.equal('id of the email', shown.field('id'), sent)
        check.ok('status of the email', typeof shown.field('status') === 'string', 'a string', shown.field('status'))
        for (const recipient of recipients)
          check.ok(
            'recipients of the email',
            JSON.stringify(shown.field('recipients') ?? null).includes(recipient),
            `something with ${recipient}`,
            shown.field('recipients'),
          )
      }
    },
  }),

  serviceCase({
    id: 'service/emails/lists-with-a-cursor',
    requirements: ['SND-008'],
    decides: ['SND-008'],
    level: 'must',
    title: 'data is an array of `limit` emails, with next_cursor if more follow',
    needs: ['past-emails'],
    async run({ openSandbox, check, require, recipient, skip, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project
      for (let count = 0; project.from !== undefined && count < 3; count++)
        idOf(require, await api.sendEmail(email(project, recipient, unique())))
      const count = async () => (itemsOf(await api.listEmails({ limit: 3 })) ?? []).length
      if (!(await sandbox.until(async () => (await count()) >= 3, lagMs)) && project.from === undefined)
        return skip('needs an org that lists three emails: from in the configuration')
      for (const limit of [1, 2]) {
        const answer = await api.listEmails({ limit })
        check.status(answer, [200])
        const [data, next] = [answer.field('data'), answer.field('next_cursor')]
        check.ok('data', Array.isArray(data), 'an array', data)
        check.equal(`emails with limit ${limit}`, (itemsOf(answer) ?? []).length, limit)
        check.ok('next_cursor where more follow', cursorOf(next) !== undefined, 'a text or a number', next)
      }
    },
  }),

  serviceCase({
    id: 'service/emails/shows-what-it-lists',
    requirements: ['SND-007'],
    decides: ['SND-007'],
    level: 'must',
    title: 'a listed email is shown under its id with its recipients and a status',
    needs: ['past-emails'],
    async run({ openSandbox, check, require, recipient, skip, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project
      if (project.from !== undefined) idOf(require, await api.sendEmail(email(project, recipient, unique())))
      const first = async () => memberOf((itemsOf(await api.listEmails({ limit: 1 })) ?? [])[0], 'id')
      await sandbox.until(async () => typeof (await first()) === 'string', lagMs)
      const id = await first()
      if (typeof id !== 'string') return skip('needs an org that lists an email: from in the configuration')
      const shown = await api.getEmail(id)
      check.status(shown, [200])
      check.equal('id of the email', shown.field('id'), id)
      check.ok('status of the email', typeof shown.field('status') === 'string', 'a string', shown.field('status'))
      const recipients = shown.field('recipients') ?? null
      check.ok('recipients of the email', recipients !== null, 'a value', recipients)
    },
  }),

  serviceCase({
    id: 'service/emails/pages-through-what-there-is',
    requirements: ['SND-008', 'SND-009'],
    decides: ['SND-009'],
    level: 'must',
    title: 'pages of two by next_cursor equal pages of six',
    needs: ['past-emails'],
    async run({ openSandbox, check, require, recipient, skip, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project
      for (let count = 0; project.from !== undefined && count < 7; count++)
        idOf(require, await api.sendEmail(email(project, recipient, unique())))
      const whole = async () => idsOf(itemsOf(await api.listEmails({ limit: 6 })) ?? [])
      await sandbox.until(async () => (await whole()).length >= 6, lagMs)
      for (let round = 0; round < calmRounds; round++) {
        const before = await whole()
        if (before.length < 6) return skip('needs an org with six emails: from in the configuration')
        const seen: unknown[] = []
        let cursor: string | undefined
        for (let page = 0; page < 3; page++) {
          const answer = await api.listEmails({ limit: 2, ...(cursor === undefined ? {} : { cursor }) })
          const items = itemsOf(answer) ?? []
          check.of('SND-008').ok(`emails on page ${page + 1} of limit 2`, items.length <= 2, 'at most 2', items.length)
          for (const id of idsOf(items)) seen.push(id)
          cursor = cursorOf(answer.field('next_cursor'))
          if (cursor === undefined) break
        }
        // An email that anybody sends meanwhile may move the others from page to page.
        const after = await whole()
        if (JSON.stringify(after) === JSON.stringify(before)) {
          check.equal('ids on three pages of two', seen, before)
          return
        }
        await sandbox.quiet(calmMs * (round + 1))
      }
      return skip('needs some moments without other sends in the org')
    },
  }),

  serviceCase({
    id: 'service/emails/refuses-a-sender-of-nobodys-domain',
    requirements: ['SND-012'],
    decides: ['SND-012'],
    level: 'must',
    title: 'a from with an unverifiable domain is refused with 403 sender_not_verified',
    async run({ openSandbox, check, recipient, skip, unique }) {
      const { project } = await openSandbox()
      const from = `Mallory <mallory@${unique()}.not-verified.example>`
      const answer = await project.api.sendEmail({ ...email(project, recipient, unique()), from })
      const { code } = errorOf(answer)
      // Without an address that may send, it is unknown whether the key may: the refusal may be about the address.
      const isForKey = answer.status === 401 || (answer.status === 403 && code !== 'sender_not_verified')
      if (isForKey && project.from === undefined)
        return skip(
          'needs an address that may send, to separate an unverified sender from a limited key: from in the configuration',
        )
      check.refused(answer, [403])
      check.equal('code', code, 'sender_not_verified')
    },
  }),

  serviceCase({
    id: 'service/emails/refuses-an-unverified-sender',
    requirements: ['SND-012'],
    level: 'must',
    title: 'a from whose domain is not one of the project is refused with 403 sender_not_verified',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const mail = () => email(project, recipient, unique())
      idOf(require, await project.api.sendEmail(mail()))
      const inTwoHours = new Date(sandbox.now() + 2 * 3_600_000).toISOString()
      const scheduled = await project.api.sendEmail({
        ...mail(),
        from: 'mallory@not-verified.example',
        scheduled_at: inTwoHours,
      })
      check.refused(scheduled, [403])
      check.equal('code for from of a scheduled email', errorOf(scheduled).code, 'sender_not_verified')
      const domain = /@([^>]+)/.exec(project.from ?? '')?.[1] ?? ''
      for (const from of ['Mallory <mallory@not-verified.example>', `x@${domain}.evil.example`, `x@evil${domain}`]) {
        const answer = await project.api.sendEmail({ ...mail(), from })
        check.refused(answer, [403])
        check.equal(`code for from ${from}`, errorOf(answer).code, 'sender_not_verified')
      }
      // A name that looks like an address may be refused for that, before its domain is looked at.
      check.refused(await project.api.sendEmail({ ...mail(), from: `"ada@${domain}" <mallory@not-verified.example>` }))
      // What the key of an inbox may send is open; this it may not.
      for (const { api } of project.inboxes.slice(0, 1))
        check.refused(await api.sendEmail({ ...mail(), from: 'mallory@not-verified.example' }))
    },
  }),

  serviceCase({
    id: 'service/emails/knows-its-domain-in-any-letters',
    requirements: ['SND-012'],
    level: 'should',
    title: "a from with the project's domain in capitals is not refused as unverified",
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const { project } = await openSandbox()
      const mail = email(project, recipient, unique())
      idOf(require, await project.api.sendEmail(mail))
      const from = bareAddress(project.from).replace(/@.*/, (domain) => domain.toUpperCase())
      const { code } = errorOf(await project.api.sendEmail({ ...mail, from }))
      check.ok(`code for from ${from}`, code !== 'sender_not_verified', 'none, or another', code)
    },
  }),

  serviceCase({
    id: 'service/emails/refuses-the-domain-of-another-project',
    requirements: ['SND-012'],
    level: 'must',
    title: 'a from whose domain is verified, but in another project, is refused with 403 sender_not_verified',
    needs: ['send', 'projects'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const [sandbox, unrelated] = [await openSandbox({ projects: 2 }), await openSandbox()]
      const { project } = sandbox
      idOf(require, await project.api.sendEmail(email(project, recipient, unique())))
      const foreign = [...sandbox.projects, unrelated.project].filter(({ domain }) => domain !== project.domain)
      for (const { api, from, domain } of foreign) {
        idOf(require, await api.sendEmail({ ...email(project, recipient, unique()), from }))
        const answer = await project.api.sendEmail({ ...email(project, recipient, unique()), from })
        check.refused(answer, [403])
        check.equal(`code for a from of ${domain}`, errorOf(answer).code, 'sender_not_verified')
        const later = { ...email(project, recipient, unique()), from, scheduled_at: inHours(sandbox, 20) }
        const scheduled = await project.api.sendEmail(later)
        check.refused(scheduled, [403])
        check.equal(`code for a from of ${domain}, scheduled`, errorOf(scheduled).code, 'sender_not_verified')
      }
    },
  }),
]
