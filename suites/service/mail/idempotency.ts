// IDM-001  "A send that repeats an `Idempotency-Key` returns the first result."
// IDM-002  "A send that repeats an `Idempotency-Key` sends nothing a second time."
// IDM-003  "Sends with different keys are different emails."
// IDM-004  "Concurrent repeats of one `Idempotency-Key` create one email."
// IDM-005  "A batch that repeats an `Idempotency-Key` returns the first result."
//
// Reading: a repeat while the first request is under way may be refused for that (open point idempotency-conflict);
// never with a second email. One without the header may be refused (open point sends-without-a-key).

import { serviceCase, type Checks, type Exchange, type Project, type Sandbox } from '../../../harness/authoring.js'
import { hour, inHours, checkTime } from '../shared/scheduled-mail.js'
import { email, idOf, isEmailAccepted, queuedSubjects, timesIn } from '../shared/sent-mail.js'

/** Emails under other keys between an email and its repeat, and how many of them are sent at once. */
const sentBetween = 24
const atOnce = 8

/** Signs at which a header, a list or a path is taken apart. */
const signs = ['-', ':', '/', ',', ';', '=', '.', '|', '#']

/** Counts how often an email with each subject was sent, once all expected ones are there, or no more will arrive. */
async function timesQueued(
  sandbox: Sandbox,
  project: Project,
  query: { expected: readonly string[]; after: string | undefined },
): Promise<(subject: string) => number> {
  const subjects = await queuedSubjects(sandbox, project, query)
  return (subject) => timesIn(subjects, subject)
}

/** What a repeat is answered with while the first request is under way, where it does not wait for its result. */
const conflicts: readonly number[] = [409, 422, 423, 425]

function checkTakenOrRefused(check: Checks, answer: Exchange): void {
  check.ok(
    `status of ${answer.label}`,
    isEmailAccepted(answer) || conflicts.includes(answer.status ?? 0),
    `2xx, ${conflicts.join(', ')}`,
    answer.status ?? answer.failure,
  )
}

export const idempotency = [
  serviceCase({
    id: 'service/idempotency/returns-the-first-result',
    requirements: ['IDM-001', 'IDM-003'],
    decides: ['IDM-001', 'IDM-003'],
    level: 'must',
    title: 'an email repeated under its key has the first id; under another, a new one',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const { project } = await openSandbox()
      // Nothing is counted but ids: a send that is carried out twice under a key is one more repeat, and without one another email.
      const api = project.api.repeatable
      const message = email(project, recipient, unique())
      const [key, other] = [unique(), unique()]
      const first = idOf(require, await api.sendEmail(message, { 'idempotency-key': key }))
      const again = await api.sendEmail(message, { 'idempotency-key': key })
      check.of('IDM-001').status(again, '2xx')
      check.of('IDM-001').equal('id of the repeat', again.field('id'), first)
      const ids = [first, idOf(require, await api.sendEmail(message, { 'idempotency-key': other }))]
      for (let count = 0; count < 2; count++) {
        const keyless = await api.sendWithoutIdempotencyKey(message)
        // A service may insist on the header (open point sends-without-a-key).
        if (isEmailAccepted(keyless)) ids.push(idOf(require, keyless))
        else check.of('IDM-003').refused(keyless)
      }
      check.of('IDM-003').equal('different ids of sends under two keys and without one', new Set(ids).size, ids.length)
      // More than thirty-two characters, and no more than a service is known to take (open point idempotency-key-form).
      const long = `${unique()}-Kept-in-full`
      const equal = [`${long}-a`, `${long}-b`, `${long}-a`.toUpperCase()]
      const others: unknown[] = []
      for (const key of equal) others.push(idOf(require, await api.sendEmail(message, { 'idempotency-key': key })))
      check.of('IDM-003').equal('different ids under keys that differ in an end or in case', new Set(others).size, 3)
      // The interface shows neither the longest key nor its characters: the answer to any accepted key is a first result.
      const digits = BigInt(`0x${Buffer.from(unique()).toString('hex')}`).toString()
      const unshown = {
        'long keys that differ in an end': ['a', 'b'].map((end) => `${long}-${'x'.repeat(140)}-${end}`),
        'long keys that differ in their beginning': ['a', 'b'].map((start) => `${start}-${long}`),
        'keys of digits': [digits, `0${digits}`, `${digits}.0`],
        'keys that differ in a sign': ['ab', 'a-b', 'a_b', 'a.b', 'a:b', 'a/b', 'a+b', 'a b', 'a%20b'].map(
          (key) => other + key,
        ),
        'keys that differ after a special character': signs.flatMap((sign) =>
          ['a', 'b'].map((letter) => `${other}${sign}${letter}`),
        ),
        'keys that differ before a sign': signs.flatMap((sign) =>
          ['a', 'b'].map((letter) => `${letter}${sign}${other}`),
        ),
      }
      for (const [what, keys] of Object.entries(unshown)) {
        const send = () => Promise.all(keys.map((key) => api.sendEmail(message, { 'idempotency-key': key })))
        const [sent, repeated] = [await send(), await send()]
        const taken = sent.filter(isEmailAccepted).map((answer) => answer.field('id'))
        check.of('IDM-003').equal(`different ids under ${what}`, new Set(taken).size, taken.length)
        const again = sent.flatMap((answer, index) => (isEmailAccepted(answer) ? [repeated[index]?.field('id')] : []))
        check.of('IDM-001').equal(`ids of repeats under ${what}`, again, taken)
      }
      const refused = { ...message, from: `mallory@${unique()}.not-verified.example` }
      const sends = [
        project.api.sendEmail.bind(project.api, refused),
        project.api.sendBatch.bind(project.api, [refused]),
      ]
      for (const send of sends) {
        const headers = { 'idempotency-key': unique() }
        // A batch may be taken without its bad items.
        if (!isEmailAccepted(await send(headers))) check.of('ERR-002').refused(await send(headers))
      }
      for (let count = 0; count < sentBetween; count += atOnce)
        await Promise.all(Array.from({ length: atOnce }, () => api.sendEmail(message, { 'idempotency-key': unique() })))
      const last = await api.sendEmail(message, { 'idempotency-key': key })
      check.of('IDM-001').status(last, '2xx')
      check.of('IDM-001').equal('id of a repeat after many other sends', last.field('id'), first)
    },
  }),

  serviceCase({
    id: 'service/idempotency/holds-for-every-send',
    requirements: ['IDM-001', 'IDM-003', 'IDM-005'],
    level: 'must',
    title: 'a repeat of any accepted send gets the first result',
    needs: ['send', 'inboxes'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(0)
      const plain = email(project, recipient, unique())
      const scheduled = { ...plain, scheduled_at: inHours(sandbox, 20) }
      const { text: _, ...withoutText } = plain
      const cells = [
        ['a scheduled email', project.api, scheduled],
        ['an email with html', project.api, { ...withoutText, html: '<p>Hello</p>' }],
        ['an email to a list of one', project.api, { ...plain, to: [recipient] }],
        ['an email by the key of an inbox', inbox.api, { ...plain, from: inbox.address ?? plain['from'] }],
      ] as const
      let taken = 0
      for (const [name, api, message] of cells) {
        const headers = { 'idempotency-key': unique() }
        const first = await api.sendEmail(message, headers)
        // What such a key may send, and other forms of an email, are open.
        if (!isEmailAccepted(first)) continue
        taken++
        const again = await api.sendEmail(message, headers)
        check.of('IDM-001').status(again, '2xx')
        check.of('IDM-001').equal(`id of the repeat of ${name}`, again.field('id'), idOf(require, first))
        const other = await api.sendEmail(message, { 'idempotency-key': unique() })
        check
          .of('IDM-003')
          .ok(`id of ${name} under another key`, other.field('id') !== first.field('id'), 'another', 'the first')
      }
      const ofInbox = { ...plain, from: inbox.address ?? plain['from'] }
      for (const [name, api, items] of [
        ['a scheduled batch', project.api, [scheduled, plain]],
        ['a batch by the key of an inbox', inbox.api, [ofInbox, { ...ofInbox, to: [recipient] }]],
      ] as const) {
        const headers = { 'idempotency-key': unique() }
        const first = await api.sendBatch(items, headers)
        if (!isEmailAccepted(first)) continue
        taken++
        const again = await api.sendBatch(items, headers)
        check.of('IDM-005').status(again, '2xx')
        check.of('IDM-005').equal(`data of the repeat of ${name}`, again.field('data'), first.field('data'))
      }
      if (taken === 0) skip('needs a service that accepts an email of one of these forms')
    },
  }),

  serviceCase({
    id: 'service/idempotency/sends-nothing-a-second-time',
    requirements: ['IDM-002'],
    decides: ['IDM-002'],
    level: 'must',
    title: 'a repeat raises no second message.queued, where a send under another key does',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const [once, twice] = [unique(), unique()]
      const key = unique()
      const send = (subject: string, headers: Readonly<Record<string, string>>) =>
        project.api.sendEmail(email(project, recipient, subject), headers)
      for (let count = 0; count < 3; count++) idOf(require, await send(once, { 'idempotency-key': key }))
      for (let count = 0; count < 2; count++) idOf(require, await send(twice, { 'idempotency-key': unique() }))
      const times = await timesQueued(sandbox, project, { expected: [once, twice, twice], after })
      require.of('EVT-004').equal('messages queued under two keys', times(twice), 2)
      check.equal('messages queued under one key', times(once), 1)
    },
  }),

  serviceCase({
    id: 'service/idempotency/returns-the-first-result-whatever-became-of-it',
    requirements: ['IDM-001', 'IDM-002', 'SND-018'],
    dependsOn: ['SND-010', 'SND-013'],
    level: 'must',
    title: 'a repeat of a sent, cancelled or rescheduled email gets the first result, without effect',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const later = inHours(sandbox, 22)
      const cells = [
        { became: 'sent', most: 1, change: undefined },
        { became: 'cancelled', most: 0, change: (id: string) => project.api.cancelEmail(id) },
        {
          became: 'rescheduled',
          most: 0,
          change: (id: string) => project.api.updateEmail(id, { scheduled_at: later }),
        },
      ].map((state) => ({ ...state, subject: unique(), headers: { 'idempotency-key': unique() } }))
      const message = ({ change, subject }: (typeof cells)[number]) => ({
        ...email(project, recipient, subject),
        ...(change && { scheduled_at: inHours(sandbox, 10) }),
      })
      for (const cell of cells) {
        const body = message(cell)
        const first = idOf(require, await project.api.sendEmail(body, cell.headers))
        if (cell.change === undefined) await queuedSubjects(sandbox, project, { expected: [cell.subject], after })
        else if (!isEmailAccepted(await cell.change(first))) continue
        const again = await project.api.sendEmail(body, cell.headers)
        check.of('IDM-001').status(again, '2xx')
        check.of('IDM-001').equal(`id of the repeat of an email that was ${cell.became}`, again.field('id'), first)
        if (cell.became === 'rescheduled') await checkTime(check, sandbox, { id: first, at: later })
      }
      // Past the time that the emails were scheduled for at first.
      if (sandbox.time === 'virtual') await sandbox.advance(15 * hour)
      const witness = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, witness)))
      const times = await timesQueued(sandbox, project, { expected: [witness], after })
      for (const { became, subject, most } of cells) {
        const what = `messages queued of an email that was ${became}`
        check.of('IDM-002').ok(what, times(subject) <= most, `at most ${most}`, times(subject))
      }
    },
  }),

  serviceCase({
    id: 'service/idempotency/does-not-send-another-body-under-a-used-key',
    requirements: ['IDM-002'],
    level: 'must',
    title: 'another email under a used key gets the first result or is refused',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const key = unique()
      const [original, other, witness] = [unique(), unique(), unique()]
      const headers = { 'idempotency-key': key }
      const first = idOf(require, await project.api.sendEmail(email(project, recipient, original), headers))
      const answer = await project.api.sendEmail(email(project, recipient, other), headers)
      if (!isEmailAccepted(answer) || answer.field('id') !== first) check.refused(answer)
      const batches = [unique(), unique()]
      const keyOfBatch = { 'idempotency-key': unique() }
      for (const [index, subject] of batches.entries()) {
        const sent = await project.api.sendBatch([email(project, recipient, subject)], keyOfBatch)
        if (index === 0) require.of('SND-004').status(sent, '2xx')
        else if (!isEmailAccepted(sent)) check.refused(sent)
      }
      idOf(require, await project.api.sendEmail(email(project, recipient, witness)))
      const times = await timesQueued(sandbox, project, { expected: [original, witness], after })
      check.equal('messages queued of the other email', times(other), 0)
      check.equal('messages queued of the other batch', times(batches[1] ?? ''), 0)
    },
  }),

  serviceCase({
    id: 'service/idempotency/makes-one-email-of-repeats-side-by-side',
    requirements: ['IDM-004'],
    decides: ['IDM-004'],
    level: 'must',
    title: 'five requests at once under one key make one email',
    needs: ['send'],
    async run({ openSandbox, check, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const subject = unique()
      const headers = { 'idempotency-key': unique() }
      const message = email(project, recipient, subject)
      const answers = await Promise.all(Array.from({ length: 5 }, () => project.api.sendEmail(message, headers)))
      for (const answer of answers) checkTakenOrRefused(check, answer)
      const ids = answers.filter(isEmailAccepted).map((answer) => answer.field('id'))
      check.equal('different ids', new Set(ids).size, 1)
      const times = await timesQueued(sandbox, project, { expected: [subject], after })
      check.equal('messages queued', times(subject), 1)
    },
  }),

  serviceCase({
    id: 'service/idempotency/keeps-projects-apart',
    requirements: ['IDM-003', 'IDM-001'],
    level: 'must',
    title: 'the same key in another project is a separate key',
    needs: ['send', 'projects'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox({ projects: 2 })
      const key = unique()
      const subject = unique()
      const ids: unknown[] = []
      const again: unknown[] = []
      for (const to of [ids, again])
        for (const project of sandbox.projects) {
          const answer = await project.api.sendEmail(email(project, recipient, subject), { 'idempotency-key': key })
          if (to === ids) require.of('IDM-003').status(answer, '2xx')
          else check.of('IDM-001').status(answer, '2xx')
          to.push(answer.field('id'))
        }
      require.of('IDM-001').equal('ids of the repeats in each project', again, ids)
      check.equal('different ids', new Set(ids).size, 2)
      const ofBatch = unique()
      const headers = { 'idempotency-key': unique() }
      for (const project of sandbox.projects)
        check.status(await project.api.sendBatch([email(project, recipient, ofBatch)], headers), '2xx')
      for (const project of sandbox.projects) {
        const times = await timesQueued(sandbox, project, { expected: [subject, ofBatch], after: undefined })
        check.equal('messages queued in each project', times(subject), 1)
        check.equal('messages of a batch queued in each project', times(ofBatch), 1)
      }
    },
  }),

  serviceCase({
    id: 'service/idempotency/returns-the-first-result-of-a-batch',
    requirements: ['IDM-005', 'IDM-003'],
    decides: ['IDM-005'],
    level: 'must',
    title: 'a batch repeated under its key gets the first data, and sends nothing again',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const subjects = [unique(), unique()]
      const batch = subjects.map((subject) => email(project, recipient, subject))
      const headers = { 'idempotency-key': unique() }
      const original = await project.api.sendBatch(batch, headers)
      require.of('SND-004').status(original, '2xx')
      const again = await project.api.sendBatch(batch, headers)
      check.status(again, '2xx')
      check.equal('data of the repeat', again.field('data'), original.field('data'))
      const other = unique()
      const equal = [email(project, recipient, other)]
      for (const headersOfOne of [{ 'idempotency-key': unique() }, { 'idempotency-key': unique() }])
        check.of('IDM-003').status(await project.api.sendBatch(equal, headersOfOne), '2xx')
      const times = await timesQueued(sandbox, project, { expected: [...subjects, other, other], after })
      for (const subject of subjects) check.equal('messages queued of an item', times(subject), 1)
      check.of('IDM-003').equal('messages queued of a batch under two keys', times(other), 2)
    },
  }),

  serviceCase({
    id: 'service/idempotency/makes-one-batch-of-repeats-side-by-side',
    requirements: ['IDM-004', 'IDM-005'],
    level: 'must',
    title: 'a batch that is sent five times at once under one key is sent once',
    needs: ['send'],
    async run({ openSandbox, check, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const subjects = [unique(), unique()]
      const batch = subjects.map((subject) => email(project, recipient, subject))
      const headers = { 'idempotency-key': unique() }
      const answers = await Promise.all(Array.from({ length: 5 }, () => project.api.sendBatch(batch, headers)))
      for (const answer of answers) checkTakenOrRefused(check.of('IDM-004'), answer)
      const taken = answers.filter(isEmailAccepted).map((answer) => JSON.stringify(answer.field('data')))
      check.of('IDM-005').equal('different data', new Set(taken).size, 1)
      // None would be sent.
      if (taken.length === 0) return
      const times = await timesQueued(sandbox, project, { expected: subjects, after })
      for (const subject of subjects) check.of('IDM-004').equal('messages queued of an item', times(subject), 1)
    },
  }),
]
