// SND-001  "`POST /v1/emails` takes an email object and answers `{ id }`."
// SND-004  "`POST /v1/emails/batch` takes an array of up to 100 email objects and answers `{ data, errors? }`."
// WHK-005  "The create response returns the requested `url` and `event_types`."
// EVT-004  "`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued."
//
// One request in every form that HTTP allows: its body in chunks or packets that cut characters, its header names in capitals.
//
// Reading: HTTP lets a server refuse a body without a length with 411, and a coding that it does not know with 501 (RFC 9110).

import { asText, serviceCase, type RawRequest } from '../../../harness/authoring.js'
import { rareEvent } from '../shared/registration.js'
import { email, queuedSubjects } from '../shared/sent-mail.js'

/** A number of bytes that divides the length of no character beyond ASCII. */
const chunkBytes = 7
const words = 'Grüße 件名 👋🏽 مرحبا'
const refusedForms: readonly (number | undefined)[] = [411, 501]

type Form = (bytes: number) => Pick<RawRequest, 'wire' | 'names'>

const forms: readonly (readonly [name: string, title: string, form: Form])[] = [
  ['in-chunks', 'in chunks that cut characters', () => ({ wire: { chunkBytes } })],
  [
    'in-packets',
    'in packets that cut characters',
    (bytes) => ({ wire: { cuts: [1, 2, 3].map((quarter) => Math.floor((bytes * quarter) / 4)) } }),
  ],
  ['with-names-in-capitals', 'with header names in capitals', () => ({ names: (name) => name.toUpperCase() })],
]

export const httpForms = forms.map(([name, title, form]) =>
  serviceCase({
    id: `service/requests/are-read-${name}`,
    requirements: ['SND-001', 'SND-004', 'WHK-001', 'WHK-005', 'EVT-004'],
    level: 'must',
    title: `an email, a batch and a webhook that are sent ${title} are read as they are`,
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique, publicUrl, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const subjects = Array.from({ length: 3 }, () => `${unique()} ${words}`)
      const [alone, ...batch] = subjects.map((subject) => email(project, recipient, subject))
      const post = (path: string, json: unknown, operation: NonNullable<RawRequest['operation']>) =>
        project.api.request('POST', path, { json, operation, ...form(Buffer.byteLength(JSON.stringify(json))) })
      const sent = await post('/v1/emails', alone, 'sendEmail')
      if (refusedForms.includes(sent.status))
        skip(`needs a service that accepts a body ${title}; it answered ${sent.status}`)
      require.of('SND-001').status(sent, '2xx')
      require.of('SND-004').status(await post('/v1/emails/batch', batch, 'sendBatch'), '2xx')
      const url = `${publicUrl()}?of=${encodeURIComponent(words)}`
      const made = await post('/v1/webhooks', { url, event_types: [rareEvent] }, 'createWebhook')
      require.of('WHK-001').status(made, '2xx')
      check.of('WHK-005').equal('url of the webhook', made.field('url'), url)
      await project.api.deleteWebhook(asText(made.field('id')))
      const queued = await queuedSubjects(sandbox, project, { expected: subjects, after })
      const marks = subjects.map((subject) => subject.split(' ')[0] ?? subject)
      const ours = queued.filter((subject) => marks.some((mark) => subject.startsWith(mark)))
      check.of('EVT-004').equal('subjects of message.queued', ours.sort(), subjects.sort())
    },
  }),
)
