// SND-004  "`POST /v1/emails/batch` takes an array of up to 100 email objects and answers `{ data, errors? }`."
// SND-006  "A batch that is refused for an invalid item gets code `invalid_batch`, and `errors` has one entry per bad item."
// SND-012  the domain of `from` is one of the project.
//
// Reading: a value other than an object is an invalid email for any validation: the code of its refusal is open here. A scheduled email in
// a batch may be refused: then its time is not checked.

import { memberOf, serviceCase } from '../../../harness/authoring.js'
import { requestBatch, permissiveRequests } from '../shared/batch-validation.js'
import { checkMixed } from '../shared/batch-results.js'
import { inHours } from '../shared/scheduled-mail.js'
import { email, idOf, isEmailAccepted, isBatchAccepted, queuedSubjects, timesIn } from '../shared/sent-mail.js'

const none = [null, 'an email', 42, []]

export const batchItems = [
  serviceCase({
    id: 'service/batches/tells-items-that-are-no-emails',
    requirements: ['SND-006'],
    level: 'must',
    title: 'a batch with a non-object item is refused, or errors reports the item',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const expected: string[] = []
      const refused: string[] = []
      for (const item of none) {
        const subjects = [unique(), unique()]
        const [first, second] = subjects.map((subject) => email(project, recipient, subject))
        const answer = await project.api.sendBatch([first, item, second])
        const what = `a batch with the item ${JSON.stringify(item)}`
        if (isEmailAccepted(answer)) {
          const errors = answer.field('errors')
          check.ok(`errors of ${what}`, Array.isArray(errors) && errors.length === 1, 'an array of 1', errors)
          expected.push(...subjects)
        } else {
          check.refused(answer)
          refused.push(...subjects)
        }
      }
      const witness = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, witness)))
      const queued = await queuedSubjects(sandbox, project, { expected: [...expected, witness], after })
      for (const subject of expected) check.equal('how often an accepted item was sent', timesIn(queued, subject), 1)
      for (const subject of refused)
        check.equal('how often an item of a refused batch was sent', timesIn(queued, subject), 0)
    },
  }),

  serviceCase({
    id: 'service/batches/refuses-the-domain-of-another-project',
    requirements: ['SND-012'],
    level: 'must',
    title: "a batch item from another project's domain is refused like a single email",
    needs: ['send', 'projects'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const [sandbox, unrelated] = [await openSandbox({ projects: 2 }), await openSandbox()]
      const { project } = sandbox
      const control = await project.api.sendBatch([email(project, recipient, unique())])
      require.of('SND-004').status(control, '2xx')
      for (const { from } of [...sandbox.projects.slice(1), unrelated.project]) {
        const answer = await project.api.sendBatch([{ ...email(project, recipient, unique()), from }])
        const data = answer.field('data')
        const ids = (Array.isArray(data) ? data : []).filter((item) => typeof memberOf(item, 'id') === 'string')
        // With permissive validation `errors` has the entry, and `data` then has no id.
        if (isEmailAccepted(answer)) check.equal(`items taken from ${from}`, ids.length, 0)
        else check.refused(answer)
      }
    },
  }),

  serviceCase({
    id: 'service/batches/tells-items-whose-time-is-none',
    requirements: ['SND-006'],
    level: 'must',
    title: 'a batch with an invalid scheduled_at is refused, or errors reports each item',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const at = (time: string) => ({ ...email(project, recipient, unique()), scheduled_at: time })
      if (!isBatchAccepted(await project.api.sendBatch([at(inHours(sandbox, 20))])))
        return skip('needs a service that accepts a scheduled email in a batch')
      const good = [unique(), unique()]
      const [first = {}, last = {}] = good.map((subject) => email(project, recipient, subject))
      const items = [first, at('not a time'), at('2031-13-45T25:61:61Z'), last]
      const accepted = checkMixed(check, await project.api.sendBatch(items), { items, good, bad: [1, 2] })
      const witness = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, witness)))
      const queued = await queuedSubjects(sandbox, project, { expected: [...accepted, witness], after })
      for (const subject of good)
        check.equal(
          'how often a valid item of the batch was sent',
          timesIn(queued, subject),
          accepted.includes(subject) ? 1 : 0,
        )
    },
  }),

  // With any kind of validation: only the sent mail counts, not the form of the answer.
  serviceCase({
    id: 'service/batches/sends-nothing-of-senders-it-refused',
    requirements: ['SND-012', 'SND-006'],
    level: 'must',
    title: 'batch items from an unknown domain are not sent',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const foreign: string[] = []
      const [expected, refused]: [string[], string[]] = [[], []]
      const plain = { name: 'nothing', request: (json: unknown) => ({ json }) }
      for (const { request } of [plain, ...permissiveRequests]) {
        const good = [unique(), unique()]
        const bad = [unique(), unique()]
        const [first, second] = good.map((subject) => email(project, recipient, subject))
        const [third, last] = bad.map((subject) => ({
          ...email(project, recipient, subject),
          from: 'Mallory <mallory@not-verified.example>',
        }))
        const answer = await requestBatch(project.api, request([third, first, last, second]))
        foreign.push(...bad)
        if (isEmailAccepted(answer)) expected.push(...good)
        else refused.push(...good)
      }
      const witness = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, witness)))
      const queued = await queuedSubjects(sandbox, project, { expected: [...expected, witness], after })
      require.of('EVT-004').ok('subjects of message.queued events', queued.includes(witness), `with ${witness}`, queued)
      const sent = (subjects: readonly string[]) => subjects.filter((subject) => queued.includes(subject)).length
      check.of('SND-012').equal('items sent from an unknown domain', sent(foreign), 0)
      check.of('SND-006').equal('items sent of batches that were refused', sent(refused), 0)
    },
  }),
]
