import { setTimeout as pause } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { listen, type Listener, type ListenerOptions } from './listener.js'
import type { Listening } from './forwarded.js'
import { tapFrames } from './stream-tap.js'
import { pairsOf, passOn, passUpgrade, type Destination } from './upstream.js'

/** Where to listen, and with which certificate. */
export type Place = Pick<ListenerOptions, 'host' | 'port' | 'tls'>

/** Longest wait for frames that are being inflated when all has ended, in milliseconds. */
const maxTapMs = 5_000

/** Forwards to the API: requests, answers and streams pass, and are watched. */
export async function openProxy(at: Place, baseUrl: URL, watch: Listening): Promise<Listener> {
  const prefix = baseUrl.pathname.replace(/\/$/, '')
  let streams = 0
  const taps = new Set<Promise<void>>()
  const listener = await listen({
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
      passUpgrade({ request, socket, head }, to, {
        onRefusal: (passed) => watch.exchange(passed, prefix, false),
        onOpen(answer, service) {
          if (!isEvents) return
          watch.streamOpened(name, { startedAt, url: url.href, prefix, headers: pairsOf(request.rawHeaders) })
          const tap = tapFrames(answer, service, {
            onFrame: (data, isText) => watch.frame(name, Date.now(), data, isText),
            onEnd: () => watch.streamEnded(name, Date.now()),
          })
          taps.add(tap)
          void tap.then(() => taps.delete(tap))
        },
      })
    },
  })
  return {
    ...listener,
    async close() {
      await listener.close()
      // Judges the traffic before the end too.
      await Promise.race([Promise.all(taps), pause(maxTapMs, undefined, { ref: false })])
    },
  }
}

/** Forwards to the receiver: deliveries and their answers pass, and are watched. */
export function openGateway(at: Place, receiver: URL, watch: Listening): Promise<Listener> {
  return listen({
    ...at,
    onRequest(request, response) {
      const to = atReceiver(receiver, request)
      // The url as the service knows it: it identifies the webhook of a delivery.
      const seen = seenUrl(request)
      passOn(request, response, { ...to, onEnd: (passed) => watch.delivery({ ...passed, url: seen }) })
    },
    onUpgrade(request, socket, head) {
      const nothing = () => {}
      const { host: _host, ...to } = atReceiver(receiver, request)
      passUpgrade({ request, socket, head }, to, { onOpen: nothing, onRefusal: nothing })
    },
  })
}

/** Returns the same path below the base URL; the host of the request is ignored. */
function below(baseUrl: URL, prefix: string, request: IncomingMessage): Destination {
  const path = pathOf(request)
  const target = path === '*' ? path : `${prefix}${path}`
  const text = `${baseUrl.origin}${target}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  return { url: url?.origin === baseUrl.origin ? url : new URL(baseUrl), target }
}

/** The path of a request: a client that uses this as a forward proxy sends a whole URL. */
function pathOf({ url = '/' }: IncomingMessage): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === '*' ? path : `/${path}`
}

/** A path of its own is kept; the root, and a path the receiver does not have, lead to the receiver's url. */
function atReceiver(receiver: URL, request: IncomingMessage): Destination {
  const { headers } = request
  const came = pathOf(request)
  const [path = '/', ...query] = came.split('?')
  const own = receiver.pathname
  const isBelow = own === '/' || path === own || path.startsWith(`${own.replace(/\/$/, '')}/`)
  const search = query.length > 0 ? `?${query.join('?')}` : isBelow ? '' : receiver.search
  // A name may be one of several at its address, so it becomes the host; otherwise the host stays, like the rest of a delivery.
  const bare = receiver.hostname.replace(/^\[|\]$/g, '')
  const host = isIP(bare) !== 0 || bare === 'localhost' ? headers.host : undefined
  return { url: receiver, target: isBelow ? came : `${own}${search}`, host }
}

function seenUrl(request: IncomingMessage): string {
  const { headers, socket } = request
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  const text = `${scheme}://${headers.host ?? 'unknown'}${pathOf(request)}`
  return URL.canParse(text) ? text : `${scheme}://unknown/`
}
