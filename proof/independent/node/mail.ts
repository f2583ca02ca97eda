// The mail server: it accepts mail, and reports its outcome.
import { randomUUID } from 'node:crypto'
import { raise } from './deliveries.js'
import type { Egress } from './egress.js'
import type { Email, Project, State } from './state.js'

interface Fate {
  readonly status: string
  readonly response: string
  readonly bounce: string | null
  readonly permanent: boolean
}

const accepted: Fate = { status: 'delivered', response: '250 2.0.0 taken', bounce: null, permanent: false }

/** What becomes of mail to `<name>@simulator.example`. */
const simulated: Readonly<Record<string, Fate>> = {
  delivered: accepted,
  deferred: { status: 'deferred', response: '451 4.2.0 come again', bounce: 'transient', permanent: false },
  bounced: { status: 'bounced', response: '550 5.1.1 nobody here', bounce: 'no_such_mailbox', permanent: true },
  complained: { status: 'complained', response: '250 2.0.0 taken', bounce: null, permanent: false },
  failed: { status: 'failed', response: '451 4.4.1 no answer', bounce: 'expired', permanent: true },
}

/** Hands an email to the mail server: it is queued, then received where the recipient has an inbox here. */
export function handOver(
  email: Email,
  project: Project,
  { state, egress }: { readonly state: State; readonly egress: Egress },
): void {
  const { id, thread, from, to, cc, subject } = email
  const sender = state.inboxesByAddress.get(from)
  const ofSender = { message_id: id, inbox_id: sender?.project === project ? sender.id : null, thread_id: thread }
  raise(project, egress, { type: 'message.queued', data: { ...ofSender, to, cc: cc ?? null, subject } })
  email.status = 'queued'
  const inbox = state.inboxesByAddress.get(to)
  if (inbox !== undefined)
    raise(inbox.project, egress, {
      type: 'message.received',
      data: {
        message_id: `msg_${randomUUID()}`,
        inbox_id: inbox.id,
        thread_id: `thr_${randomUUID()}`,
        from,
        subject,
      },
    })
  const [name = '', domain] = to.split('@')
  const fate = (domain === 'simulator.example' ? simulated[name] : undefined) ?? accepted
  email.status = fate.status
  raise(project, egress, {
    type: `message.${fate.status}`,
    data: {
      ...ofSender,
      recipient: to,
      response: fate.response,
      bounce_classification: fate.bounce,
      permanent: fate.permanent,
      status: fate.status,
    },
  })
}
