// SND-007  "`GET /v1/emails/{id}` answers the email with `recipients` and `status`."
// SND-008  "`GET /v1/emails` takes `limit` and `cursor` and answers `{ data, next_cursor }`."
// SND-009  "`next_cursor` passed as `cursor` continues the list without gap or repeat."
// SND-010, SND-011  changes of an email are accepted. IDM-001  a repeat gets the first result.
//
// Scripts of emails that are shown and listed.
//
// Reading: an email that was cancelled need not be kept, and the list may have any order.

import { mailCase } from '../shared/mail-run.js'
import { batch, cancel, inHours, move, pass, read, repeat, send, walk } from '../shared/mail-script.js'

const sevenEmails = Array.from({ length: 7 }, () => send())

export const emailScripts = [
  // A list that was read before has it too.
  mailCase({
    id: 'service/emails/shows-what-the-key-of-an-inbox-sent',
    requirements: ['SND-007', 'SND-008'],
    title: 'an org key sees an email that an inbox key sent',
    script: [walk(5), send({ by: 0 }), walk(5), read],
  }),

  mailCase({
    id: 'service/emails/pages-through-more-than-a-hundred',
    requirements: ['SND-009', 'SND-007', 'IDM-001'],
    title: 'each of 106 emails is on one page of the list',
    script: [send(), ...Array.from({ length: 4 }, () => batch(Array(26).fill({}))), send(), walk(5), repeat(5), read],
  }),

  mailCase({
    id: 'service/emails/lists-what-was-sent-at-its-time',
    requirements: ['SND-008', 'SND-009'],
    dependsOn: ['SND-010', 'SND-013', 'SND-016'],
    title: 'a scheduled or rescheduled email is listed once after it was sent',
    script: [send(), send(inHours(2)), send(inHours(9)), move(2), pass(3), walk(5)],
  }),

  mailCase({
    id: 'service/emails/are-there-in-every-project',
    requirements: ['SND-007', 'SND-008', 'SND-010', 'SND-011'],
    title: 'in each project, its key shows, lists, reschedules and cancels an email',
    projects: 2,
    script: [send(inHours(20)), read, walk(5), move(22), cancel()],
  }),

  mailCase({
    id: 'service/emails/shows-every-kind',
    requirements: ['SND-007', 'SND-008'],
    title: 'scheduled, rescheduled, cancelled and batch emails are shown with recipients and a status',
    script: [
      send(inHours(20)),
      send(inHours(20)),
      move(22),
      send(inHours(20)),
      cancel(),
      batch([{}]),
      batch([{}, {}]),
      read,
      walk(5),
    ],
  }),

  // The last page is full, or is not.
  mailCase({
    id: 'service/emails/pages-through-the-list',
    requirements: ['SND-008', 'SND-009'],
    title: 'pages of limit emails follow each other by next_cursor without gap or repeat',
    script: [...sevenEmails, walk(3), walk(1), walk(7)],
  }),

  mailCase({
    id: 'service/emails/pages-through-a-list-that-grows',
    requirements: ['SND-009'],
    title: 'emails that are sent between two pages move no earlier one',
    script: [...sevenEmails, walk(2, send()), walk(3, batch([{}, {}]))],
  }),

  mailCase({
    id: 'service/emails/pages-through-emails-of-one-moment',
    requirements: ['SND-009'],
    title: 'pages have no gaps or repeats through emails of one moment',
    script: [batch(Array(8).fill({})), walk(3)],
  }),
]
