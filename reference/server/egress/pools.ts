import type { X509Certificate } from 'node:crypto'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { Pool } from 'undici'
import { isLoopbackAddress } from './addresses.js'
import { checkedConnector } from './checked-connection.js'
import type { Policy } from '../policy.js'
import type { Target } from './url-check.js'

/** Egress is shut to anything but loopback, and this was not loopback. No policy lifts it. */
class EgressShut extends Error {
  override readonly name = 'EgressShut'
  readonly code = 'egress_shut'

  constructor(address: string) {
    super(`connection to ${address} refused: this server connects to loopback only`)
  }
}

const maxPools = 256

/** A pool has connections, and a TLS session, of one checked address under one name, so that no unchecked one is reused. */
export function createPools(options: {
  policy: Policy
  publicEgress: boolean
  /** By their PEM. */
  authorities: ReadonlyMap<string, X509Certificate>
}) {
  const { policy, publicEgress, authorities } = options
  const pools = new Map<string, Pool>()
  let context: SecureContext | undefined

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

  return {
    of: poolOf,
    /** Trusts what `authorities` holds by now: connections are made again. */
    drop(): void {
      for (const pool of pools.values()) void pool.close()
      pools.clear()
      context = undefined
    },
    async close(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}
