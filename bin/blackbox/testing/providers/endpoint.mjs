// A webhook endpoint built with a provider's own library: `node endpoint.mjs <scheme> <behaviour>`. It prints its port, and ends with its
// standard input. WEBHOOK_SECRET is the secret, of Ed25519 the public key.
import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'

const [, , scheme = '', behaviour = 'right'] = process.argv
const secret = process.env['WEBHOOK_SECRET'] ?? ''

const app = express()
/** Answers 400 where the action throws, as the documentation of these libraries shows. */
const refusing = (action) => async (request, response) => {
  try {
    await action(request, response)
  } catch (error) {
    response.status(400).send(`Webhook Error: ${error.message}`)
  }
}
const raw = express.raw({ type: 'application/json' })

const endpoints = {
  async stripe() {
    const { default: Stripe } = await import('stripe')
    const stripe = new Stripe('sk_test_unused')
    const event = (request, body, tolerance) =>
      stripe.webhooks.constructEvent(body, request.headers['stripe-signature'], secret, tolerance)
    const accept = (response) => response.json({ received: true })
    return {
      right: () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => accept(response, event(request, request.body))),
        ),
      'parses-first': () => {
        app.use(express.json())
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => accept(response, event(request, request.body))),
        )
      },
      'parses-and-writes-again': () => {
        app.use(express.json())
        app.post(
          '/webhooks',
          refusing((request, response) => accept(response, event(request, JSON.stringify(request.body)))),
        )
      },
      'forgets-the-time': () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => accept(response, event(request, request.body, 0))),
        ),
      'compares-a-prefix': () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => {
            const parts = Object.fromEntries(
              request.headers['stripe-signature'].split(',').map((part) => part.split('=')),
            )
            const right = createHmac('sha256', secret).update(`${parts.t}.`).update(request.body).digest('hex')
            if (Math.abs(Date.now() / 1000 - Number(parts.t)) > 300) throw new Error('too old')
            if (!right.startsWith(parts.v1)) throw new Error('no match')
            accept(response)
          }),
        ),
    }
  },

  async github() {
    const { createNodeMiddleware, Webhooks } = await import('@octokit/webhooks')
    const webhooks = new Webhooks({ secret })
    webhooks.onAny(() => {})
    const middleware = createNodeMiddleware(webhooks, { path: '/webhooks' })
    return {
      right: () => app.use(middleware),
      'parses-first': () => {
        app.use(express.json())
        app.use(middleware)
      },
      'parses-and-writes-again': () => {
        app.use(express.json())
        app.post(
          '/webhooks',
          refusing(async (request, response) => {
            const signature = request.headers['x-hub-signature-256'] ?? ''
            if (!(await webhooks.verify(JSON.stringify(request.body), signature))) throw new Error('no match')
            response.send('ok')
          }),
        )
      },
      'compares-a-prefix': () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => {
            const right = `sha256=${createHmac('sha256', secret).update(request.body).digest('hex')}`
            if (!right.startsWith(request.headers['x-hub-signature-256'])) throw new Error('no match')
            response.send('ok')
          }),
        ),
      'refuses-a-ping': () => {
        app.use((request, response, next) =>
          request.headers['x-github-event'] === 'ping' ? response.status(400).send('unknown event') : next(),
        )
        app.use(middleware)
      },
      'takes-the-older-header': () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => {
            const [hash, value] = request.headers['x-hub-signature-256'].split('=')
            const right = createHmac(hash, secret).update(request.body).digest()
            if (!timingSafeEqual(right, Buffer.from(value, 'hex'))) throw new Error('no match')
            response.send('ok')
          }),
        ),
    }
  },

  async slack() {
    const bolt = await import('@slack/bolt')
    const { App, ExpressReceiver, verifySlackRequest } = bolt.default ?? bolt
    const verify = (request, body) => verifySlackRequest({ signingSecret: secret, body, headers: request.headers })
    return {
      right: () => {
        const receiver = new ExpressReceiver({ signingSecret: secret, endpoints: '/webhooks' })
        app.use(receiver.router)
        const slack = new App({
          receiver,
          authorize: async () => ({ botToken: 'unused', botId: 'B1', botUserId: 'U1' }),
        })
        slack.message(async () => {})
      },
      'right-by-hand': () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => {
            verify(request, request.body.toString())
            const { type, challenge } = JSON.parse(request.body)
            response.send(type === 'url_verification' ? challenge : '')
          }),
        ),
      'parses-and-writes-again': () => {
        app.use(express.json())
        app.post(
          '/webhooks',
          refusing((request, response) => {
            verify(request, JSON.stringify(request.body))
            response.send('')
          }),
        )
      },
      'ignores-the-challenge': () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => {
            verify(request, request.body.toString())
            response.send('ok')
          }),
        ),
      'answers-any-challenge': () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => {
            const { type, challenge } = JSON.parse(request.body)
            if (type === 'url_verification') return response.json({ challenge })
            verify(request, request.body.toString())
            response.send('')
          }),
        ),
      'forgets-the-time': () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => {
            const base = `v0:${request.headers['x-slack-request-timestamp']}:${request.body}`
            const right = Buffer.from(`v0=${createHmac('sha256', secret).update(base).digest('hex')}`)
            if (!timingSafeEqual(right, Buffer.from(request.headers['x-slack-signature']))) throw new Error('no match')
            response.send('')
          }),
        ),
    }
  },

  async shopify() {
    await import('@shopify/shopify-api/adapters/node')
    const { shopifyApi, ApiVersion, LogSeverity } = await import('@shopify/shopify-api')
    const shopify = shopifyApi({
      apiKey: 'unused',
      apiSecretKey: secret,
      apiVersion: Object.values(ApiVersion).at(-2),
      hostName: 'shop.example',
      isEmbeddedApp: false,
      logger: { level: LogSeverity.Error },
    })
    const validate = async (request, response, rawBody) => {
      const { valid } = await shopify.webhooks.validate({ rawBody, rawRequest: request, rawResponse: response })
      if (!valid) return response.status(400).send()
      return response.status(200).send()
    }
    return {
      right: () =>
        app.post(
          '/webhooks',
          express.text({ type: '*/*' }),
          refusing((request, response) => validate(request, response, request.body)),
        ),
      'parses-and-writes-again': () => {
        app.use(express.json())
        app.post(
          '/webhooks',
          refusing((request, response) => validate(request, response, JSON.stringify(request.body))),
        )
      },
    }
  },

  async discord() {
    const { verifyKey, verifyKeyMiddleware } = await import('discord-interactions')
    const answer = (_request, response) => response.send({ type: 4, data: { content: 'ok' } })
    return {
      right: () => app.post('/webhooks', verifyKeyMiddleware(secret), answer),
      'parses-first': () => {
        app.use(express.json())
        app.post('/webhooks', verifyKeyMiddleware(secret), answer)
      },
      'takes-everything': () => app.post('/webhooks', answer),
      'answers-a-ping-as-a-command': () =>
        app.post(
          '/webhooks',
          express.raw({ type: '*/*' }),
          refusing(async (request, response) => {
            const [signature, timestamp] = ['ed25519', 'timestamp'].map((part) => request.get(`x-signature-${part}`))
            if (!(await verifyKey(request.body, signature, timestamp, secret))) return response.status(401).send()
            answer(request, response)
          }),
        ),
    }
  },

  // Zoom has no library: as its page and its sample application show it.
  async zoom() {
    const mac = (...parts) =>
      parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', secret)).digest('hex')
    const isSigned = ({ headers, body }) => {
      const right = Buffer.from(`v0=${mac(`v0:${headers['x-zm-request-timestamp']}:`, body)}`)
      const given = Buffer.from(headers['x-zm-signature'] ?? '')
      return given.length === right.length && timingSafeEqual(given, right)
    }
    const validation = (body) => {
      const { event, payload } = JSON.parse(body)
      if (event !== 'endpoint.url_validation') return undefined
      return { plainToken: payload.plainToken, encryptedToken: mac(payload.plainToken) }
    }
    const handled = (handle) => app.post('/webhooks', express.raw({ type: '*/*', limit: '1mb' }), refusing(handle))
    return {
      right: () =>
        handled((request, response) => {
          if (!isSigned(request)) return response.status(401).send('no match')
          response.json(validation(request.body) ?? {})
        }),
      'answers-any-validation': () =>
        handled((request, response) => {
          const answer = validation(request.body)
          if (answer === undefined && !isSigned(request)) return response.status(401).send('no match')
          response.json(answer ?? {})
        }),
      'sends-the-token-back': () =>
        handled((request, response) => {
          if (!isSigned(request)) return response.status(401).send('no match')
          const { plainToken } = validation(request.body) ?? {}
          response.json({ plainToken, encryptedToken: plainToken })
        }),
    }
  },

  async 'standard-webhooks'() {
    const { Webhook } = await import('standardwebhooks')
    return {
      right: () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => response.json(new Webhook(secret).verify(request.body, request.headers))),
        ),
      'parses-and-writes-again': () => {
        app.use(express.json())
        app.post(
          '/webhooks',
          refusing((request, response) =>
            response.json(new Webhook(secret).verify(JSON.stringify(request.body), request.headers)),
          ),
        )
      },
    }
  },

  async svix() {
    const { Webhook } = await import('svix')
    return {
      right: () =>
        app.post(
          '/webhooks',
          raw,
          refusing((request, response) => response.json(new Webhook(secret).verify(request.body, request.headers))),
        ),
    }
  },
}

const behaviours = await endpoints[scheme]()
behaviours[behaviour]()
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit(0))
