import { CaseErrored } from '../check.js'
import type { Exchange } from '../wire/exchange.js'
import type { Api } from './api.js'
import { mayBeOfGateway } from './persistence.js'
import { errorOf } from './answer-readers.js'

/**
 * Requests two operations of the interface, with the key if there is one, and throws {@link CaseErrored}, with the remedy, if the base URL
 * leads to no such service. A service that may only be faulty is judged.
 */
export async function checkService(api: Api): Promise<void> {
  const events = await send(api, () => api.request('GET', '/v1/events', { query: { limit: 1 } }))
  const why = wrongWith(events, api)
  if (why === undefined) return
  const webhooks = await send(api, () => api.request('GET', '/v1/webhooks'))
  if (wrongWith(webhooks, api) === undefined) return
  throw new CaseErrored(`${api.baseUrl} is not a service of this interface: ${why}`)
}

/** Returns the fault of an answer that no such service gives, with the remedy. */
function wrongWith(answer: Exchange, api: Api): string | undefined {
  const { status = 0, label } = answer
  if (status >= 300 && status < 400) {
    const location = answer.header('location')
    const to = location === undefined ? '' : ` to ${location}`
    return `${label} is redirected (${status})${to}; give the address it leads to as --base-url`
  }
  if (mayBeOfGateway(status)) return `${label} always responds with ${status}: is the service running? check --base-url`
  if (isPage(answer)) return `${label} answers a web page (${status}); check the host and the path of --base-url`
  // Without a key a service may hide what there is.
  const isHidden = api.key === undefined || typeof errorOf(answer).code === 'string'
  if ((status === 404 || status === 405 || status === 410) && !isHidden)
    return `${label} answers ${status}; give the part before /v1 as --base-url`
  return undefined
}

function isPage(answer: Exchange): boolean {
  const isDeclared = /^text\/html\b/i.test(answer.header('content-type') ?? '')
  return (isDeclared || /^\s*<(?:!doctype|html)\b/i.test(answer.text)) && answer.json === undefined
}

async function send(api: Api, send: () => Promise<Exchange>): Promise<Exchange> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof CaseErrored)) throw error
    throw new CaseErrored(`no answer from ${api.baseUrl} (${error.message})`)
  }
}
