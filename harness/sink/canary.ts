import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { serverNameOf } from './client-hello.js'
import { trackSockets } from './sockets.js'

/** How long a connection may take to name a host before it counts as one without a name. */
const namingMs = 1_000

/** A listener on a loopback address to which nothing may connect. It reads only the host name that a client names. */
export class Canary {
  readonly host: string
  readonly #server: Server
  readonly #destroyConnections: () => void
  readonly #named = new Map<string, number>()
  /** Connections that have not named a host yet. */
  readonly #undecided = new Set<Promise<void>>()
  #unnamed = 0

  private constructor(host: string, server: Server) {
    this.host = host
    this.#server = server
    this.#destroyConnections = trackSockets(server)
  }

  /** Listens on the first of `hosts` this machine has; undefined when it has none. */
  static async start(port: number, hosts: readonly string[] = ['127.0.0.2', '::1']): Promise<Canary | undefined> {
    for (const host of hosts) {
      const server = createServer()
      const canary = new Canary(host, server)
      server.on('connection', (socket) => canary.#listenTo(socket))
      const isListening = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false))
        server.listen(port, host, () => resolve(true))
      })
      if (isListening) return canary
    }
    return undefined
  }

  /** The port it listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** All connections so far; grows only. */
  async total(): Promise<number> {
    await Promise.all(this.#undecided)
    return [...this.#named.values()].reduce((sum, count) => sum + count, this.#unnamed)
  }

  /** Returns the number of connections so far for `name` or without a name; it only grows. */
  async connections(name: string): Promise<number> {
    await Promise.all(this.#undecided)
    return (this.#named.get(name.toLowerCase()) ?? 0) + this.#unnamed
  }

  async close(): Promise<void> {
    this.#destroyConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #listenTo(socket: Socket): void {
    const decided = queriedName(socket).then((name) => {
      socket.destroy()
      this.#undecided.delete(decided)
      if (name === undefined) this.#unnamed++
      else this.#named.set(name, (this.#named.get(name) ?? 0) + 1)
    })
    this.#undecided.add(decided)
  }
}

/** Resolves to the name in lower case; undefined when the connection names none or stays silent for a while. */
function queriedName(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let heard = Buffer.alloc(0)
    const timer = setTimeout(resolve, namingMs, undefined)
    const decide = (name: string | undefined): void => {
      clearTimeout(timer)
      resolve(name?.toLowerCase())
    }
    socket.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk])
      const name = serverNameOf(heard)
      if (name !== 'incomplete') decide(name)
    })
    socket.on('error', () => {})
    socket.on('close', () => decide(undefined))
  })
}
