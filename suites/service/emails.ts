// SND-001 to SND-014, see each case.
//
// Reading: the shape of an email id, the words of `status` and the value of `object` are not shown; only their presence
// is asserted. A message that is sent raises `message.queued` (EVT-004); that one is not sent raises none.

import {
  errorOf,
  itemsOf,
  memberOf,
  serviceCase,
  type Checks,
  type Exchange,
  type Project,
  type Scene,
} from '../../harness/authoring.js'

const recipient = 'someone@recipient.example'

function email(project: Project, subject: string): Record<string, unknown> {
  return { from: project.from, to: [recipient], subject, text: `Text of ${subject}` }
}

/** The id of an email that was sent; ends the case when it was not. */
function idOf(require: Checks, answer: Exchange): string {
  require.of('SND-001').status(answer, '2xx')
  const id = answer.field('id')
  require.of('SND-001').ok('id in the answer to POST /v1/emails', typeof id === 'string' && id !== '', 'a text', id)
  return String(id)
}

/** Subjects of the queued events so far, in a workspace of the case's own. */
async function queuedSubjects(project: Project): Promise<unknown[]> {
  const events = itemsOf(await project.api.pollEvents({ limit: 100 })) ?? []
  return events
    .filter((each) => memberOf(each, 'type') === 'message.queued')
    .map((each) => memberOf(memberOf(each, 'data'), 'subject'))
}

const hour = 3_600_000

function inHours(scene: Scene, hours: number): string {
  return new Date(scene.now() + hours * hour).toISOString()
}

export const emails = [
  serviceCase({
    id: 'service/emails/sends-an-email',
    requirements: ['SND-001', 'SND-002', 'SND-003'],
    level: 'must',
    title: 'an email object is answered with an id, with a display name in from, and with to as one address',
    needs: ['send'],
    async run({ scene: open, check, unique }) {
      const { project } = await open()
      const bare = (project.from ?? '').replace(/^.*<([^>]+)>$/, '$1')
      const plain = await project.api.sendEmail({ ...email(project, unique()), from: bare })
      check.of('SND-001').status(plain, '2xx')
      check.of('SND-001').ok('id in the answer', typeof plain.field('id') === 'string', 'a text', plain.field('id'))
      check
        .of('SND-002')
        .status(await project.api.sendEmail({ ...email(project, unique()), from: `Ada Sender <${bare}>` }), '2xx')
      check.of('SND-003').status(await project.api.sendEmail({ ...email(project, unique()), to: recipient }), '2xx')
      check
        .of('SND-002')
        .status(await project.api.sendEmail({ ...email(project, unique()), from: `"Sender, Ada" <${bare}>` }), '2xx')
      const { text: _text, ...html } = { ...email(project, unique()), html: '<p>Text</p>' } as Record<string, unknown>
      check.of('SND-001').status(await project.api.sendEmail(html), '2xx')
    },
  }),

  serviceCase({
    id: 'service/emails/shows-an-email',
    requirements: ['SND-007'],
    level: 'must',
    title: 'an email that was sent is shown with its recipients and a status',
    needs: ['send'],
    async run({ scene: open, check, require, unique }) {
      const { project } = await open()
      const both = [recipient, 'another@recipient.example']
      const id = idOf(require, await project.api.sendEmail({ ...email(project, unique()), to: both }))
      const shown = await project.api.getEmail(id)
      check.status(shown, [200])
      check.equal('id of the email', shown.field('id'), id)
      check.ok('status of the email', typeof shown.field('status') === 'string', 'a text', shown.field('status'))
      for (const each of both)
        check.ok(
          'recipients of the email',
          JSON.stringify(shown.field('recipients') ?? null).includes(each),
          `something with ${each}`,
          shown.field('recipients'),
        )
    },
  }),

  serviceCase({
    id: 'service/emails/pages-through-the-list',
    requirements: ['SND-008', 'SND-009'],
    level: 'must',
    title: 'pages of limit emails follow each other by next_cursor without gap or repeat',
    needs: ['send', 'workspace'],
    async run({ scene: open, check, require, unique }) {
      const { project } = await open()
      const sent: string[] = []
      for (let count = 0; count < 7; count++)
        sent.push(idOf(require, await project.api.sendEmail(email(project, unique()))))
      const seen: unknown[] = []
      let cursor: string | undefined
      for (let page = 0; page < 10; page++) {
        const answer = await project.api.listEmails({ limit: 3, ...(cursor === undefined ? {} : { cursor }) })
        check.of('SND-008').status(answer, [200])
        const items = itemsOf(answer) ?? []
        check.of('SND-008').ok(`emails on page ${page + 1} of limit 3`, items.length <= 3, 'at most 3', items.length)
        seen.push(...items.map((each) => memberOf(each, 'id')))
        const next = answer.field('next_cursor')
        if (typeof next !== 'string' || next === '' || items.length === 0) break
        cursor = next
      }
      check.of('SND-009').equal('ids over all pages', [...seen].sort(), [...sent].sort())
    },
  }),

  serviceCase({
    id: 'service/emails/refuses-an-unverified-sender',
    requirements: ['SND-012'],
    level: 'must',
    title: 'a from whose domain is not one of the project is refused with 403 sender_not_verified',
    needs: ['send'],
    async run({ scene: open, check, require, unique }) {
      const { project } = await open()
      idOf(require, await project.api.sendEmail(email(project, unique())))
      const domain = /@([^>]+)/.exec(project.from ?? '')?.[1] ?? ''
      for (const from of [
        'Mallory <mallory@not-verified.example>',
        `x@${domain}.evil.example`,
        `x@evil${domain}`,
        `"ada@${domain}" <mallory@not-verified.example>`,
      ]) {
        const answer = await project.api.sendEmail({ ...email(project, unique()), from })
        check.refused(answer, [403])
        check.equal(`code for from ${from}`, errorOf(answer).code, 'sender_not_verified')
      }
    },
  }),

  serviceCase({
    id: 'service/emails/refuses-the-domain-of-another-project',
    requirements: ['SND-012'],
    level: 'must',
    title: 'a from whose domain is verified, but in another project, is refused with 403 sender_not_verified',
    needs: ['send', 'projects'],
    async run({ scene: open, check, require, unique }) {
      const [scene, stranger] = [await open({ projects: 2 }), await open()]
      const { project } = scene
      idOf(require, await project.api.sendEmail(email(project, unique())))
      const foreign = [...scene.projects, stranger.project].filter(({ domain }) => domain !== project.domain)
      for (const { api, from, domain } of foreign) {
        idOf(require, await api.sendEmail({ ...email(project, unique()), from }))
        const answer = await project.api.sendEmail({ ...email(project, unique()), from })
        check.refused(answer, [403])
        check.equal(`code for a from of ${domain}`, errorOf(answer).code, 'sender_not_verified')
      }
    },
  }),

  serviceCase({
    id: 'service/emails/keeps-a-scheduled-email',
    requirements: ['SND-013'],
    level: 'must',
    title: 'an email scheduled for later is not sent before',
    needs: ['send', 'workspace', 'clock'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const [now, later] = [unique(), unique()]
      idOf(require, await project.api.sendEmail({ ...email(project, later), scheduled_at: inHours(scene, 5) }))
      idOf(require, await project.api.sendEmail(email(project, now)))
      await scene.settle()
      await scene.advance(hour)
      const subjects = await queuedSubjects(project)
      require.of('EVT-004').ok('subjects queued', subjects.includes(now), `with ${now}`, subjects)
      check.ok('subjects queued an hour later', !subjects.includes(later), `without ${later}`, subjects)
    },
  }),

  serviceCase({
    id: 'service/emails/reads-times-as-they-are-written',
    requirements: ['SND-013'],
    level: 'must',
    title: 'scheduled_at is taken without milliseconds, and with an offset from UTC, and means that instant',
    needs: ['send', 'workspace', 'clock'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const forms = [
        inHours(scene, 5).replace(/\.\d+Z$/, 'Z'),
        inHours(scene, 5 + 14).replace('Z', '+14:00'),
        inHours(scene, 5 - 12).replace('Z', '-12:00'),
      ]
      const marks: string[] = []
      for (const scheduledAt of forms) {
        const mark = unique()
        marks.push(mark)
        const answer = await project.api.sendEmail({ ...email(project, mark), scheduled_at: scheduledAt })
        check.status(answer, '2xx')
      }
      const now = unique()
      idOf(require, await project.api.sendEmail(email(project, now)))
      await scene.settle()
      const subjects = await queuedSubjects(project)
      require.of('EVT-004').ok('subjects queued', subjects.includes(now), `with ${now}`, subjects)
      for (const [index, mark] of marks.entries())
        check.ok(`an email scheduled for ${forms[index] ?? ''}`, !subjects.includes(mark), 'not sent yet', 'sent')
    },
  }),

  serviceCase({
    id: 'service/emails/reschedules-an-email',
    requirements: ['SND-010', 'SND-013'],
    level: 'must',
    title: 'rescheduling answers object and id, and the email is not sent at its first time',
    needs: ['send', 'workspace', 'clock'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const subject = unique()
      const id = idOf(
        require,
        await project.api.sendEmail({ ...email(project, subject), scheduled_at: inHours(scene, 2) }),
      )
      const answer = await project.api.updateEmail(id, { scheduled_at: inHours(scene, 9) })
      check.of('SND-010').status(answer, [200])
      check.of('SND-010').equal('id in the answer', answer.field('id'), id)
      check
        .of('SND-010')
        .ok('object in the answer', typeof answer.field('object') === 'string', 'a text', answer.field('object'))
      await scene.advance(4 * hour)
      const subjects = await queuedSubjects(project)
      check
        .of('SND-013')
        .ok('subjects queued after the first time', !subjects.includes(subject), `without ${subject}`, subjects)
    },
  }),

  serviceCase({
    id: 'service/emails/answers-a-reschedule-and-a-cancel',
    requirements: ['SND-010', 'SND-011'],
    level: 'must',
    title: 'rescheduling and cancelling a scheduled email answer its object and id',
    needs: ['send'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const id = idOf(
        require,
        await project.api.sendEmail({ ...email(project, unique()), scheduled_at: inHours(scene, 20) }),
      )
      for (const [requirement, answer] of [
        ['SND-010', await project.api.updateEmail(id, { scheduled_at: inHours(scene, 22) })],
        ['SND-011', await project.api.cancelEmail(id)],
      ] as const) {
        check.of(requirement).status(answer, [200])
        check.of(requirement).equal(`id in the answer to ${answer.label}`, answer.field('id'), id)
        check
          .of(requirement)
          .ok(
            `object in the answer to ${answer.label}`,
            typeof answer.field('object') === 'string',
            'a text',
            answer.field('object'),
          )
      }
    },
  }),

  serviceCase({
    id: 'service/emails/does-not-send-a-cancelled-email',
    requirements: ['SND-014'],
    level: 'must',
    title: 'an email cancelled before its time is never sent',
    needs: ['send', 'workspace', 'clock'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const subject = unique()
      const id = idOf(
        require,
        await project.api.sendEmail({ ...email(project, subject), scheduled_at: inHours(scene, 2) }),
      )
      require.of('SND-011').status(await project.api.cancelEmail(id), [200])
      await scene.advance(5 * hour)
      await scene.settle()
      const subjects = await queuedSubjects(project)
      check.ok('subjects queued', !subjects.includes(subject), `without ${subject}`, subjects)
    },
  }),
]
