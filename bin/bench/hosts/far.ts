import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Part } from './host.js'

/** Stands so far before a port of this machine: bytes take half of `ms` each way, and a connection takes `ms` to be made. */
export async function start({ port, ms }: { readonly port: number; readonly ms: number }): Promise<Part> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    const openAt = performance.now() + ms
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      // Timers of one length ring in the order in which they were set, so that bytes keep theirs.
      const later = (act: () => void) =>
        setTimeout(act, ms / 2 + (from === near ? Math.max(0, openAt - performance.now()) : 0))
      from.on('data', (chunk: Buffer) => void later(() => to.writable && to.write(chunk)))
      from.on('end', () => void later(() => to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        void later(() => to.destroySoon())
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    facts: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
