import Fastify from 'fastify'
import { verifyWebhook, WebhookVerificationError } from 'webhook-conformance/verifier'
import { countOf, isSigned, behaviour, secret, reportHandled, work, workOnce } from './work.mjs'

const app = Fastify()

/** Keeps the body unparsed, as bytes or as text. */
const keepRaw = (parseAs) =>
  app.addContentTypeParser('application/json', { parseAs }, (_request, body, done) => done(null, body))
const refuse = () =>
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof WebhookVerificationError ? 401 : (error.statusCode ?? 500)).send({ error: error.code }),
  )

const behaviours = {
  right() {
    keepRaw('buffer')
    refuse()
    app.post('/webhooks', async ({ body, headers }, reply) => {
      workOnce(verifyWebhook({ payload: body ?? '', headers, secret }).id)
      return reply.code(204).send()
    })
  },

  'right-as-text'() {
    keepRaw('string')
    refuse()
    app.post('/webhooks', async ({ body, headers }) => {
      workOnce(verifyWebhook({ payload: body ?? '', headers, secret }).id)
      return { received: true }
    })
  },

  'parses-first'() {
    refuse()
    app.post('/webhooks', async ({ body, headers }) => {
      verifyWebhook({ payload: JSON.stringify(body ?? {}), headers, secret })
      workOnce(body.id)
      return { received: true }
    })
  },

  'forgets-the-time'() {
    keepRaw('string')
    app.post('/webhooks', async ({ body, headers }, reply) => {
      if (!isSigned(headers, body)) return reply.code(401).send({ error: 'signature' })
      workOnce(headers['webhook-id'])
      return { received: true }
    })
  },

  throws() {
    keepRaw('buffer')
    app.post('/webhooks', async ({ body, headers }) => {
      workOnce(verifyWebhook({ payload: body ?? '', headers, secret }).id)
      return { received: true }
    })
  },

  'works-first'() {
    keepRaw('buffer')
    refuse()
    app.post('/webhooks', async ({ body, headers }) => {
      workOnce(headers['webhook-id'])
      verifyWebhook({ payload: body ?? '', headers, secret })
      return { received: true }
    })
  },

  'takes-duplicates-for-new'() {
    keepRaw('buffer')
    refuse()
    app.post('/webhooks', async ({ body, headers }) => {
      work(verifyWebhook({ payload: body ?? '', headers, secret }).id)
      return { received: true }
    })
  },
}

behaviours[behaviour]()
app.get('/handled/:id', async ({ params }) => ({ count: countOf(params.id) }))
await app.listen({ host: '127.0.0.1', port: 0 })
reportHandled(app.server.address().port)
