import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { verifyWebhook, WebhookVerificationError } from 'webhook-conformance/verifier'
import { countOf, isSigned, behaviour, secret, reportHandled, work, workOnce } from './work.mjs'

const app = new Hono()

const refuse = () =>
  app.onError((error, c) => {
    if (error instanceof WebhookVerificationError) return c.json({ error: error.code }, 401)
    return error instanceof HTTPException ? error.getResponse() : c.text('Internal Server Error', 500)
  })
const headersOf = (c) => c.req.header()

const behaviours = {
  right() {
    refuse()
    app.post('/webhooks', async (c) => {
      const payload = new Uint8Array(await c.req.arrayBuffer())
      workOnce(verifyWebhook({ payload, headers: headersOf(c), secret }).id)
      return c.body(null, 204)
    })
  },

  'right-as-text'() {
    refuse()
    app.post('/webhooks', async (c) => {
      workOnce(verifyWebhook({ payload: await c.req.text(), headers: headersOf(c), secret }).id)
      return c.json({ received: true })
    })
  },

  'parses-first'() {
    refuse()
    app.post('/webhooks', async (c) => {
      const event = await c.req.json().catch(() => ({}))
      verifyWebhook({ payload: JSON.stringify(event), headers: headersOf(c), secret })
      workOnce(event.id)
      return c.json({ received: true })
    })
  },

  'forgets-the-time'() {
    app.post('/webhooks', async (c) => {
      if (!isSigned(headersOf(c), await c.req.text())) throw new HTTPException(401)
      workOnce(c.req.header('webhook-id'))
      return c.json({ received: true })
    })
  },

  throws() {
    app.onError((_error, c) => c.text('Internal Server Error', 500))
    app.post('/webhooks', async (c) => {
      workOnce(verifyWebhook({ payload: await c.req.text(), headers: headersOf(c), secret }).id)
      return c.text('OK')
    })
  },

  'works-first'() {
    refuse()
    app.post('/webhooks', async (c) => {
      workOnce(c.req.header('webhook-id'))
      verifyWebhook({ payload: await c.req.text(), headers: headersOf(c), secret })
      return c.text('OK')
    })
  },

  'takes-duplicates-for-new'() {
    refuse()
    app.post('/webhooks', async (c) => {
      work(verifyWebhook({ payload: await c.req.text(), headers: headersOf(c), secret }).id)
      return c.text('OK')
    })
  },
}

behaviours[behaviour]()
app.get('/handled/:id', (c) => c.json({ count: countOf(c.req.param('id')) }))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => reportHandled(port))
