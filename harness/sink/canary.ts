import { createServer, type Server } from 'node:tls'
import { sinkCertificate } from './certificate.js'
import { trackSockets } from './sockets.js'

/** A listener on a loopback address that nothing may connect to. It reads the name a client asks for, and nothing else. */
export class Canary {
  readonly host: string
  readonly #server: Server
  readonly #destroyConnections: () => void
  readonly #named = new Map<string, number>()
  #unnamed = 0

  private constructor(host: string, server: Server) {
    this.host = host
    this.#server = server
    this.#destroyConnections = trackSockets(server)
  }

  /** Listens on the first of `hosts` this machine has; undefined when it has none. */
  static async start(port: number, hosts: readonly string[] = ['127.0.0.2', '::1']): Promise<Canary | undefined> {
    for (const host of hosts) {
      const server = createServer(await sinkCertificate())
      const canary = new Canary(host, server)
      canary.#watch()
      const isListening = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false))
        server.listen(port, host, () => resolve(true))
      })
      if (isListening) return canary
    }
    return undefined
  }

  /** Connections so far that asked for `name`, and those that asked for no name at all. */
  connections(name: string): number {
    return (this.#named.get(name.toLowerCase()) ?? 0) + this.#unnamed
  }

  async close(): Promise<void> {
    this.#destroyConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #watch(): void {
    this.#server.on('connection', (socket) => {
      this.#unnamed++
      socket.on('error', () => {})
    })
    this.#server.on('secureConnection', (socket) => {
      const name = socket.servername
      if (typeof name === 'string' && name !== '') {
        this.#unnamed--
        this.#named.set(name.toLowerCase(), (this.#named.get(name.toLowerCase()) ?? 0) + 1)
      }
      socket.on('error', () => {})
      socket.destroy()
    })
    this.#server.on('tlsClientError', (_error, socket) => socket.destroy())
  }
}
