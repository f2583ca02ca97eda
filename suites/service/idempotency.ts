// IDM-001  "A send that repeats an `Idempotency-Key` returns the first result."
// IDM-002  "A send that repeats an `Idempotency-Key` sends nothing a second time."
// IDM-003  "Sends with different keys are different emails."
// IDM-004  "Repeats of one `Idempotency-Key` side by side make one email."
// IDM-005  "A batch that repeats an `Idempotency-Key` returns the first result."
//
// Reading: a repeat while the first request is under way may be answered with a 409 (open point idempotency-conflict);
// never with a second email.

import {
  itemsOf,
  memberOf,
  serviceCase,
  type Checks,
  type Exchange,
  type Project,
  type Scene,
} from '../../harness/authoring.js'

function email(project: Project, subject: string): Record<string, unknown> {
  return { from: project.from, to: ['someone@recipient.example'], subject, text: 'Text' }
}

function idOf(require: Checks, answer: Exchange): unknown {
  require.of('SND-001').status(answer, '2xx')
  return answer.field('id')
}

/** Queued messages with a subject, in a workspace of the case's own. */
async function queuedCount(scene: Scene, project: Project, subject: string): Promise<number> {
  await scene.settle()
  const events = itemsOf(await project.api.pollEvents({ limit: 100 })) ?? []
  return events.filter(
    (each) => memberOf(each, 'type') === 'message.queued' && memberOf(memberOf(each, 'data'), 'subject') === subject,
  ).length
}

export const idempotency = [
  serviceCase({
    id: 'service/idempotency/returns-the-first-result',
    requirements: ['IDM-001', 'IDM-003'],
    level: 'must',
    title: 'the same email under the same key has the first id, under another key, or without one, an id of its own',
    needs: ['send'],
    async run({ scene: open, check, require, unique }) {
      const { project } = await open()
      const message = email(project, unique())
      const [key, other] = [unique(), unique()]
      const first = idOf(require, await project.api.sendEmail(message, { 'idempotency-key': key }))
      const again = await project.api.sendEmail(message, { 'idempotency-key': key })
      check.of('IDM-001').status(again, '2xx')
      check.of('IDM-001').equal('id of the repeat', again.field('id'), first)
      const ids = [
        first,
        idOf(require, await project.api.sendEmail(message, { 'idempotency-key': other })),
        idOf(require, await project.api.sendEmail(message)),
        idOf(require, await project.api.sendEmail(message)),
      ]
      check.of('IDM-003').equal('different ids of four sends', new Set(ids).size, 4)
      const long = `${unique()}-Conformance-key-of-more-than-thirty-two-characters`
      const alike = [`${long}-a`, `${long}-b`, `${long}-a`.toUpperCase()]
      const others: unknown[] = []
      for (const each of alike)
        others.push(idOf(require, await project.api.sendEmail(message, { 'idempotency-key': each })))
      check.of('IDM-003').equal('different ids under keys that differ in an end or in case', new Set(others).size, 3)
    },
  }),

  serviceCase({
    id: 'service/idempotency/sends-nothing-a-second-time',
    requirements: ['IDM-002'],
    level: 'must',
    title: 'a repeat raises no second message.queued, where a send under another key does',
    needs: ['send', 'workspace'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const [once, twice] = [unique(), unique()]
      const key = unique()
      for (let count = 0; count < 3; count++)
        idOf(require, await project.api.sendEmail(email(project, once), { 'idempotency-key': key }))
      for (let count = 0; count < 2; count++)
        idOf(require, await project.api.sendEmail(email(project, twice), { 'idempotency-key': unique() }))
      require.of('EVT-004').equal('messages queued under two keys', await queuedCount(scene, project, twice), 2)
      check.equal('messages queued under one key', await queuedCount(scene, project, once), 1)
    },
  }),

  serviceCase({
    id: 'service/idempotency/does-not-send-another-body-under-a-used-key',
    requirements: ['IDM-002'],
    level: 'must',
    title: 'another email under a used key gets the first result or is refused, and is not sent',
    needs: ['send', 'workspace'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const key = unique()
      const other = unique()
      const first = idOf(require, await project.api.sendEmail(email(project, unique()), { 'idempotency-key': key }))
      const answer = await project.api.sendEmail(email(project, other), { 'idempotency-key': key })
      const isFirst = answer.status !== undefined && answer.status < 300 && answer.field('id') === first
      if (!isFirst) check.refused(answer)
      check.equal('messages queued of the other email', await queuedCount(scene, project, other), 0)
    },
  }),

  serviceCase({
    id: 'service/idempotency/makes-one-email-of-repeats-side-by-side',
    requirements: ['IDM-004'],
    level: 'must',
    title: 'five requests at once under one key make one email',
    needs: ['send', 'workspace'],
    async run({ scene: open, check, unique }) {
      const scene = await open()
      const { project } = scene
      const subject = unique()
      const key = unique()
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => project.api.sendEmail(email(project, subject), { 'idempotency-key': key })),
      )
      for (const answer of answers)
        check.ok(
          `status of ${answer.label}`,
          answer.status !== undefined && (answer.status < 300 || answer.status === 409),
          '2xx or 409',
          answer.status ?? answer.failure,
        )
      const ids = answers
        .filter((each) => each.status !== undefined && each.status < 300)
        .map((each) => each.field('id'))
      check.equal('different ids', new Set(ids).size, 1)
      check.equal('messages queued', await queuedCount(scene, project, subject), 1)
    },
  }),

  serviceCase({
    id: 'service/idempotency/keeps-projects-apart',
    requirements: ['IDM-003'],
    level: 'must',
    title: 'the same key in another project is another email',
    needs: ['send', 'projects'],
    async run({ scene: open, check, unique }) {
      const scene = await open({ projects: 2 })
      const key = unique()
      const subject = unique()
      const ids: unknown[] = []
      for (const project of scene.projects) {
        const answer = await project.api.sendEmail(email(project, subject), { 'idempotency-key': key })
        check.status(answer, '2xx')
        ids.push(answer.field('id'))
      }
      check.equal('different ids', new Set(ids).size, 2)
      for (const project of scene.projects)
        check.equal('messages queued in each project', await queuedCount(scene, project, subject), 1)
    },
  }),

  serviceCase({
    id: 'service/idempotency/returns-the-first-result-of-a-batch',
    requirements: ['IDM-005'],
    level: 'must',
    title: 'a batch repeated under its key has the first data, and sends nothing again',
    needs: ['send', 'workspace'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const [first, second] = [unique(), unique()]
      const batch = [email(project, first), email(project, second)]
      const headers = { 'idempotency-key': unique() }
      const original = await project.api.sendBatch(batch, headers)
      require.of('SND-004').status(original, '2xx')
      const again = await project.api.sendBatch(batch, headers)
      check.status(again, '2xx')
      check.equal('data of the repeat', again.field('data'), original.field('data'))
      check.equal('messages queued of the first item', await queuedCount(scene, project, first), 1)
    },
  }),
]
