import { Canary } from '../sink/canary.js'
import type { CanaryView } from './context.js'

/** Loopback addresses at which nothing listens. Deliveries to them are allowed, so that they are good but dead. */
const deadAddresses = ['127.0.0.77', ...Array.from({ length: 48 }, (_, index) => `127.0.77.${1 + index}`)]
const [deadAddress = ''] = deadAddresses

/** Lets the service deliver to `address:port` pairs. */
type Allow = (pairs: readonly string[]) => Promise<void>

/** The listeners that nothing may connect to, and the allowed addresses at which nothing listens. */
export class Canaries {
  readonly #beside: readonly [Canary, ...Canary[]]
  readonly #local: Canary | undefined
  readonly #behindIpv6: Canary | undefined

  private constructor(
    beside: readonly [Canary, ...Canary[]],
    others: { local: Canary | undefined; behindIpv6: Canary | undefined },
  ) {
    this.#beside = beside
    this.#local = others.local
    this.#behindIpv6 = others.behindIpv6
  }

  /** Undefined where this machine has no loopback address beside the sink's. */
  static async start(sinkPort: number, allow: Allow): Promise<Canaries | undefined> {
    const started = [await Canary.start(sinkPort, ['127.0.0.2']), await Canary.start(sinkPort, ['::1'])]
    const [first, ...others] = started.filter((each) => each !== undefined)
    if (first === undefined) return undefined
    const local = await Canary.start(0, ['127.0.0.1'])
    await allow(deadAddresses.map((address) => `${address}:${sinkPort}`))
    return new Canaries([first, ...others], { local, behindIpv6: await startBehindIpv6(allow) })
  }

  /** What a case is handed. */
  get view(): CanaryView {
    const [first] = this.#beside
    const [local, behindIpv6] = [this.#local, this.#behindIpv6]
    return {
      address: first.host,
      ipv6: this.#beside.find(({ host }) => host.includes(':'))?.host,
      connections: async (name) => {
        const counts = await Promise.all(this.#beside.map((each) => each.connections(name)))
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
    await Promise.all([...this.#beside, this.#local, this.#behindIpv6].map(async (each) => each?.close()))
  }
}

/** What a case is handed where there are none. */
export const noCanaries: CanaryView = {
  address: '',
  ipv6: undefined,
  connections: async () => 0,
  local: undefined,
  behindIpv6: undefined,
  deadAddresses,
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
