// ERR-001  "The API answers errors with an error carrying `code`, `message` and `fix` (what to do about it)."
// ERR-002  "The HTTP status is the response status of the error: a refused request has a 4xx status."
// ERR-004  "An unknown webhook, delivery or email id gets an error."
// ERR-005  "A refused credential gets an error carrying `code`, `message` and `fix`."
// VER-001  "The API path prefix is `/v1`."
//
// Reading: the wire shape is not shown (open point error-shape): the fields stand together, flat or in an envelope.

import { errorOf, memberOf, serviceCase, type Checks, type Exchange } from '../../harness/authoring.js'

const absent = [404, 403]

/** A mismatch for each of the three fields that is no text. */
function expectError(check: Checks, answer: Exchange): void {
  const error = errorOf(answer)
  for (const name of ['code', 'message', 'fix'] as const)
    check.ok(
      `${name} in the error of ${answer.label}`,
      typeof error[name] === 'string' && error[name] !== '',
      'a text',
      error[name],
    )
}

export const errors = [
  serviceCase({
    id: 'service/errors/tell-code-message-and-fix',
    requirements: ['ERR-001', 'ERR-002'],
    level: 'must',
    title: 'a refused request has a 4xx status and an error with code, message and fix',
    async run({ scene: open, check, require }) {
      const { api } = (await open()).project
      require.status(await api.listWebhooks(), [200])
      for (const answer of [
        await api.createWebhook({ url: 'http://hooks.example.com/' }),
        await api.createWebhook({}),
        await api.request('POST', '/v1/webhooks', { body: '{"url":', operation: 'createWebhook' }),
      ]) {
        check.of('ERR-002').refused(answer)
        expectError(check.of('ERR-001'), answer)
      }
    },
  }),

  serviceCase({
    id: 'service/errors/tell-why-a-credential-is-refused',
    requirements: ['ERR-005'],
    level: 'must',
    title: 'a request without a key gets an error with code, message and fix',
    async run({ scene: open, anonymous, check, require }) {
      const { api } = (await open()).project
      require.of('AUTH-001').status(await api.listWebhooks(), [200])
      const answer = await anonymous().listWebhooks()
      check.of('AUTH-002').refused(answer, [401, 403])
      expectError(check, answer)
    },
  }),

  serviceCase({
    id: 'service/errors/unknown-ids-get-an-error',
    requirements: ['ERR-004'],
    level: 'must',
    title: 'operations on a webhook, delivery or email that does not exist get 404 (or 403) with an error',
    async run({ scene: open, check, require, unique }) {
      const { api } = (await open()).project
      const created = await api.createWebhook({ url: 'https://hooks.example.com/', event_types: ['sending.resumed'] })
      require.of('WHK-001').status(created, '2xx')
      const webhookId = String(created.field('id'))
      for (const answer of [
        await api.listDeliveries(`whk_${unique()}`),
        await api.replayDelivery(webhookId, `dlv_${unique()}`),
        await api.replayDelivery(`whk_${unique()}`, `dlv_${unique()}`),
        await api.getEmail(`em_${unique()}`),
        await api.updateEmail(`em_${unique()}`, { scheduled_at: '2030-01-02T03:04:05.000Z' }),
        await api.cancelEmail(`em_${unique()}`),
      ]) {
        check.refused(answer, absent)
        expectError(check.of('ERR-001'), answer)
      }
      await api.deleteWebhook(webhookId)
    },
  }),

  serviceCase({
    id: 'service/errors/a-webhook-deleted-twice-is-no-server-error',
    requirements: ['ERR-003'],
    level: 'must',
    title: 'deleting a webhook that does not exist, or again, is answered with a 404 or a success, never a 5xx',
    async run({ scene: open, check, unique }) {
      const { api } = (await open()).project
      for (const id of [`whk_${unique()}`, 'nothing', '..%2f..']) {
        const answer = await api.deleteWebhook(id)
        check.ok(
          `status of ${answer.label}`,
          answer.status !== undefined && answer.status < 500,
          'no 5xx',
          answer.status ?? answer.failure,
        )
      }
    },
  }),

  serviceCase({
    id: 'service/versioning/answers-below-v1',
    requirements: ['VER-001'],
    level: 'must',
    title: 'the endpoints answer below /v1',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      for (const answer of [
        await api.listWebhooks(),
        await api.pollEvents({ limit: 1 }),
        await api.listEmails({ limit: 1 }),
      ])
        check.status(answer, [200])
      check.ok(
        'data of the events list',
        Array.isArray(memberOf((await api.pollEvents({ limit: 1 })).json, 'data')),
        'an array',
        'nothing',
      )
    },
  }),
]
