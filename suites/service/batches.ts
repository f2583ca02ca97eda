// SND-004  "`POST /v1/emails/batch` takes an array of up to 100 email objects and answers `{ data, errors? }`."
// SND-005  "A batch has at most 100 emails: 100 are accepted, 101 are refused."
// SND-006  "A batch with an invalid item is refused with code `invalid_batch`, and `errors` has one entry per bad item."
//
// Reading: an item without recipients is invalid by any measure. The status of invalid_batch is open
// (open point batch-error-status); an item of a sender that is not verified may also be refused as one mail is, with 403.
// How permissive validation is asked for is not shown, so it is not asked for.

import { errorOf, itemsOf, memberOf, serviceCase, type Project } from '../../harness/authoring.js'

const batchRefusals = [400, 409, 413, 422]

function items(project: Project, count: number, mark: string): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({
    from: project.from,
    to: ['someone@recipient.example'],
    subject: `${mark} ${index}`,
    text: 'Text',
  }))
}

export const batches = [
  serviceCase({
    id: 'service/batches/sends-a-batch',
    requirements: ['SND-004'],
    level: 'must',
    title: 'an array of emails is answered with data, one entry for each',
    needs: ['send'],
    async run({ scene: open, check, unique }) {
      const { project } = await open()
      const answer = await project.api.sendBatch(items(project, 3, unique()))
      check.status(answer, '2xx')
      const data = answer.field('data')
      check.ok('data', Array.isArray(data) && data.length === 3, 'an array of 3', data)
    },
  }),

  serviceCase({
    id: 'service/batches/takes-a-hundred-and-no-more',
    requirements: ['SND-005'],
    level: 'must',
    title: 'a batch of 100 emails is accepted, one of 101 refused',
    needs: ['send'],
    async run({ scene: open, check, unique }) {
      const { project } = await open()
      check.status(await project.api.sendBatch(items(project, 100, unique())), '2xx')
      check.refused(await project.api.sendBatch(items(project, 101, unique())), batchRefusals)
    },
  }),

  serviceCase({
    id: 'service/batches/refuses-a-batch-with-bad-items',
    requirements: ['SND-006'],
    level: 'must',
    title:
      'a batch with two bad items is refused with invalid_batch and two errors, where the same batch without them is accepted',
    needs: ['send'],
    async run({ scene: open, check, require, unique }) {
      const { project } = await open()
      const good = items(project, 4, unique())
      require.of('SND-004').status(await project.api.sendBatch(good), '2xx')
      const bad = items(project, 4, unique()).map((each, index) =>
        index % 2 === 1 ? { ...each, to: undefined } : each,
      )
      const answer = await project.api.sendBatch(bad)
      check.refused(answer, batchRefusals)
      const error = errorOf(answer)
      check.equal('code', error.code, 'invalid_batch')
      check.ok('errors', Array.isArray(error.errors) && error.errors.length === 2, 'an array of 2', error.errors)
      const foreign = items(project, 2, unique())
      const mallory = { ...foreign[1], from: 'Mallory <mallory@not-verified.example>' }
      check.of('SND-012').refused(await project.api.sendBatch([foreign[0], mallory]), [...batchRefusals, 403])
    },
  }),

  serviceCase({
    id: 'service/batches/sends-nothing-of-a-refused-batch',
    requirements: ['SND-006'],
    level: 'must',
    title: 'no email of a refused batch is sent',
    needs: ['send', 'workspace'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const mark = unique()
      const answer = await project.api.sendBatch(
        items(project, 3, mark).map((each, index) => (index === 2 ? { ...each, to: undefined } : each)),
      )
      require.refused(answer, batchRefusals)
      const witness = await project.api.sendEmail(items(project, 1, unique())[0])
      require.of('SND-001').status(witness, '2xx')
      await scene.settle()
      const events = itemsOf(await project.api.pollEvents({ limit: 100 })) ?? []
      const subjects = events.map((each) => String(memberOf(memberOf(each, 'data'), 'subject')))
      check.equal('events of the refused batch', subjects.filter((each) => each.includes(mark)).length, 0)
    },
  }),
]
