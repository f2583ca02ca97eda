// Endpoints that verify by an official package as its README shows, and each with one mistake that people make.
import express from 'express'
import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { countOf, behaviour, secret, reportHandled, work, workOnce } from './work.mjs'

const [, , , name] = process.argv
const { Webhook } = createRequire(import.meta.url)(name)
const webhook = new Webhook(secret)
const raw = express.raw({ type: 'application/json' })
const app = express()

/** Answers 400 for what `verify` throws at, and else does the work of the event. */
const handled = (parser, verify, handle = workOnce) =>
  app.post('/webhooks', parser, (request, response) => {
    try {
      handle(verify(request).id)
    } catch {
      return response.status(400).json({ error: 'invalid signature' })
    }
    response.status(204).end()
  })
const verified = ({ body, headers }) => webhook.verify(body, headers)

/** The entry of a delivery, however old it is. */
const entryOf = ({ body, headers }) => {
  if (!headers['webhook-id'] || !headers['webhook-timestamp']) throw new Error('missing header')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
const isOf = (matches) => (request) => {
  const entries = String(request.headers['webhook-signature']).split(' ')
  if (!entries.some((entry) => matches(entry, entryOf(request)))) throw new Error('no matching signature')
  return JSON.parse(request.body)
}

const behaviours = {
  right: () => handled(raw, verified),
  'parses-first': () => handled(express.json(), ({ body, headers }) => webhook.verify(JSON.stringify(body), headers)),
  'forgets-the-time': () =>
    handled(
      raw,
      isOf((entry, right) => entry === right),
    ),
  'compares-the-beginning': () =>
    handled(raw, (request) => {
      const age = Date.now() / 1000 - Number(request.headers['webhook-timestamp'])
      if (!(Math.abs(age) <= 300)) throw new Error('too old')
      return isOf((entry, right) => entry.startsWith(right.slice(0, 20)))(request)
    }),
  'takes-duplicates-for-new': () => handled(raw, verified, work),
}

behaviours[behaviour]()
app.get('/handled/:id', ({ params }, response) => response.json({ count: countOf(params.id) }))
const server = app.listen(0, '127.0.0.1', () => reportHandled(server.address().port))
