import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Pool } from 'undici'
import { canonicalAddress } from './addresses.js'
import { createPools } from './pools.js'
import type { AnswerVerdict, Policy } from '../policy.js'
import { codeOf, type Resolver } from './resolver.js'
import { unlessAborted } from './unless-aborted.js'
import type { Target } from './url-check.js'

export interface PostRequest {
  readonly target: Target
  /** Addresses that were checked; they are tried in this order. */
  readonly addresses: readonly string[]
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array
  readonly signal: AbortSignal
  readonly maxBytes: number
}

export interface PostAnswer {
  readonly status: number
  /** The first bytes of the body, as text; those before the signal, when it was cut. */
  readonly body: string
}

/** The only way out: resolves, judges, and connects to judged addresses. */
export type Egress = ReturnType<typeof createEgress>

/** The oldest exemptions and authorities are removed first: a server for many runs must not grow for ever. */
export const maxExemptions = 1_000
export const maxAuthorities = 100

export function createEgress(options: { policy: Policy; resolver: Resolver; publicEgress: boolean }) {
  const { policy, resolver, publicEgress } = options
  const exemptions = new Set<string>()
  const authorities = new Map<string, X509Certificate>()
  const pools = createPools({ policy, publicEgress, authorities })

  const isExempt = (address: string, port: number): boolean =>
    exemptions.has(address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`)

  const isRefused = (address: string, port: number): boolean =>
    policy.isRefusedAddress(address) && !isExempt(address, port)

  const judge = (addresses: readonly string[], port: number): AnswerVerdict =>
    policy.judgeAnswers(addresses, (address) => isRefused(canonicalAddress(address) ?? address, port))

  return {
    isRefused,
    isExempt,
    /** Exempts `address:port` pairs and trusts a certificate authority. */
    allow(pairs: readonly string[], ca: string | undefined): void {
      for (const pair of pairs) {
        exemptions.delete(pair)
        exemptions.add(pair)
      }
      dropOldest(exemptions, maxExemptions)
      if (ca === undefined) return
      const known = authorities.get(ca)
      authorities.delete(ca)
      authorities.set(ca, known ?? new X509Certificate(ca))
      dropOldest(authorities, maxAuthorities)
      if (known === undefined) pools.drop()
    },
    /** One lookup, judged: what may be connected to. Errors: `Unresolved`. */
    async check(target: Target): Promise<AnswerVerdict> {
      if (target.isAddress) return judge([target.host], target.port)
      // A literal host is never looked up; one that `judgedHost` took for a name goes past the check, as in any HTTP client.
      const literal = target.url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) !== 0 && policy.spelledAddresses === 'connect') return { kind: 'connect', addresses: [literal] }
      const addresses = await resolver.resolve(target.host)
      return judge(addresses, target.port)
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
          return await postTo(pools.of(target, address), request)
        } catch (error) {
          failure = error
          if (request.signal.aborted || !isConnectFailure(error)) break
        }
      }
      throw failure
    },
    async close(): Promise<void> {
      await pools.close()
    },
  }
}

/** Removes the oldest entries. */
function dropOldest(all: Map<string, unknown> | Set<string>, size: number): void {
  for (const key of all.keys()) {
    if (all.size <= size) return
    all.delete(key)
  }
}

async function postTo(pool: Pool, request: PostRequest): Promise<PostAnswer> {
  const { url } = request.target
  const answering = pool.request({
    method: 'POST',
    path: url.pathname + url.search,
    headers: request.headers,
    body: request.body,
    signal: request.signal,
  })
  // A pool heeds the signal only once it has a connection.
  const answer = await unlessAborted(answering, request.signal)
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
    // Cut or broken off: the received part is kept.
  }
  return {
    status: answer.statusCode,
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
