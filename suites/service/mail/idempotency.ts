// IDM-001  "A send that repeats an `Idempotency-Key` returns the first result."
// IDM-002  "A send that repeats an `Idempotency-Key` sends nothing a second time."
// IDM-003  "Sends with different keys are different emails."
// IDM-004  "Concurrent repeats of one `Idempotency-Key` create one email."
// IDM-005  "A batch that repeats an `Idempotency-Key` returns the first result."
//
// Reading: a repeat while the first request is under way may be refused for that (open point idempotency-conflict);
// never with a second email. One without the header may be refused (open point sends-without-a-key).

import { serviceCase } from '../../../harness/authoring.js'
import { email, idOf, isEmailAccepted } from '../shared/sent-mail.js'

/** Emails under other keys between an email and its repeat, and how many of them are sent at once. */
const sentBetween = 24
const atOnce = 8

/** Signs at which a header, a list or a path is taken apart. */
const signs = ['-', ':', '/', ',', ';', '=', '.', '|', '#']

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
]
