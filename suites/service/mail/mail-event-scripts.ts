// EVT-003  "`message.received` fires when an inbox received an email; its data is of kind received."
// EVT-004  "`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued."
// EVT-005  "`message.delivered` fires when a recipient's server accepted the message; its data is of kind delivery."
// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
//
// Scripts of mail to inboxes. The sentences make no difference between an email that was sent by itself, in a batch, or at its time.
//
// Reading: as in mail-events.ts. A service of a test deployment may carry no mail to its own inboxes, may refuse a list in `to` (open point
// several-recipients), and may know its senders one by one: then a script is skipped.

import { mailCase } from '../shared/mail-run.js'
import { again, batch, inHours, move, pass, read, send, toInbox, type EmailPlan } from '../shared/mail-script.js'

/** To many, and to a few for services that limit the list. */
const [toSix, toTwo] = [{ to: toInbox(0, 1, 2, 3, 4, 5) }, { to: toInbox(0, 1) }]

/** Emails of two senders to three recipients, of which two are inboxes. */
const mixed = (more: Partial<EmailPlan> = {}): readonly Partial<EmailPlan>[] => [
  more,
  { ...more, isFromOther: false, to: toInbox(0) },
  { ...more, to: toInbox(1) },
]

export const mailEventScripts = [
  mailCase({
    id: 'service/mail-events/are-raised-for-each-item-to-one-inbox',
    requirements: ['EVT-003', 'EVT-005', 'EVT-016'],
    title: 'equal items of a batch, and equal single emails, are each received and delivered once',
    script: [batch([{ to: toInbox(0) }, { isAlike: true }, { to: toInbox(0) }]), send({ to: toInbox(1) }), again()],
  }),

  mailCase({
    id: 'service/mail-events/are-raised-for-each-item-of-a-batch',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016', 'SND-004', 'SND-007'],
    title: 'each batch item is queued, received and delivered with its own sender and subject',
    script: [batch(mixed()), batch(mixed({ isFromOther: true })), read],
  }),

  mailCase({
    id: 'service/mail-events/are-raised-for-each-scheduled-item-of-a-batch',
    requirements: ['EVT-003', 'SND-016'],
    title: 'each scheduled batch item is queued, received and delivered at its time',
    script: [batch(mixed(inHours(2))), batch(mixed({ ...inHours(2), isFromOther: true })), pass(3)],
  }),

  mailCase({
    id: 'service/mail-events/are-raised-for-a-scheduled-email',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    dependsOn: ['SND-010', 'SND-013'],
    title: 'a scheduled or rescheduled email is queued, received and delivered once at its time',
    isLive: true,
    script: [send({ ...inHours(2), to: toInbox(1) }), send({ ...inHours(20), to: toInbox(0) }), move(3), pass(4)],
  }),

  mailCase({
    id: 'service/mail-events/are-raised-in-every-project',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    title: 'mail within a project is queued, received and delivered once',
    projects: 2,
    script: [send({ to: toInbox(0) }), batch([{ to: toInbox(1) }])],
  }),

  mailCase({
    id: 'service/mail-events/are-raised-for-an-email-of-html',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    title: 'an email with html and no text is queued, received and delivered once',
    script: [send({ to: toInbox(1), isHtml: true })],
  }),

  mailCase({
    id: 'service/mail-events/reach-each-recipient-of-an-email-sent-in-a-batch',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    title: 'an email sent in a batch to several inboxes is received and delivered once in each',
    inboxes: 6,
    script: [batch([{}, toSix]), batch([{}, toTwo])],
  }),

  mailCase({
    id: 'service/mail-events/reach-each-recipient-of-an-email-scheduled',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    title: 'a scheduled email to several inboxes is received and delivered once in each',
    inboxes: 6,
    isLive: true,
    script: [send({ ...inHours(2), ...toSix }), send({ ...inHours(2), ...toTwo }), pass(3)],
  }),

  mailCase({
    id: 'service/mail-events/reach-each-recipient-of-an-email-moved',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    title: 'a rescheduled email to several inboxes is received and delivered once in each',
    inboxes: 6,
    isLive: true,
    script: [send({ ...inHours(20), ...toSix }), move(3), send({ ...inHours(20), ...toTwo }), move(3), pass(4)],
  }),

  mailCase({
    id: 'service/mail-events/are-raised-for-an-email-by-the-key-of-an-inbox',
    requirements: ['EVT-004', 'EVT-016'],
    title: 'an email of an inbox key raises message.queued once',
    script: [send({ by: 1 }), batch([{ by: 1 }, { by: 1 }])],
  }),

  mailCase({
    id: 'service/mail-events/go-from-one-inbox-to-another',
    requirements: ['EVT-003', 'EVT-005', 'EVT-016'],
    title: 'mail between two inboxes of an org is received and delivered once each',
    script: [send({ by: 0, to: toInbox(1) })],
  }),

  mailCase({
    id: 'service/mail-channels/tell-all-of-an-email-sent-at-once',
    requirements: ['EVT-014'],
    title: 'every listed event of an email sent at once is also delivered and streamed',
    hasOutlets: true,
    script: [send({ to: toInbox(1) })],
  }),

  mailCase({
    id: 'service/mail-channels/tell-all-of-an-email-scheduled',
    requirements: ['EVT-014'],
    title: 'every listed event of a scheduled email is also delivered and streamed',
    hasOutlets: true,
    isLive: true,
    script: [send({ ...inHours(2), to: toInbox(1) }), pass(3)],
  }),

  mailCase({
    id: 'service/mail-channels/tell-all-of-an-email-sent-in-a-batch',
    requirements: ['EVT-014'],
    title: 'every listed event of an email sent in a batch is also delivered and streamed',
    hasOutlets: true,
    script: [batch([{}, { to: toInbox(1) }])],
  }),
]
