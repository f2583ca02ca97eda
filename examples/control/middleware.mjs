// The control interface as a middleware of node:http, connect or express, below a path of its own. For test deployments only.
import { timingSafeEqual } from 'node:crypto'
import { answerControl, problem } from './answer.mjs'

/**
 * `app.use('/_control', controlMiddleware({ key, name, version, hooks }))`; with plain node:http give `path`, and a `next` of
 * your own.
 *
 * @param {{ key: string, name: string, version: string, hooks: import('./answer.mjs').Hooks, path?: string }} options
 */
export function controlMiddleware({ key, name, version, hooks, path: below = '' }) {
  return async (request, response, next) => {
    const { pathname } = new URL(request.url, 'http://control.invalid')
    if (pathname !== below && !pathname.startsWith(`${below}/`)) return next()
    try {
      const body = await readJson(request)
      const call = { method: request.method, path: pathname.slice(below.length) || '/', body }
      const answer = isKey(request.headers.authorization, key)
        ? await answerControl({ name, version, hooks }, call)
        : problem(
            401,
            'unauthorized',
            'The control key is missing or wrong.',
            'Send Authorization: Bearer <control key>.',
          )
      send(response, answer)
    } catch (error) {
      const isTheirs = error instanceof SyntaxError
      const answer = isTheirs
        ? problem(400, 'invalid_json', 'The body is not JSON.', 'Send JSON.')
        : problem(500, 'internal_error', String(error), 'Look into the log of the service.')
      send(response, answer)
    }
  }
}

function isKey(header, key) {
  const [given, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${key}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Reads the body, whether or not a middleware has parsed it before. */
async function readJson(request) {
  if (request.readableEnded) return request.body
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}

function send(response, { status, body }) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body))
}
