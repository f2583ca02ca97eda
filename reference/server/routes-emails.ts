import type { Hono } from 'hono'
import { ApiError, invalidRequest, notFound } from './api-error.js'
import type { Key } from './directory.js'
import { asObject, readEmail, readInstant, type EmailInput } from './email-input.js'
import type { StoredEmail } from './email-store.js'
import { readJson, readLimit, reply, resource, type ApiContext, type ApiEnv } from './http.js'
import { createFirstResults } from './first-results.js'
import type { Answer, BatchError } from './policy.js'
import type { Services } from './services.js'

/** `/emails`: send, batch, get, list, reschedule, cancel. */
export function emailRoutes(app: Hono<ApiEnv>, services: Services): void {
  const { policy, directory, emails, engine, mail } = services
  const firstResults = createFirstResults(services.store, policy)
  const prefix = `${policy.pathPrefix}/emails`

  resource(app, prefix, { GET: list, POST: send })
  resource(app, `${prefix}/batch`, { POST: batch })
  resource(app, `${prefix}/:id`, { GET: get, PATCH: reschedule })
  resource(app, `${prefix}/:id/cancel`, { POST: cancel })

  async function send(c: ApiContext): Promise<Response> {
    const key = c.get('key')
    const body = await readJson(c, policy)
    const request = { orgId: key.orgId, path: '/emails', key: c.req.header('idempotency-key'), body }
    return reply(
      firstResults.once(request, (keep) => {
        mail.checkSending(key.workspaceId)
        const [id = ''] = mail.send([read(body, key)], key, ([made = '']) => keep(policy.sendAnswer(made)))
        return policy.sendAnswer(id)
      }),
    )
  }

  async function batch(c: ApiContext): Promise<Response> {
    const key = c.get('key')
    const body = await readJson(c, policy)
    const mode = policy.batchMode({
      query: c.req.query('batch_validation') ?? c.req.query('batchValidation'),
      header: c.req.header('x-batch-validation'),
    })
    const request = {
      orgId: key.orgId,
      path: '/emails/batch',
      key: c.req.header('idempotency-key'),
      body: [mode, body],
    }
    return reply(
      firstResults.once(request, (keep) => {
        mail.checkSending(key.workspaceId)
        return sendBatch(body, { key, mode, keep })
      }),
    )
  }

  function sendBatch(
    body: unknown,
    options: { key: Key; mode: 'strict' | 'permissive'; keep: (answer: Answer) => void },
  ): Answer {
    const { key, mode, keep } = options
    if (!Array.isArray(body)) throw invalidRequest('The body is not an array.', 'Send an array of emails.')
    if (body.length === 0 || body.length > policy.maxBatchSize) {
      throw new ApiError({
        status: policy.batchErrorStatus,
        code: 'invalid_batch',
        message: `A batch of ${body.length} emails is not possible.`,
        fix: `Send 1 to ${policy.maxBatchSize} emails.`,
        errors: [],
      })
    }
    const inputs: EmailInput[] = []
    const errors: BatchError[] = []
    for (const [index, item] of body.entries()) {
      try {
        inputs.push(read(item, key))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        errors.push({ index, code: error.code, message: error.message })
      }
    }
    if (errors.length > 0 && mode === 'strict') {
      if (policy.refusedBatchSends === 'valid-items') mail.send(inputs, key, () => undefined)
      throw new ApiError({
        status: policy.batchErrorStatus,
        code: 'invalid_batch',
        message: `${errors.length} of ${body.length} emails are invalid; nothing was sent.`,
        fix: 'Correct the items that errors names, or ask for permissive validation.',
        errors: policy.batchErrors(errors),
      })
    }
    const ids = mail.send(inputs, key, (made) => keep(policy.batchAnswer(made, errors)))
    return policy.batchAnswer(ids, errors)
  }

  function read(body: unknown, key: Key): EmailInput {
    const verifiedDomains = directory
      .domainsOf(key.orgId)
      .filter(({ id, status }) => status === 'verified' && (key.domainId === null || key.domainId === id))
      .map(({ name }) => name)
    return readEmail(body, { policy, verifiedDomains, nowMs: engine.now(key.workspaceId) })
  }

  function find(c: ApiContext): StoredEmail {
    const key = c.get('key')
    const email = emails.get(c.req.param('id') ?? '')
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
    mail.reschedule(email, readInstant(body['scheduled_at'], engine.now(email.workspaceId)))
    return reply(policy.rescheduleAnswer(id))
  }

  function cancel(c: ApiContext): Response {
    const email = find(c)
    mail.cancel(email)
    return reply(policy.cancelAnswer(email.id))
  }
}
