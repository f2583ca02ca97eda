import type { Hono } from 'hono'
import { ApiError, invalidRequest } from './api-error.js'
import { readLimit, replyText, resource, type ApiContext, type ApiEnv } from './http.js'
import type { Services } from '../services.js'

/** `/events`, and the answer to a stream request that is not an upgrade. */
export function eventRoutes(app: Hono<ApiEnv>, services: Services): void {
  const { policy, events } = services

  resource(app, `${policy.pathPrefix}${policy.streamPath}`, { GET: withoutUpgrade })
  resource(app, `${policy.pathPrefix}/events`, { GET: poll })

  function poll(c: ApiContext): Response {
    const key = c.get('key')
    const after = c.req.query('after')
    if (after === '' && policy.emptyAfter === 'refuse')
      throw invalidRequest('after is empty.', 'Leave after out, or pass next_after of the last page.')
    if (after !== undefined && policy.unknownAfter === 'refuse' && !/^(evt_.*)?$/.test(after)) {
      throw invalidRequest('after is not the id of an event.', 'Pass next_after of the last page as after.')
    }
    const limit = readLimit(c, { defaultLimit: policy.pollDefaultLimit, maxLimit: policy.pollMaxLimit, policy })
    const page = events.page({
      orgId: key.orgId,
      inboxId: policy.pollInbox(key.inboxId),
      after: after ?? '',
      limit,
    })
    const nextAfter = policy.nextAfter({ lastId: page.lastId, after })
    return replyText(200, policy.pollEnvelope(page.json, nextAfter))
  }
}

function withoutUpgrade(): Response {
  throw new ApiError({
    status: 426,
    code: 'upgrade_required',
    message: 'The stream is a WebSocket.',
    fix: 'Open this address with a WebSocket client.',
  })
}
