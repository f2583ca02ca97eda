// AUTH-001  "API requests carry `Authorization: Bearer <API_KEY>`."
// AUTH-002  "All endpoints need authentication: a request without a key is refused."
// AUTH-003  "All endpoints need authentication: a request with a key that does not exist is refused."
//
// Reading: the status is not shown (open point auth-status): 401 or 403.

import { serviceCase, type Api, type Exchange } from '../../harness/authoring.js'

const refusals = [401, 403]

/** Every operation that a request without any preparation can name. */
const operations: readonly { readonly name: string; readonly ask: (api: Api) => Promise<Exchange> }[] = [
  { name: 'create-webhook', ask: (api) => api.createWebhook({ url: 'https://hooks.example.com/' }) },
  { name: 'list-webhooks', ask: (api) => api.listWebhooks() },
  { name: 'delete-webhook', ask: (api) => api.deleteWebhook('whk_0') },
  { name: 'list-deliveries', ask: (api) => api.listDeliveries('whk_0') },
  { name: 'replay-delivery', ask: (api) => api.replayDelivery('whk_0', 'dlv_0') },
  { name: 'poll-events', ask: (api) => api.pollEvents() },
  {
    name: 'send-email',
    ask: (api) => api.sendEmail({ from: 'a@b.example', to: 'c@d.example', subject: 'x', text: 'x' }),
  },
  { name: 'send-batch', ask: (api) => api.sendBatch([]) },
  { name: 'get-email', ask: (api) => api.getEmail('em_0') },
  { name: 'list-emails', ask: (api) => api.listEmails() },
  { name: 'update-email', ask: (api) => api.updateEmail('em_0', { scheduled_at: '2030-01-02T03:04:05.000Z' }) },
  { name: 'cancel-email', ask: (api) => api.cancelEmail('em_0') },
]

export const authentication = [
  serviceCase({
    id: 'service/authentication/accepts-the-key-as-bearer',
    requirements: ['AUTH-001'],
    level: 'must',
    title: 'a request with the key as bearer credential is answered',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      check.status(await api.listWebhooks(), [200])
      check.status(await api.pollEvents({ limit: 1 }), [200])
    },
  }),

  ...operations.map(({ name, ask }) =>
    serviceCase({
      id: `service/authentication/${name}-needs-a-key`,
      requirements: ['AUTH-002', 'AUTH-003'],
      level: 'must',
      title: `${name.replace('-', ' ')} without a key, or with one that does not exist, is refused`,
      async run({ scene: open, check, require, unique }) {
        const { api } = (await open()).project
        require.of('AUTH-001').status(await api.listWebhooks(), [200])
        check.of('AUTH-002').refused(await ask(api.as(undefined)), refusals)
        check.of('AUTH-003').refused(await ask(api.as(`key_${unique()}`)), refusals)
      },
    }),
  ),

  serviceCase({
    id: 'service/authentication/refuses-what-is-almost-the-key',
    requirements: ['AUTH-003'],
    level: 'must',
    title: 'a key with a letter more, less or in another case is refused, and so is one under another scheme',
    async run({ scene: open, check, require }) {
      const { api } = (await open()).project
      const key = api.key ?? ''
      require.of('AUTH-001').status(await api.listWebhooks(), [200])
      const almost = [`${key}x`, key.slice(0, -1), `x${key}`, swapCase(key), '', ' ']
      for (const each of almost) check.refused(await api.as(each).listWebhooks(), refusals)
      const bare = api.as(undefined)
      for (const authorization of [`Basic ${Buffer.from(`${key}:`).toString('base64')}`, key, 'Bearer', `Token ${key}`])
        check.refused(await bare.request('GET', '/v1/webhooks', { headers: { authorization } }), refusals)
    },
  }),
]

/** The key with the case of its last letter changed; keys without a letter get one. */
function swapCase(key: string): string {
  const at = key.search(/[a-zA-Z][^a-zA-Z]*$/)
  const letter = key[at]
  if (letter === undefined) return `${key}a`
  const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return key.slice(0, at) + swapped + key.slice(at + 1)
}
