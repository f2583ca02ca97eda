import { timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { eventTypes } from '../../spec/index.js'
import { allowEgress, setAnswers } from './control-network.js'
import { invalidRequest, notFound } from './api/api-error.js'
import { catchErrors } from './api/app.js'
import { asObject } from './api/email-input.js'
import { readJson, reply, replyError, resource, type ApiContext, type ApiEnv } from './api/http.js'
import { digest } from './ids.js'
import { setSendingStatus } from './sending.js'
import type { Services } from './services.js'

/** Parts of the control interface, each of which can be withdrawn. */
export type Capability = 'workspaces' | 'events' | 'sending' | 'clock' | 'dns' | 'egress'

export const allCapabilities: readonly Capability[] = ['workspaces', 'events', 'sending', 'clock', 'dns', 'egress']

const maxProjects = 100
const maxInboxes = 100
/** Ten years: far beyond any retry, and far below where dates end. */
const maxAdvanceMs = 315_360_000_000

/** The control interface, version 1; see docs/contract.md, part 3. */
export function createControl(
  services: Services,
  options: { key: string; capabilities: readonly Capability[]; path: string },
): Hono<ApiEnv> {
  const { policy, directory, engine, recorder } = services
  const { capabilities } = options
  const app = new Hono<ApiEnv>()
  catchErrors(app, policy)
  requireKey(app, options.key, policy)

  const offer = (capability: Capability, path: string, methods: Parameters<typeof resource<ApiEnv>>[2]): void => {
    if (capabilities.includes(capability)) resource(app, options.path + path, methods)
  }

  const about = (): Response =>
    reply({ status: 200, body: { control: 1, name: 'reference-server', version: '1', capabilities } })
  resource(app, options.path, { GET: about })
  resource(app, `${options.path}/`, { GET: about })
  offer('workspaces', '/workspaces', { POST: createWorkspace })
  offer('workspaces', '/workspaces/:id', { DELETE: deleteWorkspace })
  offer('events', '/events', { POST: raiseEvent })
  offer('sending', '/workspaces/:id/sending', { POST: setSending })
  offer('clock', '/workspaces/:id/clock', { POST: advanceClock })
  offer('dns', '/dns', { POST: async (c) => setAnswers(await fields(c), services) })
  offer('egress', '/egress', { POST: async (c) => allowEgress(await fields(c), services) })

  async function fields(c: ApiContext): Promise<Readonly<Record<string, unknown>>> {
    return asObject(await readJson(c, policy))
  }

  function workspaceId(c: ApiContext): string {
    const id = c.req.param('id') ?? ''
    if (directory.workspace(id) === undefined) throw notFound('workspace')
    return id
  }

  async function createWorkspace(c: ApiContext): Promise<Response> {
    const body = await fields(c)
    const projects = wholeNumber(body, 'projects', { least: 1, most: maxProjects, absent: 1 })
    const inboxes = wholeNumber(body, 'inboxes', { least: 0, most: maxInboxes, absent: 2 })
    const made = directory.createWorkspace({ projects, inboxes, nowMs: Date.now() })
    return reply({ status: 201, body: { workspace_id: made.workspaceId, projects: made.projects } })
  }

  function deleteWorkspace(c: ApiContext): Response {
    const id = workspaceId(c)
    services.stream.dropOrgs(directory.orgsOf(id))
    engine.drop(id)
    directory.removeWorkspace(id)
    services.webhooks.forgetAll()
    return reply({ status: 204 })
  }

  async function raiseEvent(c: ApiContext): Promise<Response> {
    const event = recorder.raise(newEvent(await fields(c)))
    if (event === undefined) throw notFound('org')
    return reply({ status: 201, body: { id: event.id } })
  }

  async function setSending(c: ApiContext): Promise<Response> {
    const id = workspaceId(c)
    const { status, reason } = await fields(c)
    if (status !== 'paused' && status !== 'active') {
      throw invalidRequest('status is neither paused nor active.', 'Send paused or active.')
    }
    if (reason !== undefined && reason !== null && typeof reason !== 'string') {
      throw invalidRequest('reason is not a string.', 'Send reason as a string.')
    }
    setSendingStatus(services, { workspaceId: id, status, reason: reason ?? undefined })
    return reply({ status: 200, body: { status } })
  }

  async function advanceClock(c: ApiContext): Promise<Response> {
    const id = workspaceId(c)
    const byMs = wholeNumber(await fields(c), 'advance_ms', { least: 0, most: maxAdvanceMs, absent: undefined })
    const now = await engine.advance(id, byMs)
    return reply({ status: 200, body: { now: new Date(now).toISOString() } })
  }

  return app
}

function wholeNumber(
  body: Readonly<Record<string, unknown>>,
  name: string,
  options: { least: number; most: number; absent: number | undefined },
): number {
  const value = body[name] === undefined ? options.absent : body[name]
  if (typeof value === 'number' && Number.isInteger(value) && value >= options.least && value <= options.most)
    return value
  const range = `${options.least} to ${options.most}`
  throw invalidRequest(`${name} is not a whole number from ${range}.`, `Send ${name} as a number from ${range}.`)
}

function requireKey(app: Hono<ApiEnv>, key: string, policy: Services['policy']): void {
  const keyDigest = Buffer.from(digest(key))

  app.use('*', async (c, next) => {
    const sent = /^bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (sent === undefined || !timingSafeEqual(Buffer.from(digest(sent)), keyDigest)) {
      return replyError(
        {
          status: 401,
          code: 'unauthorized',
          message: 'The control key is missing or wrong.',
          fix: 'Send Authorization: Bearer <control key>.',
        },
        policy,
      )
    }
    return next()
  })
}

/** The event that is to be raised. Errors: `ApiError` 400. */
function newEvent(body: Readonly<Record<string, unknown>>) {
  const { org_id: orgId, type } = body
  if (typeof orgId !== 'string') throw invalidRequest('org_id is missing or not a string.', 'Send the id of a project.')
  if (typeof type !== 'string' || !Object.hasOwn(eventTypes, type)) {
    throw invalidRequest('type is not an event type.', `Send one of ${Object.keys(eventTypes).join(', ')}.`)
  }
  const data = body['data']
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw invalidRequest('data is missing or not an object.', 'Send the data of the event as an object.')
  }
  const inboxId = (data as Record<string, unknown>)['inbox_id']
  if (inboxId !== undefined && inboxId !== null && typeof inboxId !== 'string') {
    throw invalidRequest('data.inbox_id is not a string.', 'Send the id of an inbox, or null.')
  }
  return { orgId, type, data: data as Record<string, unknown> }
}
