import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono, type Next } from 'hono'
import { eventTypes, type EventType } from '../../../spec/index.js'
import { asyncapiDocument, openapiDocument } from '../../../spec/generated/documents.js'
import { isFromOwnPage, pageFile, servedHeaders, servedPage } from '../../../pages/index.js'
import { isLoopbackAddress } from '../egress/addresses.js'
import { ApiError, invalidRequest, notFound } from '../api/api-error.js'
import { catchErrors } from '../api/app.js'
import { asObject } from '../api/email-input.js'
import { readJson, reply, resource, type ApiContext, type ApiEnv } from '../api/http.js'
import { serializer } from '../policy/members.js'
import type { Services } from '../services.js'
import type { AttemptLog } from './attempt-log.js'
import { sendForged, type Forger } from './forger.js'
import { sampleOf } from './samples.js'

/** Where the page is; nothing of the interface lives there. */
export const pagePath = '/_page'

/** A day: all attempts of a delivery lie within. */
const maxAdvanceMs = 86_400_000

interface PageOptions {
  readonly log: AttemptLog
  readonly canMoveTime: boolean
  readonly forger: Forger | undefined
}

/**
 * The page of the server: its files, and what it does that the interface has no path for. Only a browser on this
 * machine that names this machine gets an answer, and only an API key that sees the whole org
 * raises events, sees attempts and, where the control interface is offered, moves time.
 */
export function createPage(services: Services, options: PageOptions): Hono<ApiEnv> {
  const { policy, directory, recorder, queues, engine } = services
  const { canMoveTime, forger } = options
  const app = new Hono<ApiEnv>()
  catchErrors(app, policy)

  app.use('*', guard)

  const file = (path: string, type: string, text: () => string): void =>
    resource(app, pagePath + path, {
      GET: () => new Response(text(), { headers: { 'content-type': `${type}; charset=utf-8` } }),
    })
  file('', 'text/html', () => servedPage({ page: 'server', title: 'Reference server', base: `${pagePath}/` }))
  file('/style.css', 'text/css', () => pageFile('style.css'))
  file('/server.js', 'text/javascript', () => pageFile('server.js'))
  file('/openapi.json', 'application/json', () => JSON.stringify(openapiDocument))
  file('/asyncapi.json', 'application/json', () => JSON.stringify(asyncapiDocument))
  resource(app, `${pagePath}/facts`, { GET: facts })
  resource(app, `${pagePath}/events`, { POST: raise })
  addWebhooks(app, services, options)
  if (canMoveTime) resource(app, `${pagePath}/clock`, { POST: moveTime })

  const keyOf = (c: ApiContext) => keyOfPage(services, c)

  function facts(c: ApiContext): Response {
    const { orgId, workspaceId } = keyOf(c)
    const inboxes = directory.inboxesOf(orgId).map(({ id, address }) => ({ id, address }))
    const inboxId = inboxes[0]?.id ?? ''
    const types = Object.keys(eventTypes) as EventType[]
    const samples = Object.fromEntries(types.map((type) => [type, sampleOf(type, { inboxId, workspaceId })]))
    const now = queues.now(workspaceId)
    return reply({
      status: 200,
      body: {
        org_id: orgId,
        inboxes,
        event_types: types,
        samples,
        now,
        can_move_time: canMoveTime,
        forgeries: forger?.kinds ?? [],
      },
    })
  }

  async function raise(c: ApiContext): Promise<Response> {
    const { orgId, workspaceId } = keyOf(c)
    const { types, inbox_id: asked, data } = asObject(await readJson(c, policy))
    if (!Array.isArray(types) || !types.every((type): type is EventType => Object.hasOwn(eventTypes, String(type))))
      throw invalidRequest('types is not a list of event types.', 'Send types as a list of event types.')
    const inboxes = directory.inboxesOf(orgId)
    const inbox = asked === undefined ? inboxes[0] : inboxes.find(({ id }) => id === asked)
    if (inbox === undefined) throw invalidRequest('There is no such inbox.', 'Send the inbox_id of an inbox, or none.')
    const given = data === undefined ? undefined : asObject(data)
    const ids = types.map((type) => {
      const sample = () => sampleOf(type, { inboxId: inbox.id, workspaceId })
      return recorder.raise({ orgId, type, data: given ?? sample() })?.id
    })
    return reply({ status: 201, body: { ids } })
  }

  async function moveTime(c: ApiContext): Promise<Response> {
    const { workspaceId } = keyOf(c)
    const { advance_ms: byMs } = asObject(await readJson(c, policy))
    if (typeof byMs !== 'number' || !Number.isInteger(byMs) || byMs < 0 || byMs > maxAdvanceMs)
      throw invalidRequest('advance_ms is not a whole number of milliseconds.', `Send 0 to ${maxAdvanceMs}.`)
    return reply({ status: 200, body: { now: await engine.advance(workspaceId, byMs) } })
  }

  return app
}

/** The secret of a webhook, the attempts of a delivery, and its forgeries. */
function addWebhooks(app: Hono<ApiEnv>, services: Services, { log, forger }: PageOptions): void {
  const { policy, webhooks, deliveries, events, egress, queues } = services
  const bodyOf = serializer(policy.bodyMembers)
  resource(app, `${pagePath}/webhooks/:webhook`, {
    GET: (c) => reply({ status: 200, body: { secret: webhookOf(c).secret } }),
  })
  resource(app, `${pagePath}/webhooks/:webhook/deliveries/:id`, { GET: attemptsOf })
  if (forger !== undefined) resource(app, `${pagePath}/webhooks/:webhook/deliveries/:id/forge`, { POST: forge })

  function webhookOf(c: ApiContext) {
    const { orgId } = keyOfPage(services, c)
    const webhook = webhooks.get(c.req.param('webhook') ?? '')
    if (webhook === undefined || webhook.isDeleted || webhook.orgId !== orgId) throw notFound('webhook')
    return webhook
  }

  function deliveryOf(c: ApiContext) {
    const webhook = webhookOf(c)
    const delivery = deliveries.get(c.req.param('id') ?? '', webhook.id)
    if (delivery === undefined) throw notFound('delivery')
    return { webhook, delivery }
  }

  /** The attempts of a delivery as they were made since the server started. */
  function attemptsOf(c: ApiContext): Response {
    return reply({ status: 200, body: { attempts: log.of(deliveryOf(c).delivery.id) } })
  }

  /** Sends a forgery of a delivery to its webhook, once; it is in no list of deliveries. */
  async function forge(c: ApiContext): Promise<Response> {
    const { webhook, delivery } = deliveryOf(c)
    const { name } = asObject(await readJson(c, policy))
    const kind = forger?.kinds.find((candidate) => candidate.name === name)
    const event = events.get(delivery.eventId)
    const timestamp = Math.floor(queues.now(webhook.workspaceId) / 1000)
    const good = event && { id: event.id, timestamp, secret: webhook.secret, body: bodyOf(event) }
    const forged = good && kind && forger?.make(kind.name, good)
    if (forged === undefined || kind === undefined)
      throw invalidRequest('There is no such forgery of this delivery.', 'Send the name of one of the forgeries.')
    return reply({ status: 200, body: await sendForged({ policy, egress, url: webhook.url, kind, forged }) })
  }
}

/** The key of a request; it must see the whole org. */
function keyOfPage({ policy, directory }: Services, c: ApiContext) {
  const credential = policy.credentialOf(c.req.header('authorization'))
  const key = credential === undefined ? undefined : directory.keyOf(credential)
  if (key !== undefined && key.permissions === 'full' && key.inboxId === null) return key
  throw new ApiError({
    status: 401,
    code: 'unauthorized',
    message: 'The API key is missing, or does not see the whole org.',
    fix: 'Open the page at the address that was printed: it carries the key.',
  })
}

/** Answers browsers on this machine alone, and of their requests that act those of the page itself. */
async function guard(c: ApiContext, next: Next): Promise<void> {
  if (!isLoopbackAddress(getConnInfo(c).remote.address ?? '') || !isLoopbackHost(c.req.header('host'))) {
    throw new ApiError({
      status: 403,
      code: 'forbidden',
      message: 'The page is for this machine only.',
      fix: 'Open it at the address that was printed.',
    })
  }
  if (c.req.method !== 'GET' && !isFromOwnPage((name) => c.req.header(name))) {
    throw new ApiError({
      status: 403,
      code: 'forbidden',
      message: 'The request is from another page.',
      fix: 'Use the page at the address that was printed.',
    })
  }
  await next()
  for (const [name, value] of Object.entries(servedHeaders)) c.res.headers.set(name, value)
}

/** Whether a `Host` header names this machine: a name in foreign DNS does not. */
function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || isLoopbackAddress(name)
}
