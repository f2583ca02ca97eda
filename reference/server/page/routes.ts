import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { eventTypes, type EventType } from '../../../spec/index.js'
import { openapiDocument } from '../../../spec/generated/documents.js'
import { isLoopbackAddress } from '../addresses.js'
import { ApiError, invalidRequest } from '../api-error.js'
import { catchErrors } from '../app.js'
import { asObject } from '../email-input.js'
import { readJson, reply, resource, type ApiContext, type ApiEnv } from '../http.js'
import type { Services } from '../services.js'
import { pageDocument } from './document.js'
import { sampleOf } from './samples.js'
import { pageScript } from './script.js'
import { pageStyle } from './style.js'

/** Where the page is; nothing of the interface lives there. */
export const pagePath = '/_page'

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/**
 * The page of the server: its files, and the two things it does that the interface has no path for. Only a browser on this
 * machine that names this machine gets an answer, and only an API key that sees the whole org raises events.
 */
export function createPage(services: Services): Hono<ApiEnv> {
  const { policy, directory, recorder } = services
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
    for (const [name, value] of Object.entries(securityHeaders)) c.res.headers.set(name, value)
  })

  const file = (path: string, type: string, text: string): void =>
    resource(app, pagePath + path, {
      GET: () => new Response(text, { headers: { 'content-type': `${type}; charset=utf-8` } }),
    })
  file('', 'text/html', pageDocument)
  file('/style.css', 'text/css', pageStyle)
  file('/script.js', 'text/javascript', pageScript)
  file('/openapi.json', 'application/json', JSON.stringify(openapiDocument))
  resource(app, `${pagePath}/facts`, { GET: facts })
  resource(app, `${pagePath}/events`, { POST: raise })

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
    const { orgId } = keyOf(c)
    const inboxes = directory.inboxesOf(orgId).map(({ id, address }) => ({ id, address }))
    return reply({ status: 200, body: { org_id: orgId, inboxes, event_types: Object.keys(eventTypes) } })
  }

  async function raise(c: ApiContext): Promise<Response> {
    const { orgId, workspaceId } = keyOf(c)
    const { types, inbox_id: asked } = asObject(await readJson(c, policy))
    if (!Array.isArray(types) || !types.every((type): type is EventType => Object.hasOwn(eventTypes, String(type))))
      throw invalidRequest('types is not a list of event types.', 'Send types as a list of event types.')
    const inboxes = directory.inboxesOf(orgId)
    const inbox = asked === undefined ? inboxes[0] : inboxes.find(({ id }) => id === asked)
    if (inbox === undefined) throw invalidRequest('There is no such inbox.', 'Send the inbox_id of an inbox, or none.')
    const ids = types.map(
      (type) =>
        recorder.record((record) => record({ orgId, type, data: sampleOf(type, { inboxId: inbox.id, workspaceId }) }))
          ?.id,
    )
    return reply({ status: 201, body: { ids } })
  }

  return app
}

/** Whether a `Host` header names this machine: a name that somebody else's DNS leads here does not. */
function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || isLoopbackAddress(name)
}
