import { request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '../../../harness/vectors/index.js'
import { laggingLists } from './lagging-lists.js'
import {
  isApi,
  jsonOf,
  jsonReply,
  keyOf,
  page,
  type NoisyRequest,
  type Noise,
  type Upstream,
  type Intermediary,
} from './noise.js'
import { Orgs } from './orgs.js'
import { startFront } from './tls-front.js'
import { startTunnel } from './tunnel.js'

export interface Disturbance {
  readonly id: string
  readonly title: string
  /** Starts the disturbance between the kit and a service; the seed decides which requests it affects. */
  readonly start: (upstream: Upstream, seed: number) => Noise
  /** Starts the server on the way of deliveries to the kit's sink; without it they are sent directly. */
  readonly startIntermediary?: (to: { readonly port: number }) => Promise<Intermediary>
  /** Processes that keep the machine busy meanwhile. */
  readonly busyProcesses?: number
  /** A whole run needs many minutes: the short form runs a part of the cases. */
  readonly isSlow?: boolean
}

const second = 1_000

function latency(ms: number, isSlow = false): Disturbance {
  return {
    id: `latency-${ms}`,
    title: `every answer of the API ${ms} ms later`,
    isSlow,
    start() {
      let hits = 0
      return { delayMs: () => (hits++, ms), hits: () => hits }
    },
  }
}

/** One of `every` at random. */
function oneIn(every: number, seed: number): () => boolean {
  const random = new Random(seed)
  return () => random.fraction() < 1 / every
}

function lateOnes(seed: number): Noise {
  const isStruck = oneIn(50, seed)
  let hits = 0
  return {
    delayMs() {
      if (!isStruck()) return 0
      hits++
      return 16 * second
    },
    hits: () => hits,
  }
}

/** Answers some requests before the service, which they never reach. */
function answered(every: number, seed: number, reply: ReturnType<typeof page>): Noise {
  const isStruck = oneIn(every, seed)
  let hits = 0
  return {
    instead() {
      if (!isStruck()) return undefined
      hits++
      return reply
    },
    hits: () => hits,
  }
}

/** Connections carry few requests, so that there are many of them. */
function resets(seed: number): Noise {
  const isStruck = oneIn(50, seed)
  const struck = new Map<number, boolean>()
  let hits = 0
  return {
    maxRequests: 4,
    instead({ connection }) {
      if (struck.has(connection)) return undefined
      struck.set(connection, isStruck())
      if (struck.get(connection) !== true) return undefined
      hits++
      return 'reset'
    },
    hits: () => hits,
  }
}

function oldProtocol(): Noise {
  let hits = 0
  return { isOld: true, after: (_, reply) => (hits++, reply), hits: () => hits }
}

const maxBodyBytes = 1_048_576

function smallGateway(): Noise {
  let hits = 0
  return {
    instead({ body, path }) {
      const isOfNul = path.split('?')[0]?.includes('%00') === true
      if (body.length <= maxBodyBytes && !isOfNul) return undefined
      hits++
      return isOfNul ? page(400, 'Bad Request') : page(413, 'Request Entity Too Large')
    },
    hits: () => hits,
  }
}

/** Requests that a narrow gateway passes at once, and how long each stays in it, in milliseconds. */
const passedAtOnce = 3
const inGatewayMs = 20

function narrowGateway(): Noise {
  let inFlight = 0
  let hits = 0
  return {
    instead({ isUpgrade }) {
      if (isUpgrade) return undefined
      if (inFlight < passedAtOnce) inFlight++
      else return (hits++, page(503, 'Service Temporarily Unavailable'))
      return undefined
    },
    async after(request, reply) {
      if (!isApi(request)) return reply
      await pause(inGatewayMs)
      inFlight--
      return reply
    },
    hits: () => hits,
  }
}

/** Connections to the API that are taken at once, streams included. */
const takenAtOnce = 10

function fewConnections(): Noise {
  const taken = new Set<number>()
  let hits = 0
  return {
    instead({ connection }) {
      if (taken.size < takenAtOnce) taken.add(connection)
      return taken.has(connection) ? undefined : (hits++, 'reset')
    },
    connectionClosed: (connection) => void taken.delete(connection),
    hits: () => hits,
  }
}

/** A moment after the answer to the create, in milliseconds. */
const pingAfterMs = 150

/** Looks whether a url is there, once its webhook was created: by a GET, then by a POST that is not signed. */
function pings(): Noise {
  let hits = 0
  const ping = (url: URL, method: string) => {
    const outgoing = httpsRequest(url, { method, rejectUnauthorized: false, agent: false, timeout: 2 * second })
    outgoing.on('error', () => {})
    outgoing.on('response', (response) => response.resume())
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.end(method === 'POST' ? '{"type":"ping"}' : '')
  }
  return {
    after(request, reply) {
      const isCreate = request.method === 'POST' && request.path === '/v1/webhooks' && reply.status === 201
      const wanted = isCreate ? String((jsonOf(request) as { url?: unknown } | undefined)?.url) : ''
      // The sink alone: a request to another address of this machine would spoil the result.
      if (!wanted.startsWith('https://127.0.0.1:') || !URL.canParse(wanted)) return reply
      const url = new URL(wanted)
      hits++
      setTimeout(() => ['GET', 'POST'].forEach((method) => ping(url, method)), pingAfterMs)
      return reply
    },
    hits: () => hits,
  }
}

const maxWebhooks = 10
const maxStreams = 5

/** Ten webhooks and five streams for each org. */
function quotas(): Noise {
  const orgs = new Orgs()
  const webhooks = new Map<string, number>()
  const streams = new Map<string, number>()
  let hits = 0
  const refuse = (what: string) => {
    hits++
    return jsonReply(403, {
      code: 'quota_exceeded',
      message: `no more than ${what}`,
      fix: 'Delete one, or raise the limit.',
    })
  }
  const count = (counts: Map<string, number>, request: NoisyRequest, change: number) => {
    const org = orgs.of(keyOf(request))
    counts.set(org, (counts.get(org) ?? 0) + change)
  }
  return {
    instead(request) {
      const org = orgs.of(keyOf(request))
      if (request.isUpgrade && (streams.get(org) ?? 0) >= maxStreams) return refuse(`${maxStreams} streams`)
      const isCreate = request.method === 'POST' && request.path === '/v1/webhooks'
      if (isCreate && (webhooks.get(org) ?? 0) >= maxWebhooks) return refuse(`${maxWebhooks} webhooks`)
      return undefined
    },
    after(request, reply) {
      orgs.learn(request, reply)
      if (!isApi(request) || reply.status >= 300) return reply
      if (request.method === 'POST' && request.path === '/v1/webhooks') count(webhooks, request, 1)
      if (request.method === 'DELETE' && /^\/v1\/webhooks\/[^/]+$/.test(request.path)) count(webhooks, request, -1)
      return reply
    },
    streamOpened(request) {
      count(streams, request, 1)
      return () => count(streams, request, -1)
    },
    hits: () => hits,
  }
}

function quiet(): Noise {
  return { hits: () => 0 }
}

const tooMany = jsonReply(429, { code: 'rate_limited', message: 'too many requests', fix: 'Ask again later.' })

/** Everything a right service may be reached through. Nothing of it may fail a case. */
export const disturbances: readonly Disturbance[] = [
  { id: 'none', title: 'the proxy alone', start: quiet },
  latency(50),
  latency(300),
  latency(2_000, true),
  { id: 'late', title: 'one answer in fifty 16 s later', start: (_, seed) => lateOnes(seed), isSlow: true },
  {
    id: 'lagging-lists',
    title: 'lists of events and deliveries 2 s late',
    start: (to) => laggingLists(to, 2 * second),
    isSlow: true,
  },
  {
    id: 'gateway-503',
    title: "one request in fifty gets a gateway's 503 page",
    start: (_, seed) => answered(50, seed, page(503, 'Service Temporarily Unavailable')),
  },
  {
    id: 'rate-limit',
    title: 'one request in nine gets a 429 without Retry-After',
    start: (_, seed) => answered(9, seed, tooMany),
  },
  {
    id: 'in-flight',
    title: 'a gateway passes three requests at once and answers a 503 page to others',
    start: narrowGateway,
  },
  {
    id: 'connections',
    title: 'ten connections at once are taken, streams included, and others are closed',
    start: fewConnections,
  },
  { id: 'resets', title: 'one connection in fifty is reset', start: (_, seed) => resets(seed) },
  { id: 'http-1.0', title: 'HTTP/1.0, a connection for each request', start: oldProtocol },
  {
    id: 'gateway-413',
    title: "bodies over 1 MiB get a gateway's 413 page, and a NUL in a path a 400 page",
    start: smallGateway,
  },
  { id: 'busy', title: 'thirty busy processes on this machine', start: quiet, busyProcesses: 30, isSlow: true },
  { id: 'pings', title: 'the url of a webhook gets a GET and a POST after the create', start: pings },
  {
    id: 'tunnel',
    title: 'deliveries pass a tunnel, which opens after 100 ms and needs 30 ms each way',
    start: quiet,
    startIntermediary: (to) => startTunnel(to, { opensAfterMs: 100, delayMs: 30 }),
  },
  {
    id: 'front',
    title: 'a proxy ends TLS in front of the sink, and answers 502 if the sink breaks off',
    start: quiet,
    startIntermediary: startFront,
  },
  { id: 'quotas', title: 'ten webhooks and five streams an org', start: quotas },
]
