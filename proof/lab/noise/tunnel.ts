import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { trackSockets } from '../../../harness/webhook-sink.js'
import type { Intermediary } from './noise.js'

/** What a tunnel does to what passes; times in milliseconds. */
interface TunnelOptions {
  /** How long a connection takes to be opened at the other end, once it was taken at this one. */
  readonly opensAfterMs: number
  /** Delay of everything on it, each way, its end too. */
  readonly delayMs: number
}

/** Forwards a port of loopback to another one, as a tunnel to a developer's machine does: with a delay, and unchanged. */
export async function startTunnel(to: { readonly port: number }, options: TunnelOptions): Promise<Intermediary> {
  const { opensAfterMs, delayMs } = options
  let hits = 0
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (near) => {
    hits++
    setTimeout(() => {
      if (near.destroyed) return
      const far = connect({ host: '127.0.0.1', port: to.port, allowHalfOpen: true })
      lead(near, far, delayMs)
      lead(far, near, delayMs)
      near.resume()
    }, opensAfterMs)
  })
  const destroyConnections = trackSockets(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    hits: () => hits,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      destroyConnections()
      await closed
    },
  }
}

/** Timers of one length ring in the order in which they were set. */
function lead(from: Socket, to: Socket, delayMs: number): void {
  let hasFailed = false
  from.on('data', (piece) => setTimeout(() => to.writable && to.write(piece), delayMs))
  from.on('end', () => setTimeout(() => to.end(), delayMs))
  from.on('error', () => (hasFailed = true))
  from.on('close', () => setTimeout(() => (hasFailed ? to.resetAndDestroy() : to.destroySoon()), delayMs))
}
