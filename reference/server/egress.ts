import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { Pool } from 'undici'
import { canonicalAddress, isLoopbackAddress } from './addresses.js'
import { checkedConnector } from './checked-connection.js'
import type { AnswerVerdict, Policy } from './policy.js'
import { codeOf, type Resolver } from './resolver.js'
import type { Target } from './url-check.js'

/** Egress is shut to anything but loopback, and this was not loopback. No policy lifts it. */
export class EgressShut extends Error {
  override readonly name = 'EgressShut'
  readonly code = 'egress_shut'

  constructor(address: string) {
    super(`connection to ${address} refused: this server connects to loopback only`)
  }
}

export interface PostRequest {
  readonly target: Target
  /** Addresses that were checked; they are tried in this order. */
  readonly addresses: readonly string[]
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly signal: AbortSignal
  readonly maxBytes: number
}

export interface PostAnswer {
  readonly status: number
  readonly location: string | undefined
  /** `Retry-After` where it is a number of seconds. */
  readonly retryAfterSeconds: number | undefined
  /** The first bytes of the body, as text; what came before the signal, when it was cut. */
  readonly body: string
}

/** The only way out: resolves, judges, and connects to judged addresses. */
export type Egress = ReturnType<typeof createEgress>

const maxPools = 256

export function createEgress(options: { policy: Policy; resolver: Resolver; publicEgress: boolean }) {
  const { policy, resolver, publicEgress } = options
  const exemptions = new Set<string>()
  const authorities = new Map<string, X509Certificate>()
  const rememberedAsBlocked = new Set<string>()
  const pools = new Map<string, Pool>()
  let context: SecureContext | undefined

  const isRefused = (address: string, port: number): boolean =>
    policy.isRefusedAddress(address) && !policy.isExempt(exemptions, address, port)

  const judge = (addresses: readonly string[], port: number): AnswerVerdict =>
    policy.judgeAnswers(addresses, (address) => isRefused(canonicalAddress(address) ?? address, port))

  // A pool holds connections, and a TLS session, of one checked address under one name: none is reused for what was not checked.
  function poolOf(target: Target, address: string): Pool {
    const { protocol, hostname, port: urlPort } = target.url
    const key = `${protocol}//${hostname}:${target.port} ${address}`
    let pool = pools.get(key)
    if (pool === undefined || pool.closed || pool.destroyed) {
      context ??= createSecureContext({ ca: [...(publicEgress ? rootCertificates : []), ...authorities.keys()] })
      const connect = checkedConnector({
        address,
        host: hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''),
        timeoutMs: policy.answerTimeMs,
        secureContext: context,
        authorities: () => [...authorities.values()],
      })
      pool = new Pool(`${protocol}//${hostname}${urlPort === '' ? '' : `:${urlPort}`}`, {
        pipelining: 1,
        keepAliveTimeout: policy.keepAliveMs,
        keepAliveMaxTimeout: policy.keepAliveMs,
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: (opts, callback) => {
          if (!publicEgress && !isLoopbackAddress(address)) callback(new EgressShut(address), null)
          else connect(opts, callback)
        },
      })
    }
    pools.delete(key)
    pools.set(key, pool)
    if (pools.size > maxPools) {
      const [oldest] = pools
      if (oldest) {
        pools.delete(oldest[0])
        void oldest[1].close()
      }
    }
    return pool
  }

  function dropPools(): void {
    for (const pool of pools.values()) void pool.close()
    pools.clear()
    context = undefined
  }

  return {
    isRefused,
    /** Exempts `address:port` pairs and trusts a certificate authority. */
    allow(pairs: readonly string[], ca: string | undefined): void {
      for (const pair of pairs) exemptions.add(pair)
      if (ca === undefined || authorities.has(ca)) return
      authorities.set(ca, new X509Certificate(ca))
      dropPools()
    },
    /** One lookup, judged: what may be connected to. Errors: `Unresolved`. */
    async check(target: Target): Promise<AnswerVerdict> {
      if (target.isAddress) return judge([target.host], target.port)
      // A literal host is never looked up; one that `judgedHost` took for a name goes past the check, as in any HTTP client.
      const literal = target.url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) !== 0) return { kind: 'connect', addresses: [literal] }
      if (policy.blockedNames === 'remembered' && rememberedAsBlocked.has(target.host)) {
        return { kind: 'blocked', address: target.host }
      }
      const verdict = judge(await resolver.resolve(target.host), target.port)
      if (verdict.kind === 'blocked') {
        if (rememberedAsBlocked.size < 10_000) rememberedAsBlocked.add(target.host)
        return verdict
      }
      if (policy.connection === 'checked-answer') return verdict
      if (policy.connection === 'third-lookup') {
        const second = judge(await resolver.resolve(target.host), target.port)
        if (second.kind === 'blocked') return second
      }
      return { kind: 'connect', addresses: await resolver.resolve(target.host) }
    },
    /** The addresses of a target without any judgement. */
    async unjudged(target: Target): Promise<AnswerVerdict> {
      return { kind: 'connect', addresses: target.isAddress ? [target.host] : await resolver.resolve(target.host) }
    },
    /** Whether a name has a refused address now; a name that does not resolve has none. */
    async resolvesToRefused(target: Target): Promise<boolean> {
      try {
        return judge(await resolver.resolve(target.host), target.port).kind === 'blocked'
      } catch {
        return false
      }
    },
    /** Makes one request to the first address that takes the connection. Errors: those of the last connection. */
    async post(request: PostRequest): Promise<PostAnswer> {
      const { target, addresses } = request
      let failure: unknown = new Error('no address to connect to')
      for (const address of addresses) {
        try {
          return await postTo(poolOf(target, address), request)
        } catch (error) {
          failure = error
          if (request.signal.aborted || !isConnectFailure(error)) break
        }
      }
      throw failure
    },
    async close(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

async function postTo(pool: Pool, request: PostRequest): Promise<PostAnswer> {
  const { url } = request.target
  const answer = await pool.request({
    method: request.method === 'PUT' || request.method === 'GET' ? request.method : 'POST',
    path: url.pathname + url.search,
    headers: request.headers,
    body: request.body,
    signal: request.signal,
  })
  // The status has decided. The body is read as far as it is kept, and no longer than the signal lets it.
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= request.maxBytes) break
    }
  } catch {
    // Cut or broken off: what came is what is kept.
  }
  const { location, 'retry-after': retryAfter } = answer.headers
  return {
    status: answer.statusCode,
    location: typeof location === 'string' ? location : undefined,
    retryAfterSeconds: /^\d+$/.test(String(retryAfter)) ? Number(retryAfter) : undefined,
    body: Buffer.concat(chunks).subarray(0, request.maxBytes).toString('utf8'),
  }
}

function isConnectFailure(error: unknown): boolean {
  return [
    'ECONNREFUSED',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EADDRNOTAVAIL',
    'UND_ERR_CONNECT_TIMEOUT',
    'egress_shut',
  ].includes(codeOf(error))
}
