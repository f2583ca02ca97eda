import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Part } from './host.js'

/** Simulates distance to a port of this machine: bytes need half of `ms` each way, and a connection needs `ms`. */
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
      // One after the other: timers of different lengths that ring together need not ring in the order they were set in.
      let line = Promise.resolve()
      const later = (act: () => void) => {
        const dueAt = Math.max(performance.now(), from === near ? openAt : 0) + ms / 2
        line = line.then(() => pause(Math.max(0, dueAt - performance.now()))).then(act)
      }
      from.on('data', (chunk: Buffer) => later(() => void (to.writable && to.write(chunk))))
      from.on('end', () => later(() => to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        later(() => to.destroySoon())
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
