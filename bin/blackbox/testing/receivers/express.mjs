import express from 'express'
import { verifyWebhook, WebhookVerificationError } from 'webhook-conformance/verifier'
import { countOf, isSigned, behaviour, secret, reportHandled, work, workOnce } from './work.mjs'

const app = express()
const raw = express.raw({ type: 'application/json' })
const refusing = (action) => (request, response) => {
  try {
    action(request, response)
  } catch (error) {
    response.sendStatus(error instanceof WebhookVerificationError ? 400 : 500)
  }
}

const behaviours = {
  right: () =>
    app.post(
      '/webhooks',
      raw,
      refusing(({ body = '', headers }, response) => {
        const event = verifyWebhook({ payload: body, headers, secret })
        workOnce(event.id)
        response.sendStatus(204)
      }),
    ),

  // The other way its documentation shows: the bytes are kept before they are parsed.
  'right-beside-json': () =>
    app.post(
      '/webhooks',
      express.json({ verify: (request, _response, bytes) => (request.rawBody = bytes) }),
      refusing(({ rawBody = '', headers }, response) => {
        const event = verifyWebhook({ payload: rawBody, headers, secret })
        workOnce(event.id)
        response.json({ received: true })
      }),
    ),

  'parses-first': () =>
    app.post(
      '/webhooks',
      express.json(),
      refusing(({ body = {}, headers }, response) => {
        verifyWebhook({ payload: JSON.stringify(body), headers, secret })
        workOnce(body.id)
        response.sendStatus(200)
      }),
    ),

  'forgets-the-time': () =>
    app.post('/webhooks', raw, ({ body = '', headers }, response) => {
      if (!isSigned(headers, body)) return response.sendStatus(401)
      workOnce(headers['webhook-id'])
      response.sendStatus(200)
    }),

  throws: () =>
    app.post('/webhooks', raw, ({ body = '', headers }, response) => {
      workOnce(verifyWebhook({ payload: body, headers, secret }).id)
      response.sendStatus(200)
    }),

  'works-first': () =>
    app.post(
      '/webhooks',
      raw,
      refusing(({ body = '', headers }, response) => {
        workOnce(headers['webhook-id'])
        verifyWebhook({ payload: body, headers, secret })
        response.sendStatus(200)
      }),
    ),

  'takes-duplicates-for-new': () =>
    app.post(
      '/webhooks',
      raw,
      refusing(({ body = '', headers }, response) => {
        work(verifyWebhook({ payload: body, headers, secret }).id)
        response.sendStatus(200)
      }),
    ),
}

behaviours[behaviour]()
app.get('/handled/:id', ({ params }, response) => response.json({ count: countOf(params.id) }))
const server = app.listen(0, '127.0.0.1', () => reportHandled(server.address().port))
