// SND-004  "`POST /v1/emails/batch` takes an array of up to 100 email objects and answers `{ data, errors? }`."
// SND-006  "A batch that is refused for an invalid item gets code `invalid_batch`, and `errors` has one entry per bad item."
// SND-012  the domain of `from` is one of the project.
//
// Reading: what is no object is no email, whatever validates it: with which code it is refused is left open here.

import { memberOf, serviceCase } from '../../harness/authoring.js'
import { email, idOf, isTaken, queuedSubjects, timesIn } from './sent-mail.js'

const none = [null, 'an email', 42, []]

export const batchItems = [
  serviceCase({
    id: 'service/batches/sends-a-batch-of-one',
    requirements: ['SND-004'],
    level: 'must',
    title: 'a batch of one email is answered with an array of one entry, and the email is sent once',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const subject = unique()
      const answer = await project.api.sendBatch([email(project, recipient, subject)])
      require.status(answer, '2xx')
      const data = answer.field('data')
      check.ok('data', Array.isArray(data) && data.length === 1, 'an array of one entry', data)
      const queued = await queuedSubjects(sandbox, project, { owed: [subject], after })
      check.equal('times the email was sent', timesIn(queued, subject), 1)
    },
  }),

  serviceCase({
    id: 'service/batches/tells-items-that-are-no-emails',
    requirements: ['SND-006'],
    level: 'must',
    title: 'a batch with an item that is not an object is refused, or taken without it, and then errors tells it',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const owed: string[] = []
      const refused: string[] = []
      for (const item of none) {
        const subjects = [unique(), unique()]
        const [first, second] = subjects.map((subject) => email(project, recipient, subject))
        const answer = await project.api.sendBatch([first, item, second])
        const what = `a batch with the item ${JSON.stringify(item)}`
        if (isTaken(answer)) {
          const errors = answer.field('errors')
          check.ok(`errors of ${what}`, Array.isArray(errors) && errors.length === 1, 'an array of 1', errors)
          owed.push(...subjects)
        } else {
          check.refused(answer)
          refused.push(...subjects)
        }
      }
      const witness = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, witness)))
      const queued = await queuedSubjects(sandbox, project, { owed: [...owed, witness], after })
      for (const each of owed) check.equal('times an accepted item was sent', timesIn(queued, each), 1)
      for (const each of refused) check.equal('times an item of a refused batch was sent', timesIn(queued, each), 0)
    },
  }),

  serviceCase({
    id: 'service/batches/refuses-the-domain-of-another-project',
    requirements: ['SND-012'],
    level: 'must',
    title:
      'an item of a batch from a domain that is verified, but in another project, is refused as one sent by itself',
    needs: ['send', 'projects'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const [sandbox, stranger] = [await openSandbox({ projects: 2 }), await openSandbox()]
      const { project } = sandbox
      const control = await project.api.sendBatch([email(project, recipient, unique())])
      require.of('SND-004').status(control, '2xx')
      for (const { from } of [...sandbox.projects.slice(1), stranger.project]) {
        const answer = await project.api.sendBatch([{ ...email(project, recipient, unique()), from }])
        const data = answer.field('data')
        const ids = (Array.isArray(data) ? data : []).filter((each) => typeof memberOf(each, 'id') === 'string')
        // By item it is told in errors, where data then holds no id.
        if (isTaken(answer)) check.equal(`items taken from ${from}`, ids.length, 0)
        else check.refused(answer)
      }
    },
  }),
]
