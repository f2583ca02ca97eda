import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import { verifyWebhook, WebhookVerificationError } from 'webhook-conformance/verifier'
import { countOf, isSigned, behaviour, secret, reportHandled, work, workOnce } from './work.mjs'

const app = new Koa()
// Without this, thrown errors are written to standard error.
app.silent = true

/** The bytes of a request. */
async function bytesOf({ req }) {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const refuse = () =>
  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      ctx.throw(403, 'the signature does not match')
    }
  })

const behaviours = {
  right() {
    refuse()
    app.use(async (ctx, next) => {
      if (ctx.method !== 'POST') return next()
      workOnce(verifyWebhook({ payload: await bytesOf(ctx), headers: ctx.headers, secret }).id)
      ctx.status = 204
    })
  },

  // The parser keeps the text that it read.
  'right-beside-json'() {
    refuse()
    app.use(bodyParser())
    app.use(async (ctx, next) => {
      if (ctx.method !== 'POST') return next()
      workOnce(verifyWebhook({ payload: ctx.request.rawBody ?? '', headers: ctx.headers, secret }).id)
      ctx.body = { received: true }
    })
  },

  'parses-first'() {
    refuse()
    app.use(bodyParser())
    app.use(async (ctx, next) => {
      if (ctx.method !== 'POST') return next()
      verifyWebhook({ payload: JSON.stringify(ctx.request.body ?? {}), headers: ctx.headers, secret })
      workOnce(ctx.request.body.id)
      ctx.body = { received: true }
    })
  },

  'forgets-the-time'() {
    app.use(bodyParser())
    app.use(async (ctx, next) => {
      if (ctx.method !== 'POST') return next()
      if (!isSigned(ctx.headers, ctx.request.rawBody)) ctx.throw(401)
      workOnce(ctx.get('webhook-id'))
      ctx.body = { received: true }
    })
  },

  throws() {
    app.use(async (ctx, next) => {
      if (ctx.method !== 'POST') return next()
      workOnce(verifyWebhook({ payload: await bytesOf(ctx), headers: ctx.headers, secret }).id)
      ctx.body = 'OK'
    })
  },

  'works-first'() {
    refuse()
    app.use(async (ctx, next) => {
      if (ctx.method !== 'POST') return next()
      workOnce(ctx.get('webhook-id'))
      verifyWebhook({ payload: await bytesOf(ctx), headers: ctx.headers, secret })
      ctx.body = 'OK'
    })
  },

  'takes-duplicates-for-new'() {
    refuse()
    app.use(async (ctx, next) => {
      if (ctx.method !== 'POST') return next()
      work(verifyWebhook({ payload: await bytesOf(ctx), headers: ctx.headers, secret }).id)
      ctx.body = 'OK'
    })
  },
}

behaviours[behaviour]()
app.use((ctx) => {
  ctx.body = { count: countOf(decodeURIComponent(ctx.path.replace('/handled/', ''))) }
})
const server = app.listen(0, '127.0.0.1', () => reportHandled(server.address().port))
