// IDM-001  "A send that repeats an `Idempotency-Key` returns the first result."
// IDM-002  "A send that repeats an `Idempotency-Key` sends nothing a second time."
// IDM-003  "Sends with different keys are different emails."
// IDM-004  "Concurrent repeats of one `Idempotency-Key` create one email."
// IDM-005  "A batch that repeats an `Idempotency-Key` returns the first result."
//
// Scripts of sends and their repeats; the world model computes what becomes of them.
//
// Reading: a repeat while the first request is under way may be refused for that (open point idempotency-conflict); never with a second
// email. What the key of an inbox may send is open (open point scoped-key-rights).

import { mailCase } from '../shared/mail-run.js'
import { again, batch, cancel, inHours, move, pass, read, repeat, reuseKey, send } from '../shared/mail-script.js'

export const idempotencyScripts = [
  mailCase({
    id: 'service/idempotency/holds-for-every-send',
    requirements: ['IDM-001', 'IDM-003', 'IDM-005'],
    title: 'a repeat of any accepted send gets the first result',
    script: [
      send(inHours(20)),
      repeat(),
      again(),
      send({ isHtml: true }),
      repeat(),
      again(),
      batch([inHours(20), {}]),
      ...[0, 1, 2, 3, 4].map(repeat),
    ],
  }),

  mailCase({
    id: 'service/idempotency/holds-for-the-key-of-an-inbox',
    requirements: ['IDM-001', 'IDM-003', 'IDM-005'],
    title: 'a repeat of an email or a batch by the key of an inbox gets the first result',
    script: [send({ by: 0 }), repeat(), again(), batch([{ by: 0 }, { by: 0 }]), repeat(), again()],
  }),

  mailCase({
    id: 'service/idempotency/sends-nothing-a-second-time',
    requirements: ['IDM-002'],
    decides: ['IDM-002'],
    title: 'a repeat raises no second message.queued, where a send under another key does',
    script: [send(), repeat(), repeat(), send(), again()],
  }),

  mailCase({
    id: 'service/idempotency/returns-the-first-result-whatever-became-of-it',
    requirements: ['IDM-001', 'IDM-002', 'SND-018'],
    dependsOn: ['SND-010', 'SND-013', 'SND-014'],
    title: 'a repeat of a sent, cancelled or rescheduled email gets the first result, without effect',
    script: [
      send(),
      read,
      repeat(),
      send(inHours(10)),
      cancel(),
      repeat(),
      send(inHours(10)),
      move(22),
      repeat(),
      read,
    ],
  }),

  mailCase({
    id: 'service/idempotency/does-not-send-another-body-under-a-used-key',
    requirements: ['IDM-002'],
    title: 'another email under a used key gets the first result or is refused',
    script: [send(), reuseKey(), batch([{}]), reuseKey()],
  }),

  mailCase({
    id: 'service/idempotency/makes-one-email-of-repeats-side-by-side',
    requirements: ['IDM-004'],
    decides: ['IDM-004'],
    title: 'five requests at once under one key make one email',
    script: [send({}, 5)],
  }),

  mailCase({
    id: 'service/idempotency/keeps-projects-apart',
    requirements: ['IDM-003', 'IDM-001'],
    title: 'the same key in another project is a separate key',
    projects: 2,
    sharesKeys: true,
    script: [send(), repeat(), batch([{}]), repeat()],
  }),

  mailCase({
    id: 'service/idempotency/returns-the-first-result-of-a-batch',
    requirements: ['IDM-005', 'IDM-003'],
    decides: ['IDM-005'],
    title: 'a batch repeated under its key gets the first data, and sends nothing again',
    script: [batch([{}, {}]), repeat(), batch([{}]), again()],
  }),

  mailCase({
    id: 'service/idempotency/makes-one-batch-of-repeats-side-by-side',
    requirements: ['IDM-004', 'IDM-005'],
    title: 'a batch that is sent five times at once under one key is sent once',
    script: [batch([{}, {}], 5)],
  }),

  mailCase({
    id: 'service/idempotency/sends-scheduled-mail-once',
    requirements: ['IDM-001', 'IDM-002', 'IDM-004', 'IDM-005'],
    title: 'a scheduled email repeated under its key is sent once, with the first result',
    script: [
      send(inHours(2)),
      batch([inHours(2), inHours(2)]),
      repeat(0),
      repeat(1),
      send(inHours(2), 5),
      pass(3),
      repeat(1),
      repeat(2),
      pass(1),
    ],
  }),
]
