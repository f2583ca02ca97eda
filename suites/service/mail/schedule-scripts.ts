// SND-010  "`PATCH /v1/emails/{id}` with `{ scheduled_at }` reschedules and answers `{ object, id }`."
// SND-011  "`POST /v1/emails/{id}/cancel` cancels and answers `{ object, id }`."
// SND-013  "An email with a `scheduled_at` in the future is kept until then: it is not sent before."
// SND-014  "A cancelled email is not sent."
// SND-016  "A scheduled email is sent once, at its time: a later reschedule or cancel does not send it again."
// SND-018  "An email has a `scheduled_at`: the time it was last scheduled for."
// POL-010  "Ids are ordered: an event raised later has a greater id, so a consumer that keeps its last `after` sees every
//           later event."
//
// Scripts of scheduled mail; the world model computes when each email is sent.
//
// Reading: it is open whether the clock moves mail (open point clock-and-mail): if it does not, no time passes in a script.
// It is also open how far ahead mail may be scheduled, whether a batch may contain such mail, and what the key of an inbox may do.

import { mailCase } from '../shared/mail-run.js'
import {
  batch,
  cancel,
  cancelled,
  change,
  inHours,
  move,
  movedTo,
  pass,
  read,
  send,
  toInbox,
  walk,
} from '../shared/mail-script.js'

/** Hours ahead: three days, and forty (more milliseconds than a timer of 31 bits has). */
const daysAhead = [72, 40 * 24]
/** The same, and some decades. */
const farHours = [...daysAhead, 30 * 365 * 24]

const ofInbox = (hours: number) => ({ ...inHours(hours), by: 0 })

export const scheduleScripts = [
  mailCase({
    id: 'service/schedules/changes-mail-of-an-inbox-whoever-asks',
    formerly: ['service/schedules/sends-no-email-that-the-key-of-an-inbox-cancelled'],
    requirements: ['SND-010', 'SND-013', 'SND-014', 'SND-016', 'SND-018'],
    title: 'a scheduled email of an inbox key is sent, rescheduled or cancelled as answered',
    script: [
      send(ofInbox(2)),
      send(ofInbox(30)),
      // A cached record of either key is stale after the change by the other.
      ...[move(30, { by: 0 }), move(30), cancel({ by: 0 }), cancel()].flatMap((changed) => [
        send(ofInbox(2)),
        read,
        changed,
        read,
      ]),
      ...[move(2, { by: 0 }), move(2)].flatMap((changed) => [send(ofInbox(30)), read, changed, read]),
      pass(3),
    ],
  }),

  mailCase({
    id: 'service/schedules/makes-changes-that-come-at-once',
    requirements: ['SND-014', 'SND-016'],
    title: 'after concurrent reschedules and cancels an email is sent at most once, as answered',
    script: [
      // Two concurrent requests may miss each other by chance.
      ...Array.from({ length: 5 }, () => [
        send(inHours(2)),
        change([movedTo(3), cancelled]),
        send(inHours(2)),
        change([movedTo(4), movedTo(3)]),
      ]).flat(),
      pass(6),
    ],
  }),

  mailCase({
    id: 'service/schedules/lists-the-time-it-shows',
    requirements: ['SND-018', 'SND-010'],
    title: 'the list of emails shows the new scheduled_at of a rescheduled email',
    script: [send(inHours(20)), walk(5), move(22), walk(5)],
  }),

  mailCase({
    id: 'service/schedules/keeps-a-scheduled-email',
    formerly: ['service/emails/keeps-a-scheduled-email'],
    requirements: ['SND-013'],
    title: 'an email scheduled for later is not sent before',
    script: [send(inHours(5)), pass(1)],
  }),

  mailCase({
    id: 'service/schedules/reschedules-an-email',
    formerly: ['service/emails/reschedules-an-email'],
    requirements: ['SND-010', 'SND-013', 'SND-018'],
    title: 'rescheduling answers object and id, and the email is not sent at its first time',
    script: [send(inHours(2)), move(9), read, pass(4)],
  }),

  mailCase({
    id: 'service/schedules/does-not-send-a-cancelled-email',
    formerly: ['service/emails/does-not-send-a-cancelled-email'],
    requirements: ['SND-014', 'SND-011'],
    dependsOn: ['SND-004'],
    title: 'a cancelled email is never sent, also after reschedules or in a batch',
    script: [
      ...[[2], [2, 4], [20, 3], [2, 9, 4]].flatMap(([first = 0, ...moves]) => [
        send(inHours(first)),
        ...moves.map((hours) => move(hours)),
        cancel(),
      ]),
      batch([inHours(2)]),
      cancel(),
      ...[[], [4]].flatMap((moves) => [
        batch([inHours(2), inHours(3)]),
        ...[1, 0].flatMap((which) => [...moves.map((hours) => move(hours, { which })), cancel({ which })]),
      ]),
      pass(3),
      pass(3),
      pass(20),
    ],
  }),

  mailCase({
    id: 'service/schedules/sends-no-cancelled-email-of-days-ahead',
    requirements: ['SND-014'],
    title: 'an email scheduled days ahead and cancelled is not sent',
    script: [
      ...daysAhead.flatMap((hours) => [send(inHours(hours)), cancel(), send(inHours(5)), move(hours), cancel()]),
      ...daysAhead.map(pass),
    ],
  }),

  mailCase({
    id: 'service/schedules/keeps-what-is-scheduled-far-ahead',
    requirements: ['SND-013'],
    title: 'an email scheduled days, weeks or years ahead is refused or not sent early',
    script: [
      ...farHours.flatMap((hours) => [send(inHours(hours)), send(inHours(2)), move(hours)]),
      batch(farHours.map(inHours)),
      pass(3),
    ],
  }),

  mailCase({
    id: 'service/schedules/sends-in-every-org',
    requirements: ['SND-016', 'SND-010', 'SND-014'],
    title: 'in each org, scheduled and rescheduled emails are sent at their time, cancelled ones not',
    projects: 2,
    script: [send(inHours(2)), send(inHours(20)), move(2), send(inHours(2)), cancel(), pass(3)],
  }),

  // A batch whose first and last item have no time, and one whose first is the last that is due: none speaks for the others.
  mailCase({
    id: 'service/schedules/keeps-the-scheduled-items-of-a-batch',
    requirements: ['SND-013', 'SND-016', 'POL-010'],
    title: 'scheduled items of a batch wait for their time; others are sent at once',
    script: [batch([{}, inHours(2), inHours(5), {}]), batch([inHours(5), {}, inHours(2)]), read],
  }),

  mailCase({
    id: 'service/schedules/changes-one-item-of-a-batch',
    requirements: ['SND-010', 'SND-011', 'SND-016'],
    dependsOn: ['SND-013', 'SND-018'],
    title: 'a cancelled or rescheduled item of a batch does not change the other one',
    script: [
      ...[cancel({ which: 1 }), move(5)].flatMap((changed) => [
        batch([
          { ...inHours(2), to: toInbox(0) },
          { ...inHours(2), to: toInbox(1) },
        ]),
        changed,
      ]),
      pass(3),
    ],
  }),
]
