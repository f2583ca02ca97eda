// AUTH-001  "API requests carry `Authorization: Bearer <API_KEY>`."
// AUTH-002  "All endpoints need authentication: a request without a key is refused."
// AUTH-003  "All endpoints need authentication: a request with a key that does not exist is refused."
// AUTH-009  "The query parameter `token` is for the stream: an API request that carries the key there alone is refused."
//
// Reading: the interface shows no status (open point auth-status): 401 or 403, or 400 for a malformed bearer token. Other schemes with an
// existing key may be accepted (open point `further-credentials`). The case sends every operation of the OpenAPI document with every fault of
// a credential, and with the id of an existing resource if it can get one: only that finds a guard that looks for the resource first. The
// control is last, since a delete works only once.

import {
  asText,
  serviceCase,
  type Api,
  type Checks,
  type Exchange,
  type RawRequest,
  type Sandbox,
  type ServiceContext,
  type ServiceNeed,
} from '../../../harness/authoring.js'
import { faultsOf, deletedKeys, otherTexts, refusalsOf, type Fault } from '../shared/credentials.js'
import { inAnHour, operations, type Operation, type Resources } from '../shared/operations.js'
import { rareEvent } from '../shared/registration.js'

/** Resources that do not exist, and what else an operation takes. */
function absentResources({ unique, publicUrl, recipient }: ServiceContext): Resources {
  return {
    webhookId: `whk_${unique()}`,
    deliveryId: `dlv_${unique()}`,
    emailId: `msg_${unique()}`,
    url: publicUrl(),
    from: 'a@b.example',
    to: recipient,
  }
}

/** Puts every fault to one operation; a mismatch names the fault. */
async function refuseEach(
  { check }: ServiceContext,
  operation: Operation,
  faults: readonly Fault[],
  {
    api,
    resources,
    query = {},
    headers = {},
  }: Pick<RawRequest, 'query' | 'headers'> & { api: Api; resources: Resources },
): Promise<void> {
  const requested = Object.keys(query).map((name) => `${name}=…`)
  const path = requested.length === 0 ? operation.path : `${operation.path}?${requested.join('&')}`
  for (const fault of faults) {
    const answer = await operation.send(fault.api(api), resources, { query, headers: { ...headers, ...fault.headers } })
    checkRefused(check.of(fault.requirement), fault, answer, `${operation.method} ${path}`)
  }
}

/** A mismatch names the fault of the credential. */
function checkRefused(
  check: Checks,
  { name, refusals }: Pick<Fault, 'name' | 'refusals'>,
  answer: Exchange,
  requested = answer.label,
): void {
  if (answer.status === undefined) check.refused(answer, refusals)
  else
    check.ok(
      `answer to ${requested} with ${name}`,
      refusals.includes(answer.status),
      refusals.join(' or '),
      answer.status,
    )
}

/** Resources of the project: a webhook; a delivery and an email where the case has the powers for them. */
async function resourcesOf(context: ServiceContext, sandbox: Sandbox, operation: Operation): Promise<Resources> {
  const { project } = sandbox
  const { require, unique, recipient } = context
  const made = { ...absentResources(context), ...(project.from === undefined ? {} : { from: project.from }) }
  if (operation.path.includes('{delivery_id}')) {
    const webhook = await project.createWebhook({ eventTypes: ['message.received'] })
    await webhook.attempt(1, await project.raise('message.received'))
    const delivery = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
    return { ...made, webhookId: webhook.id, deliveryId: asText(delivery.id) }
  }
  if (operation.path.startsWith('/v1/webhooks/')) {
    const created = await project.api.createWebhook({ url: made.url, event_types: [rareEvent] })
    require.of('WHK-001').status(created, '2xx')
    return { ...made, webhookId: asText(created.field('id')) }
  }
  if (operation.path.startsWith('/v1/emails/{')) {
    const sent = await project.api.sendEmail({
      from: project.from,
      to: recipient,
      subject: unique(),
      text: 'Sent by a conformance run',
      scheduled_at: inAnHour(),
    })
    require.of('SND-001').status(sent, '2xx')
    const emailId = asText(sent.field('id'))
    context.cleanup(async () => void (await project.api.cancelEmail(emailId)))
    return { ...made, emailId }
  }
  return made
}

/** Returns queries for a list: a maximum, and an existing cursor. */
async function queriesOf(
  { method, path }: Operation,
  { project, isIsolated }: Sandbox,
): Promise<NonNullable<RawRequest['query']>[]> {
  if (method !== 'GET' || !/\/(events|webhooks|emails|deliveries)$/.test(path)) return []
  const newest = async () =>
    isIsolated && project.canRaise ? (await project.raise('message.received')).id : project.listEnd()
  const after = path === '/v1/events' ? await newest() : undefined
  return [{ limit: '1' }, ...(after === undefined ? [] : [{ after }])]
}

/** Whether an operation goes with an `Idempotency-Key`. */
function isSend({ method, path }: Operation): boolean {
  return method === 'POST' && /^\/v1\/emails(\/batch)?$/.test(path)
}

/** Powers for a resource that exists. */
function needsOf({ path }: Operation): readonly ServiceNeed[] {
  if (path.includes('{delivery_id}')) return ['sink', 'event:message.received']
  return path.startsWith('/v1/emails/{') ? ['send'] : ['org']
}

export const authentication = [
  serviceCase({
    id: 'service/authentication/accepts-the-key-as-bearer',
    requirements: ['AUTH-001'],
    level: 'must',
    title: 'a request with the key as bearer credential is answered',
    async run({ openSandbox, check }) {
      const { api } = (await openSandbox()).project
      check.status(await api.listWebhooks(), [200])
      check.status(await api.pollEvents({ limit: 1 }), [200])
    },
  }),

  ...operations.map((operation) =>
    serviceCase({
      id: `service/authentication/${operation.name}-needs-a-key`,
      requirements: ['AUTH-002', 'AUTH-003'],
      level: 'must',
      title: `${operation.method} ${operation.path} without a key, or with an unknown one, is refused and does nothing`,
      needs: needsOf(operation),
      async run(context) {
        const sandbox = await context.openSandbox()
        const { api } = sandbox.project
        const resources = await resourcesOf(context, sandbox, operation)
        const faults = faultsOf(api.key ?? '', context.unique, await deletedKeys(context, sandbox))
        await refuseEach(context, operation, faults, { api, resources })
        for (const query of await queriesOf(operation, sandbox))
          await refuseEach(context, operation, faults.slice(0, 3), { api, resources, query })
        if (operation.path.startsWith('/v1/emails') && sandbox.project.from === undefined) return
        const headers = isSend(operation) ? { 'idempotency-key': context.unique() } : {}
        const control = await operation.send(api, resources, { headers })
        context.check.of('AUTH-001').status(control, '2xx')
        // The first result of a send is for those alone who have a key.
        if (isSend(operation)) await refuseEach(context, operation, faults.slice(0, 3), { api, resources, headers })
        const made = control.field('id')
        if (operation.path === '/v1/webhooks' && typeof made === 'string') await api.deleteWebhook(made)
      },
    }),
  ),

  serviceCase({
    id: 'service/authentication/ids-that-do-not-exist-need-a-key-too',
    requirements: ['AUTH-002', 'AUTH-003'],
    decides: ['AUTH-002', 'AUTH-003'],
    level: 'must',
    title: 'without a valid key, operations on unknown ids are refused because of the key',
    async run(context) {
      const { openSandbox, unique, require } = context
      const { api } = (await openSandbox()).project
      require.of('AUTH-001').status(await api.listWebhooks(), [200])
      const resources = absentResources(context)
      const faults = faultsOf(api.key ?? '', unique).slice(0, 3)
      for (const operation of operations.filter(({ path }) => path.includes('{')))
        await refuseEach(context, operation, faults, { api, resources })
    },
  }),

  serviceCase({
    id: 'service/authentication/refuses-what-is-almost-the-key',
    requirements: ['AUTH-003'],
    level: 'must',
    title: 'a key with a changed letter, and a scheme without a key, are refused',
    async run({ openSandbox, check, require }) {
      const { project } = await openSandbox()
      const { api } = project
      const key = api.key ?? ''
      require.of('AUTH-001').status(await api.listWebhooks(), [200])
      for (const fault of faultsOf(key, () => 'unknown'))
        checkRefused(check, fault, await fault.api(api).listWebhooks())
      // What the key of an inbox may do with webhooks is open; its events it may poll.
      for (const { api: ofInbox } of project.inboxes.slice(0, 1)) {
        require.of('AUTH-001').status(await ofInbox.pollEvents({ limit: 1 }), [200])
        for (const { name, api: withFault, refusals } of faultsOf(ofInbox.key ?? '', () => 'unknown')) {
          const answer = await withFault(ofInbox).pollEvents({ limit: 1 })
          checkRefused(check, { name: `${name}, which is of an inbox`, refusals }, answer)
        }
      }
      const bare = api.as(undefined)
      for (const authorization of [
        'Bearer',
        'Bearer null',
        'Bearer undefined',
        'Bearer *',
        `Bearer ${key.slice(0, 4)}%`,
        `Basic ${Buffer.from(`${key}x:`).toString('base64')}`,
        `${key}x`,
      ])
        check.refused(
          await bare.request('GET', '/v1/webhooks', { headers: { authorization } }),
          refusalsOf(authorization),
        )
    },
  }),

  // Jetty 9 keeps the headers of a connection and finds them again in any case of their letters: the wrong key was taken.
  serviceCase({
    id: 'service/authentication/a-connection-remembers-no-key',
    requirements: ['AUTH-002', 'AUTH-003'],
    level: 'must',
    title: 'on one connection, requests without a valid key are refused between accepted ones',
    async run({ openSandbox, check, require }) {
      const { api } = (await openSandbox()).project
      const faults = faultsOf(api.key ?? '', () => 'unknown')
      // Few at a time: a server may keep only so many headers of a connection.
      for (let at = 0; at < faults.length; at += 3)
        await api.onOneConnection(async (one) => {
          require.of('AUTH-001').status(await one.listWebhooks(), [200])
          for (const fault of faults.slice(at, at + 3))
            checkRefused(check.of(fault.requirement), fault, await fault.api(one).listWebhooks())
          check.of('AUTH-001').status(await one.listWebhooks(), [200])
        })
    },
  }),

  serviceCase({
    id: 'service/authentication/takes-nothing-else-for-a-key',
    requirements: ['AUTH-003'],
    level: 'must',
    title: 'webhook secrets, and ids, addresses and names of the org, are not accepted as keys',
    needs: ['org'],
    async run(context) {
      const { project } = await context.openSandbox()
      const { api } = project
      const resources = absentResources(context)
      const faults = await otherTexts(context, project)
      for (const operation of operations) await refuseEach(context, operation, faults, { api, resources })
    },
  }),

  serviceCase({
    id: 'service/authentication/takes-no-key-from-the-query',
    requirements: ['AUTH-009'],
    level: 'should',
    title: 'an API request with the key only in the query parameter token is refused',
    async run({ openSandbox, check, require }) {
      const { api } = (await openSandbox()).project
      require.of('AUTH-001').status(await api.listWebhooks(), [200])
      const bare = api.as(undefined)
      for (const path of ['/v1/webhooks', '/v1/events', '/v1/emails'])
        check.refused(await bare.request('GET', path, { query: { token: api.key } }), refusalsOf(undefined))
    },
  }),
]
