import { Hono } from 'hono'
import { ApiError } from './api-error.js'
import { replyError, type ApiEnv } from './http.js'
import type { Key } from '../store/directory.js'
import type { Policy } from '../policy.js'
import { accountRoutes } from './routes-account.js'
import { isStorageFailure } from '../store/database.js'
import { emailRoutes } from './routes-emails.js'
import { eventRoutes } from './routes-events.js'
import { deliveryRoutes } from './routes-deliveries.js'
import { webhookRoutes } from './routes-webhooks.js'
import type { Services } from '../services.js'

/** The HTTP API: authentication first, then the routes; every refusal is an error with code, message and fix. */
export function createApp(services: Services): Hono<ApiEnv> {
  const { policy } = services
  const app = new Hono<ApiEnv>()
  catchErrors(app, policy)

  app.use(`${policy.pathPrefix}/*`, async (c, next) => {
    const path = c.req.path.slice(policy.pathPrefix.length)
    const key = authenticate(services, c.req.header('authorization'))
    if (key.permissions === 'sending' && !policy.sendingKeyMay(c.req.method, path)) {
      throw new ApiError({
        status: 403,
        code: 'forbidden',
        message: 'This key may only send.',
        fix: 'Use a key with full permissions.',
      })
    }
    c.set('key', key)
    await next()
  })

  webhookRoutes(app, services)
  deliveryRoutes(app, services)
  eventRoutes(app, services)
  emailRoutes(app, services)
  accountRoutes(app, services)
  return app
}

/** Answers every refusal and every unknown path of an app with the interface's error fields. */
export function catchErrors(app: Pick<Hono<ApiEnv>, 'notFound' | 'onError'>, policy: Policy): void {
  app.notFound(() =>
    replyError(
      {
        status: 404,
        code: 'not_found',
        message: 'There is nothing at this path.',
        fix: `See the interface for the paths below ${policy.pathPrefix}.`,
      },
      policy,
    ),
  )
  app.onError((error) => {
    if (error instanceof ApiError) return replyError(error, policy)
    process.emitWarning(error)
    if (isStorageFailure(error)) {
      const message = 'The server cannot write to its data file; nothing of this request was kept.'
      const fix = 'Free space on the disk of the data file, then send the request again.'
      return replyError({ status: 507, code: 'storage_failed', message, fix }, policy)
    }
    const fix = 'Try again, and report it when it stays.'
    return replyError({ status: 500, code: 'internal_error', message: 'The server failed.', fix }, policy)
  })
}

function authenticate(services: Services, authorization: string | undefined): Key {
  const { policy, directory } = services
  const credential = policy.credentialOf(authorization)
  const key = directory.keyOf(credential ?? '')
  if (key !== undefined) return key
  throw new ApiError({
    status: policy.authStatus,
    code: 'unauthorized',
    message: credential === undefined ? 'The request carries no API key.' : 'The API key does not exist.',
    fix: 'Send Authorization: Bearer <API_KEY>.',
  })
}
