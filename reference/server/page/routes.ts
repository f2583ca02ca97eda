import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { eventTypes, type EventType } from '../../../spec/index.js'
import { asyncapiDocument, openapiDocument } from '../../../spec/generated/documents.js'
import { pageFile, servedHeaders, servedPage } from '../../../pages/index.js'
import { isLoopbackAddress } from '../egress/addresses.js'
import { ApiError, invalidRequest, notFound } from '../api/api-error.js'
import { catchErrors } from '../api/app.js'
import { asObject } from '../api/email-input.js'
import { readJson, reply, resource, type ApiContext, type ApiEnv } from '../api/http.js'
import type { Services } from '../services.js'
import type { AttemptLog } from './attempt-log.js'
import { sampleOf } from './samples.js'

/** Where the page is; nothing of the interface lives there. */
export const pagePath = '/_page'

/** A day: all attempts of a delivery lie within. */
const maxAdvanceMs = 86_400_000

/**
 * The page of the server: its files, and what it does that the interface has no path for. Only a browser on this
 * machine that names this machine gets an answer, and only an API key that sees the whole org
 * raises events, sees attempts and, where the control interface is offered, moves time.
 */
export function createPage(
  services: Services,
  { log, canMoveTime }: { readonly log: AttemptLog; readonly canMoveTime: boolean },
): Hono<ApiEnv> {
  const { policy, directory, recorder, webhooks, deliveries, queues, engine } = services
  const app = new Hono<ApiEnv>()
  catchErrors(app, policy)

  app.use('*', async (c, next) => {
    if (!isLoopbackAddress(getConnInfo(c).remote.address ?? '') || !isLoopbackHost(c.req.header('host'))) {
      throw new ApiError({
        status: 403,
        code: 'forbidden',
        message: 'The page is for this machine only.',
        fix: 'Open it at the address that was printed.',
      })
    }
    await next()
    for (const [name, value] of Object.entries(servedHeaders)) c.res.headers.set(name, value)
  })

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
  resource(app, `${pagePath}/webhooks/:webhook/deliveries/:id`, { GET: attemptsOf })
  if (canMoveTime) resource(app, `${pagePath}/clock`, { POST: moveTime })

  function keyOf(c: ApiContext) {
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

  function facts(c: ApiContext): Response {
    const { orgId, workspaceId } = keyOf(c)
    const inboxes = directory.inboxesOf(orgId).map(({ id, address }) => ({ id, address }))
    const inboxId = inboxes[0]?.id ?? ''
    const types = Object.keys(eventTypes) as EventType[]
    const samples = Object.fromEntries(types.map((type) => [type, sampleOf(type, { inboxId, workspaceId })]))
    const now = queues.now(workspaceId)
    return reply({
      status: 200,
      body: { org_id: orgId, inboxes, event_types: types, samples, now, can_move_time: canMoveTime },
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

  /** One delivery, and its attempts as they were made since the server started. */
  function attemptsOf(c: ApiContext): Response {
    const { orgId } = keyOf(c)
    const webhookId = c.req.param('webhook') ?? ''
    const delivery = deliveries.get(c.req.param('id') ?? '', webhookId)
    if (delivery === undefined || webhooks.get(webhookId)?.orgId !== orgId) throw notFound('delivery')
    return reply({ status: 200, body: { attempts: log.of(delivery.id) } })
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

/** Whether a `Host` header names this machine: a name in foreign DNS does not. */
function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || isLoopbackAddress(name)
}
