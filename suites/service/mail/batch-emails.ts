// SND-007  "`GET /v1/emails/{id}` answers the email with `recipients` and `status`."
//
// Of each email of a batch.

import { mentions, serviceCase } from '../../../harness/authoring.js'
import { email, idsIn, isEmailAccepted } from '../shared/sent-mail.js'

/** Longest time a record may lag after sending, in milliseconds. */
const lagMs = 5_000

export const batchEmails = [
  // Whose id is whose in the answer to a batch is not shown: each recipient must be that of one of them.
  serviceCase({
    id: 'service/emails/shows-each-item-of-a-batch-with-its-recipient',
    requirements: ['SND-007'],
    dependsOn: ['SND-004'],
    level: 'must',
    title: 'the emails of a batch to two recipients are shown with both of them',
    needs: ['send', 'inboxes'],
    async run({ openSandbox, check, require, recipient, skip, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      // An address without a mailbox may be refused (open point undeliverable-recipients).
      const both = [recipient, project.inbox().address]
      const batch = await project.api.sendBatch(both.map((to) => email(project, to, unique())))
      require.of('SND-004').status(batch, '2xx')
      if (idsIn(batch).length < both.length) skip('needs a batch whose answer has the ids of its emails')
      let shown: unknown[] = []
      const read = async () => {
        const answers = await Promise.all(idsIn(batch).map((id) => project.api.getEmail(id)))
        shown = answers.map((answer) => answer.field('recipients') ?? '')
        return answers.every(isEmailAccepted)
      }
      if (!(await read())) await sandbox.until(read, lagMs)
      for (const recipient of both)
        check.ok(
          'recipients of the emails of the batch',
          shown.some((recipients) => mentions(recipients, recipient)),
          `something with ${recipient}`,
          shown,
        )
    },
  }),
]
