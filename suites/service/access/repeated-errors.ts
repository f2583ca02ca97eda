// ERR-001  "The API answers errors with an error carrying `code`, `message` and `fix` (what to do about it)."
// SND-006  "A batch that is refused for an invalid item gets code `invalid_batch`, and `errors` has one entry per bad item."
//
// Errors for things that existed once, and for things that were refused before: other code answers these than unknown ids.
//
// Reading: it is open whether a second delete or cancel succeeds, whether the history of a deleted webhook is listed, and whether a
// cancelled email may be moved (open points delete-again, deleted-history and late-changes).

import { asText, errorOf, serviceCase } from '../../../harness/authoring.js'
import { checkErrors } from '../shared/batch-results.js'
import { requestUntilAnswered, expectErrorOfRefusal } from '../shared/error-fields.js'
import { rareEvent } from '../shared/registration.js'
import { inHours } from '../shared/scheduled-mail.js'
import { email, idOf, isEmailAccepted } from '../shared/sent-mail.js'

export const repeatedErrors = [
  serviceCase({
    id: 'service/errors/tell-what-was-deleted',
    requirements: ['ERR-001'],
    level: 'must',
    title: 'errors of a second delete and of a refused replay have code, message and fix',
    async run({ openSandbox, check, require, publicUrl, unique }) {
      const { api } = (await openSandbox()).project
      const created = await api.createWebhook({ url: publicUrl(), event_types: [rareEvent] })
      require.of('WHK-001').status(created, '2xx')
      const id = asText(created.field('id'))
      require.of('WHK-014').status(await api.deleteWebhook(id), '2xx')
      for (const send of [
        () => api.deleteWebhook(id),
        () => api.listDeliveries(id),
        () => api.replayDelivery(id, `dlv_${unique()}`),
      ])
        expectErrorOfRefusal(check, await requestUntilAnswered(send))
    },
  }),

  serviceCase({
    id: 'service/errors/tell-what-was-cancelled',
    requirements: ['ERR-001'],
    level: 'must',
    title: 'errors of a refused cancel or change of an email have code, message and fix',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const later = { scheduled_at: inHours(sandbox, 20) }
      const mail = email(sandbox.project, recipient, unique())
      const cancelled = idOf(require, await api.sendEmail({ ...mail, ...later }))
      require.of('SND-011').status(await api.cancelEmail(cancelled), '2xx')
      const sent = idOf(require, await api.sendEmail(email(sandbox.project, recipient, unique())))
      for (const send of [
        () => api.cancelEmail(cancelled),
        () => api.updateEmail(cancelled, later),
        () => api.updateEmail(sent, later),
        () => api.cancelEmail(sent),
      ])
        expectErrorOfRefusal(check, await requestUntilAnswered(send))
    },
  }),

  serviceCase({
    id: 'service/batches/refuses-a-repeat-with-its-errors',
    requirements: ['SND-006'],
    level: 'must',
    title: 'a refused batch that is repeated under its key gets the same errors',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const { project } = await openSandbox()
      const mail = () => email(project, recipient, unique())
      require.of('SND-004').status(await project.api.sendBatch([mail(), mail()]), '2xx')
      const { to: _, ...bad } = mail()
      const items = [mail(), bad]
      const headers = { 'idempotency-key': unique() }
      const [first, again] = [
        await requestUntilAnswered(() => project.api.sendBatch(items, headers)),
        await requestUntilAnswered(() => project.api.sendBatch(items, headers)),
      ]
      if (isEmailAccepted(first)) return skip('needs a service that refuses a batch with a bad item')
      for (const answer of [first, again]) {
        const error = errorOf(answer)
        // That a key that was used for a refusal is taken again, or refused for itself, is not against the text.
        if (error.code !== 'invalid_batch') continue
        checkErrors(check, error.errors, [1])
      }
    },
  }),
]
