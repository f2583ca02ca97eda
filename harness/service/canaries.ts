import { once } from 'node:events'
import { createServer } from 'node:net'
import { Canary } from '../sink/canary.js'
import type { CanaryView } from './context.js'

/** Loopback addresses at which nothing listens. Deliveries to them are allowed, so that they are good but dead. */
const deadAddress = '127.0.0.77'
const deadAddresses = [deadAddress, ...Array.from({ length: 48 }, (_, index) => `127.0.77.${1 + index}`)]

/** Lets the service deliver to `address:port` pairs. */
type Allow = (pairs: readonly string[]) => Promise<void>

/** The listeners that nothing may connect to, and the allowed addresses at which nothing listens. */
export class Canaries {
  readonly #onLoopback: readonly [Canary, ...Canary[]]
  readonly #local: Canary | undefined
  readonly #behindIpv6: Canary | undefined

  private constructor(
    onLoopback: readonly [Canary, ...Canary[]],
    others: { local: Canary | undefined; behindIpv6: Canary | undefined },
  ) {
    this.#onLoopback = onLoopback
    this.#local = others.local
    this.#behindIpv6 = others.behindIpv6
  }

  /**
   * Listens at the port of the webhooks' URLs, which a tunnel or proxy before the sink may use itself. Undefined if this machine has no
   * other loopback address than the sink's, or another process listens on all of them.
   */
  static async start(sinkPort: number, allow: Allow): Promise<Canaries | undefined> {
    if (await isTaken(sinkPort)) return undefined
    const started = [await Canary.start(sinkPort, ['127.0.0.2']), await Canary.start(sinkPort, ['::1'])]
    const [first, ...others] = started.filter((canary) => canary !== undefined)
    if (first === undefined) return undefined
    const local = await Canary.start(0, ['127.0.0.1'])
    await allow(deadAddresses.map((address) => `${address}:${sinkPort}`))
    return new Canaries([first, ...others], { local, behindIpv6: await startBehindIpv6(allow) })
  }

  /** What a case is handed. */
  get view(): CanaryView {
    const [first] = this.#onLoopback
    const [local, behindIpv6] = [this.#local, this.#behindIpv6]
    return {
      address: first.host,
      ipv6: this.#onLoopback.find(({ host }) => host.includes(':'))?.host,
      connections: async (name) => {
        const counts = await Promise.all(this.#onLoopback.map((canary) => canary.connections(name)))
        return counts.reduce((sum, count) => sum + count, 0)
      },
      local: local && { port: local.port, connections: () => local.total() },
      behindIpv6: behindIpv6 && {
        port: behindIpv6.port,
        address: behindIpv6.host,
        allowed: ['::1', deadAddress],
        connections: (name) => behindIpv6.connections(name),
      },
      deadAddresses,
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#onLoopback, this.#local, this.#behindIpv6].map(async (canary) => canary?.close()))
  }
}

/** What a case is handed where there are none. */
export const noCanaries: CanaryView = {
  address: '',
  ipv6: undefined,
  connections: async () => 0,
  local: undefined,
  behindIpv6: undefined,
  deadAddresses: [],
}

/** Whether who listens on every address of this machine has this port: then no address is dead at it. */
async function isTaken(port: number): Promise<boolean> {
  const server = createServer().listen(port, deadAddress)
  try {
    await once(server, 'listening')
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  } finally {
    server.close()
  }
}

/** On a port at which `::1` is allowed and dead; undefined where the machine or the service knows no IPv6. */
async function startBehindIpv6(allow: Allow): Promise<Canary | undefined> {
  const canary = await Canary.start(0, ['127.0.0.2'])
  const probe = canary && (await Canary.start(canary.port, ['::1']))
  await probe?.close()
  if (canary === undefined) return undefined
  const isAllowed =
    probe !== undefined &&
    (await allow([`[::1]:${canary.port}`, `${deadAddress}:${canary.port}`]).then(
      () => true,
      () => false,
    ))
  if (isAllowed) return canary
  await canary.close()
  return undefined
}
