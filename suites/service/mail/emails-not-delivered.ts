// SND-007  "`GET /v1/emails/{id}` answers the email with `recipients` and `status`."
//
// Failed emails are shown as well: one that was refused, and one whose time passed while sending was paused.
//
// Reading: the interface shows neither their status, nor the fate of mail that falls due while sending is paused, nor whether an address
// without a mailbox is refused (open point undeliverable-recipients).

import { memberOf, serviceCase, type Api, type Checks } from '../../../harness/authoring.js'
import { hour, scheduledEmail } from '../shared/scheduled-mail.js'
import { bareAddress, dataOf, email, eventsWhere, idOf, isEmailAccepted } from '../shared/sent-mail.js'

/** Longest time for sending an email, and for the lag of its record, in milliseconds. */
const lagMs = 5_000

/** Checks that an email is shown with its recipients and a status. */
async function checkShown(
  what: Checks,
  api: Api,
  { id, name, recipient }: { readonly id: string; readonly name: string; readonly recipient: string },
): Promise<void> {
  const shown = await api.getEmail(id)
  what.status(shown, [200])
  what.ok(`status of ${name}`, typeof shown.field('status') === 'string', 'a string', shown.field('status'))
  const recipients = shown.field('recipients')
  const isNamed = JSON.stringify(recipients ?? null).includes(recipient)
  what.ok(`recipients of ${name}`, isNamed, `something with ${recipient}`, recipients)
}

export const emailsNotDelivered = [
  serviceCase({
    id: 'service/emails/shows-what-nobody-took',
    requirements: ['SND-007'],
    level: 'must',
    title: 'an email to an unknown address is shown with its recipients and a status',
    needs: ['send', 'workspace'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project
      const recipient = `nobody-${unique()}@${bareAddress(project.from).replace(/^.*@/, '')}`
      const answer = await api.sendEmail(email(project, recipient, unique()))
      if (!isEmailAccepted(answer))
        return skip('needs a service that accepts an address of its domain that no inbox has')
      const id = idOf(require, answer)
      const isMatch = (event: unknown) =>
        memberOf(event, 'type') !== 'message.queued' &&
        JSON.stringify(dataOf(event, 'recipient') ?? null).includes(recipient)
      await eventsWhere(sandbox, api, { isMatch, after: undefined, withinMs: lagMs })
      await sandbox.settle()
      await checkShown(check, api, { id, name: 'an email to an unknown address', recipient })
    },
  }),

  serviceCase({
    id: 'service/emails/shows-what-fell-due-while-paused',
    requirements: ['SND-007'],
    level: 'must',
    title: 'an email that became due while sending was paused is shown with a status',
    needs: ['send', 'workspace', 'sending-status', 'clock'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const later = scheduledEmail(sandbox, recipient, unique(), 1)
      const id = idOf(require, await project.api.sendEmail(later))
      await sandbox.setSending('paused', 'too many bounces')
      await sandbox.advance(2 * hour)
      await sandbox.settle()
      const name = 'an email that became due while sending was paused'
      await checkShown(check, project.api, { id, name, recipient })
      await sandbox.setSending('active')
      await sandbox.settle()
      await checkShown(check, project.api, { id, name: `${name}, once it was resumed`, recipient })
    },
  }),
]
