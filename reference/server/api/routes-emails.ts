import type { Hono } from 'hono'
import { invalidRequest, notFound } from './api-error.js'
import type { Key } from '../store/directory.js'
import { asObject, readEmail, readInstant, type EmailInput } from './email-input.js'
import type { StoredEmail } from '../store/email-store.js'
import { readJson, readLimit, reply, resource, type ApiContext, type ApiEnv } from './http.js'
import { createFirstResults } from '../store/first-results.js'
import { invalidBatch, readBatch } from './batch.js'
import type { Services } from '../services.js'

/** `/emails`: send, batch, get, list, reschedule, cancel. */
export function emailRoutes(app: Hono<ApiEnv>, services: Services): void {
  const { policy, store, directory, emails, mail } = services
  const firstResults = createFirstResults(store, policy)
  const prefix = `${policy.pathPrefix}/emails`

  resource(app, prefix, { GET: list, POST: send })
  resource(app, `${prefix}/batch`, { POST: batch })
  resource(app, `${prefix}/:id`, { GET: get, PATCH: reschedule })
  resource(app, `${prefix}/:id/cancel`, { POST: cancel })

  async function send(c: ApiContext): Promise<Response> {
    const key = c.get('key')
    const body = await readJson(c, policy)
    const request = firstResults.requestOf({ orgId: key.orgId, path: '/emails', key: idempotencyKey(c), body })
    const answer = store.transaction(() => {
      const first = firstResults.find(request)
      if (first !== undefined) return first
      mail.checkSending(key.workspaceId)
      const [id = ''] = mail.send([read(body, key)], key)
      const sent = policy.sendAnswer(id)
      firstResults.keep(request, sent)
      return sent
    })
    return reply(answer)
  }

  async function batch(c: ApiContext): Promise<Response> {
    const key = c.get('key')
    const body = await readJson(c, policy)
    const mode = policy.batchMode({
      query: c.req.query('batch_validation') ?? c.req.query('batchValidation'),
      header: c.req.header('x-batch-validation'),
    })
    const asked = { orgId: key.orgId, path: '/emails/batch', key: idempotencyKey(c), body: [mode, body] }
    const request = firstResults.requestOf(asked)
    const answer = store.transaction(() => {
      const first = firstResults.find(request)
      if (first !== undefined) return first
      mail.checkSending(key.workspaceId)
      const { inputs, errors } = readBatch(body, { policy, read: (item) => read(item, key) })
      if (errors.length > 0 && mode === 'strict') throw invalidBatch(errors, inputs.length + errors.length, policy)
      const sent = policy.batchAnswer(mail.send(inputs, key), errors)
      firstResults.keep(request, sent)
      return sent
    })
    return reply(answer)
  }

  function read(body: unknown, key: Key): EmailInput {
    const verifiedDomains = directory
      .domainsOf(key.orgId)
      .filter(({ id, status }) => status === 'verified' && (key.domainId === null || key.domainId === id))
      .map(({ name }) => name)
    return readEmail(body, { policy, verifiedDomains })
  }

  function find(c: ApiContext): StoredEmail {
    const key = c.get('key')
    const email = emails.get(c.req.param('id') ?? '')
    if (policy.malformedIdStatus !== null && !/^msg_\d+$/.test(c.req.param('id') ?? ''))
      throw notFound('email', policy.malformedIdStatus)
    if (email === undefined || !policy.keyReaches(key, email)) throw notFound('email', policy.foreignIdStatus)
    return email
  }

  function get(c: ApiContext): Response {
    return reply({ status: 200, body: policy.shownEmail(find(c)) })
  }

  function list(c: ApiContext): Response {
    const key = c.get('key')
    const before = c.req.query('cursor')
    if (before !== undefined && !/^msg_\d{16}$/.test(before)) {
      throw invalidRequest('cursor is not one that was handed out.', 'Pass next_cursor of the last page as cursor.')
    }
    const { emailDefaultLimit: defaultLimit, emailMaxLimit: maxLimit } = policy
    const limit = readLimit(c, { defaultLimit, maxLimit, policy })
    const found = emails.list({ orgId: key.orgId, inboxId: key.inboxId, before, limit: limit + 1 })
    const page = found.slice(0, limit)
    const cursor = policy.nextCursor({ lastId: page.at(-1)?.id, hasMore: found.length > limit })
    const items = page.map((email) => policy.shownEmail(email))
    return reply({ status: 200, body: policy.emailListEnvelope(items, cursor) })
  }

  async function reschedule(c: ApiContext): Promise<Response> {
    const { id } = find(c)
    const body = asObject(await readJson(c, policy))
    const email = find(c)
    mail.reschedule(email, readInstant(body['scheduled_at']))
    return reply(policy.rescheduleAnswer(id))
  }

  function cancel(c: ApiContext): Response {
    const email = find(c)
    mail.cancel(email)
    return reply(policy.cancelAnswer(email.id))
  }
}

function idempotencyKey(c: ApiContext): string | undefined {
  return c.req.header('idempotency-key')
}
