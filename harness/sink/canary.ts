import { createServer, type Server } from 'node:net'

/** A listener on a loopback address that nothing may connect to. */
export class Canary {
  readonly host: string
  readonly #server: Server
  #connections = 0

  private constructor(host: string, server: Server) {
    this.host = host
    this.#server = server
    server.on('connection', (socket) => {
      this.#connections++
      socket.on('error', () => {})
      socket.destroy()
    })
  }

  /** Listens on the first of `hosts` this machine has; undefined when it has none. */
  static async start(port: number, hosts: readonly string[] = ['127.0.0.2', '::1']): Promise<Canary | undefined> {
    for (const host of hosts) {
      const server = createServer()
      const isListening = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false))
        server.listen(port, host, () => resolve(true))
      })
      if (isListening) return new Canary(host, server)
    }
    return undefined
  }

  /** Connections so far, in all. */
  get connections(): number {
    return this.#connections
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
