// One driver for the packages of docs/libraries.md (protocol: docs/contract.md, section 4): `node driver.mjs <package>`, in a folder where
// it is installed. Each is called as its documentation shows; whatever it throws counts as a refusal. A package without a clock parameter
// sees the clock of the request instead of this process's own.
import { createRequire } from 'node:module'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [name = ''] = process.argv.slice(2)
const require = createRequire(pathToFileURL(join(process.cwd(), 'driver.mjs')))
const load = (path = name) => import(pathToFileURL(require.resolve(path)).href)

/** The version that is installed; some packages do not export their manifest. */
function versionOf(packageName) {
  const manifest = join(process.cwd(), 'node_modules', packageName, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'unknown'
}

/** What a handler gets of a request whose body it reads as text. */
const textOf = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

class Unsupported extends Error {}

/** A request as the Fetch standard has it. */
function requestOf(headers, bytes) {
  try {
    return new Request('http://127.0.0.1/', { method: 'POST', headers, body: bytes })
  } catch {
    throw new Unsupported('no request can carry these headers')
  }
}

const client = { apiKey: 'key', webhookKey: null, webhookSecret: null }

/** Verifies one delivery; throws where it is refused. */
const libraries = {
  async standardwebhooks() {
    const { Webhook } = require(name)
    return {
      verify: (secret, headers, bytes) => void new Webhook(secret).verify(bytes, headers, { jsonParse: false }),
      sign: (secret, id, at, bytes) => new Webhook(secret).sign(id, at, bytes),
    }
  },
  async svix() {
    const { Webhook } = require(name)
    return {
      verify: (secret, headers, bytes) => void new Webhook(secret).verify(bytes, headers),
      sign: (secret, id, at, bytes) => new Webhook(secret).sign(id, at, bytes),
    }
  },
  async openai() {
    const { default: OpenAI } = await load()
    const { webhooks } = new OpenAI(client)
    return { verify: (secret, headers, bytes) => webhooks.verifySignature(textOf(bytes), headers, secret) }
  },
  async '@anthropic-ai/sdk'() {
    const { default: Anthropic } = await load()
    const { webhooks } = new Anthropic(client).beta
    return { verify: (key, headers, bytes) => void webhooks.unwrap(textOf(bytes), { headers, key }) }
  },
  async '@clerk/backend'() {
    const { verifyWebhook } = await load('@clerk/backend/webhooks')
    return {
      verify: (signingSecret, headers, bytes) => verifyWebhook(requestOf(headers, bytes), { signingSecret }),
    }
  },
  async '@polar-sh/sdk'() {
    const { webhooks } = await load('@polar-sh/sdk/2026-10')
    return {
      async verify(secret, headers, bytes) {
        try {
          await webhooks.validateEvent(bytes, headers, secret)
        } catch (error) {
          // An unknown event type is reported after the verification.
          if (!(error instanceof webhooks.PolarWebhookUnknownTypeError)) throw error
        }
      },
    }
  },
  async resend() {
    const { Resend } = await load()
    const { webhooks } = new Resend('key')
    return {
      verify(webhookSecret, sent, bytes) {
        // A server of Node has the names in lower case.
        const given = Object.fromEntries(Object.entries(sent).map(([header, value]) => [header.toLowerCase(), value]))
        const headers = {
          id: given['webhook-id'],
          timestamp: given['webhook-timestamp'],
          signature: given['webhook-signature'],
        }
        webhooks.verify({ payload: textOf(bytes), headers, webhookSecret })
      },
    }
  },
  async replicate() {
    const { validateWebhook } = require(name)
    return {
      async verify(secret, headers, bytes) {
        const { headers: ofRequest } = requestOf(headers, bytes)
        const isValid = await validateWebhook({ headers: ofRequest, body: textOf(bytes) }, secret)
        if (!isValid) throw new Error('validateWebhook: false')
      },
    }
  },
  async dodopayments() {
    const { default: DodoPayments } = await load()
    const { webhooks } = new DodoPayments({ bearerToken: 'key', webhookKey: null })
    return { verify: (key, headers, bytes) => void webhooks.unwrap(textOf(bytes), { headers, key }) }
  },
  async lithic() {
    const { default: Lithic } = await load()
    const { webhooks } = new Lithic(client)
    return { verify: (secret, headers, bytes) => webhooks.verifySignature(textOf(bytes), headers, secret) }
  },
  async '@whop/sdk'() {
    const { default: Whop } = await load()
    const { webhooks } = new Whop(client)
    return { verify: (key, headers, bytes) => void webhooks.unwrap(textOf(bytes), { headers, key }) }
  },
}

const library = await libraries[name]?.()
if (library === undefined) throw new Error(`driver.mjs: no such library: ${name}`)

const realNow = Date.now

const operations = {
  hello: () => ({ name, version: versionOf(name), language: 'javascript' }),

  async verify({ secret, headers, payload_base64: payload, now }) {
    const bytes = Buffer.from(payload, 'base64')
    try {
      if (now != null) Date.now = () => now * 1_000
      await library.verify(secret, headers, bytes)
    } catch (error) {
      if (error instanceof Unsupported) return { unsupported: error.message }
      return { ok: false, error: { code: 'refused', message: String(error?.message ?? error) } }
    } finally {
      Date.now = realNow
    }
    try {
      return { ok: true, event: JSON.parse(bytes.toString('utf8')) }
    } catch (error) {
      return { ok: false, error: { code: 'malformed_payload', message: error.message } }
    }
  },

  async sign({ secret, msg_id: id, timestamp, payload_base64: payload }) {
    if (library.sign === undefined) return { unsupported: 'the package signs nothing' }
    try {
      return { signature: library.sign(secret, id, new Date(timestamp * 1_000), Buffer.from(payload, 'base64')) }
    } catch (error) {
      return { ok: false, error: { code: 'refused', message: error.message } }
    }
  },
}

/** Lines end at a line feed alone: a reader of lines may also break at separators that JSON text may hold. */
async function* linesOf(stream) {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    yield* lines
  }
  if (rest !== '') yield rest
}

// One after the other: the clock of the request is this process's while it is answered.
for await (const line of linesOf(process.stdin)) {
  if (line.trim() === '') continue
  const request = JSON.parse(line)
  const operation = operations[request.op]
  const answer = operation === undefined ? { unsupported: `no operation ${request.op}` } : await operation(request)
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer })}\n`)
}
