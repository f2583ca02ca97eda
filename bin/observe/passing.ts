import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { listen, type Listener, type ListenerOptions } from './listener.js'
import type { Listening } from './passed.js'
import { passStream } from './stream-tap.js'
import { pairsOf, passOn, type Destination } from './upstream.js'

/** Where to listen, and with which certificate. */
export type Place = Pick<ListenerOptions, 'host' | 'port' | 'tls'>

/** Stands before the API: requests, answers and streams pass, and are watched. */
export function openProxy(at: Place, baseUrl: URL, watch: Listening): Promise<Listener> {
  const prefix = baseUrl.pathname.replace(/\/$/, '')
  let streams = 0
  return listen({
    ...at,
    onRequest(request, response) {
      const to = below(baseUrl, prefix, request)
      const isCreating = request.method === 'POST' && to.url.pathname.replace(/\/$/, '') === `${prefix}/v1/webhooks`
      if (isCreating) watch.creating()
      passOn(request, response, { ...to, onEnd: (passed) => watch.exchange(passed, prefix, isCreating) })
    },
    onUpgrade(request, socket, head) {
      const to = below(baseUrl, prefix, request)
      const { url } = to
      const name = `s${++streams}`
      const startedAt = Date.now()
      const isEvents = url.pathname.replace(/\/$/, '') === `${prefix}/v1/events/ws`
      passStream({ request, socket, head }, to, {
        onOpen: () =>
          isEvents &&
          watch.streamOpened(name, { startedAt, url: url.href, prefix, headers: pairsOf(request.rawHeaders) }),
        onFrame: (data, isText) => isEvents && watch.frame(name, Date.now(), data, isText),
        onEnd: () => isEvents && watch.streamEnded(name, Date.now()),
      })
    },
  })
}

/** Stands before the receiver: deliveries and their answers pass, and are watched. */
export function openGateway(at: Place, receiver: URL, watch: Listening): Promise<Listener> {
  return listen({
    ...at,
    onRequest(request, response) {
      const to = atReceiver(receiver, request)
      // The url as the service knows it: that tells which webhook a delivery is of.
      const seen = seenUrl(request)
      passOn(request, response, { ...to, onEnd: (passed) => watch.delivery({ ...passed, url: seen }) })
    },
    onUpgrade(request, socket, head) {
      const nothing = () => {}
      passStream({ request, socket, head }, atReceiver(receiver, request), {
        onOpen: nothing,
        onFrame: nothing,
        onEnd: nothing,
      })
    },
  })
}

/** The same path below the base URL. */
function below(baseUrl: URL, prefix: string, { url = '/' }: IncomingMessage): Destination {
  const target = `${prefix}${url}`
  const text = `${baseUrl.origin}${target}`
  return { url: URL.canParse(text) ? new URL(text) : new URL(baseUrl), target }
}

/** A path of its own is kept; the root, and a path the receiver does not have, lead to the receiver's url. */
function atReceiver(receiver: URL, { url: came = '/', headers }: IncomingMessage): Destination {
  const [path = '/', ...query] = came.split('?')
  const own = receiver.pathname
  const isBelow = own === '/' || path === own || path.startsWith(`${own.replace(/\/$/, '')}/`)
  const search = query.length > 0 ? `?${query.join('?')}` : isBelow ? '' : receiver.search
  // A name may be one of several at its address, and is asked by itself; else the host stays, as all of a delivery does.
  const bare = receiver.hostname.replace(/^\[|\]$/g, '')
  const host = isIP(bare) !== 0 || bare === 'localhost' ? headers.host : undefined
  return { url: receiver, target: isBelow ? came : `${own}${search}`, host }
}

function seenUrl({ url = '/', headers, socket }: IncomingMessage): string {
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  const text = `${scheme}://${headers.host ?? 'unknown'}${url}`
  return URL.canParse(text) ? text : `${scheme}://unknown/`
}
