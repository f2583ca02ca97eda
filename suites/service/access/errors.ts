// ERR-001  "The API answers errors with an error carrying `code`, `message` and `fix` (what to do about it)."
// ERR-002  "The HTTP status is the response status of the error: a refused request gets an error status."
// ERR-004  "A request for an unknown webhook, delivery or email is answered with an error."
// ERR-005  "A refused credential gets an error carrying `code`, `message` and `fix`."
// VER-001  "The API path prefix is `/v1`."
//
// Reading: the interface does not show the wire shape (open point error-shape): the fields are together, flat or in an envelope. A
// malformed id may get another answer than an unknown one (open point malformed-id-status), and the deliveries of an unknown webhook may be
// an empty list (unknown-webhook-list). A 4xx instead of a 5xx for malformed requests is should (ERR-003).

import { asText, memberOf, serviceCase } from '../../../harness/authoring.js'
import {
  absent,
  requestUntilAnswered,
  expectError,
  expectErrorOfRefusal,
  expectErrorStatus,
  expectNoServerError,
  expectNothingListed,
} from '../shared/error-fields.js'
import { rareEvent } from '../shared/registration.js'

/** Values used as an id that are invalid. */
const oddIds = [
  'nothing',
  '0',
  'msg_',
  '..%2f..',
  '%',
  '\u0000',
  "' or 1=1 --",
  '\u{1F44B}',
  '__proto__',
  'constructor',
  `msg_${'9'.repeat(300)}`,
]
/** Paths whose id is an invalid percent-encoding, or invalid UTF-8. */
const oddPaths = ['%', '%zz', '%e0%a4%a'].flatMap(
  (id) =>
    [
      ['GET', `/v1/webhooks/${id}/deliveries`],
      ['GET', `/v1/emails/${id}`],
    ] as const,
)

export const errors = [
  serviceCase({
    id: 'service/errors/tell-code-message-and-fix',
    requirements: ['ERR-001', 'ERR-002'],
    decides: ['ERR-001'],
    level: 'must',
    title: 'a refused request has an error status and an error with code, message and fix',
    async run({ openSandbox, check, require, publicUrl }) {
      const { api } = (await openSandbox()).project
      require.status(await api.listWebhooks(), [200])
      for (const send of [
        () => api.createWebhook({ url: publicUrl().replace('https:', 'http:') }),
        () => api.createWebhook({}),
        () => api.request('POST', '/v1/webhooks', { body: '{"url":', operation: 'createWebhook' }),
      ]) {
        const answer = await requestUntilAnswered(send)
        expectErrorStatus(check.of('ERR-002'), answer)
        expectError(check.of('ERR-001'), answer)
      }
    },
  }),

  serviceCase({
    id: 'service/errors/tell-why-a-credential-is-refused',
    requirements: ['ERR-005'],
    level: 'must',
    title: 'a request without a key gets an error with code, message and fix',
    async run({ openSandbox, anonymous, check, require }) {
      const { api } = (await openSandbox()).project
      require.of('AUTH-001').status(await api.listWebhooks(), [200])
      const answer = await anonymous().listWebhooks()
      check.of('AUTH-002').refused(answer, [401, 403])
      expectError(check, answer)
    },
  }),

  serviceCase({
    id: 'service/errors/tell-what-the-interface-does-not-have',
    requirements: ['ERR-001'],
    level: 'should',
    title: 'errors of unknown paths and methods have code, message and fix',
    async run({ openSandbox, check, require, unique }) {
      const { api } = (await openSandbox()).project
      require.of('AUTH-001').status(await api.listWebhooks(), [200])
      for (const [method, path] of [
        ['GET', `/v1/${unique()}`],
        ['PUT', '/v1/events'],
        ['GET', '/v1/events/ws'],
      ] as const) {
        const answer = await requestUntilAnswered(() => api.request(method, path))
        // The interface does not show whether other things exist there.
        expectErrorOfRefusal(check, answer)
      }
    },
  }),

  serviceCase({
    id: 'service/errors/unknown-ids-get-an-error',
    requirements: ['ERR-004'],
    decides: ['ERR-004'],
    level: 'must',
    title: 'operations on an unknown webhook, delivery or email are refused with an error',
    async run({ openSandbox, check, require, unique, publicUrl }) {
      const { api } = (await openSandbox()).project
      const created = await api.createWebhook({ url: publicUrl(), event_types: [rareEvent] })
      require.of('WHK-001').status(created, '2xx')
      const webhookId = asText(created.field('id'))
      const list = await api.listDeliveries(`whk_${unique()}`)
      expectNothingListed(check, list)
      if (list.status !== undefined && list.status >= 400) expectError(check.of('ERR-001'), list)
      for (const answer of [
        await api.once.replayDelivery(webhookId, `dlv_${unique()}`),
        await api.replayDelivery(`whk_${unique()}`, `dlv_${unique()}`),
        await api.getEmail(`em_${unique()}`),
        await api.updateEmail(`em_${unique()}`, { scheduled_at: '2030-01-02T03:04:05.000Z' }),
        await api.cancelEmail(`em_${unique()}`),
        // Existing ids of another kind of thing.
        await api.once.replayDelivery(webhookId, webhookId),
        await api.once.getEmail(webhookId),
        await api.once.updateEmail(webhookId, { scheduled_at: '2030-01-02T03:04:05.000Z' }),
        await api.once.cancelEmail(webhookId),
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
    level: 'should',
    title: 'deleting an unknown webhook gets a 4xx or a success, never a 5xx',
    async run({ openSandbox, check, unique }) {
      const { api } = (await openSandbox()).project
      const scheduled = { scheduled_at: '2030-01-02T03:04:05.000Z' }
      for (const id of [`whk_${unique()}`, ...oddIds])
        for (const send of [
          () => api.once.deleteWebhook(id),
          () => api.once.listDeliveries(id),
          () => api.once.replayDelivery(id, id),
          () => api.once.getEmail(id),
          () => api.once.updateEmail(id, scheduled),
          () => api.once.cancelEmail(id),
        ]) {
          const answer = await requestUntilAnswered(send)
          expectNoServerError(check, answer, answer.label)
        }
      for (const [method, path] of oddPaths) {
        const answer = await requestUntilAnswered(() => api.once.request(method, path))
        expectNoServerError(check, answer, `${method} ${path}`)
      }
    },
  }),

  serviceCase({
    id: 'service/versioning/answers-below-v1',
    requirements: ['VER-001'],
    level: 'must',
    title: 'the endpoints answer below /v1',
    async run({ openSandbox, check }) {
      const { api } = (await openSandbox()).project
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
