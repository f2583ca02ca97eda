import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Part } from './host.js'

interface Reader {
  readonly socket: WebSocket
  ids: string[]
}

/** Stream clients. `open` connects them, `wait` resolves once each has `count` frames, to what they saw. */
export async function start(): Promise<Part> {
  let readers: Reader[] = []
  let onFrame = (): void => undefined
  return {
    facts: {},
    calls: {
      async open({ url, key, clients }: { url: string; key: string; clients: number }) {
        for (const { socket } of readers) socket.terminate()
        readers = await Promise.all(
          Array.from({ length: clients }, async () => {
            const headers = { authorization: `Bearer ${key}` }
            const socket = new WebSocket(url, { headers, perMessageDeflate: false })
            const reader: Reader = { socket, ids: [] }
            socket.on('message', (frame: Buffer) => {
              // Every frame begins with {"id":"…"; parsing a million of them would measure JSON.parse.
              const from = frame.indexOf('"id":"') + 6
              reader.ids.push(frame.toString('latin1', from, frame.indexOf(34, from)))
              onFrame()
            })
            await once(socket, 'open')
            return reader
          }),
        )
      },
      async wait(count: number) {
        const total = count * readers.length
        let seen = readers.reduce((sum, { ids }) => sum + ids.length, 0)
        if (seen < total)
          await new Promise<void>((resolve) => {
            onFrame = () => {
              if (++seen >= total) resolve()
            }
          })
        const isInOrder = readers.every(({ ids }) => ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? '')))
        const kinds = new Set(readers.map(({ ids }) => createHash('sha256').update(ids.join()).digest('hex')))
        const counts = new Set(readers.map(({ ids }) => ids.length))
        for (const reader of readers) reader.ids = []
        return { isInOrder, isEqual: kinds.size === 1, count: counts.size === 1 ? [...counts][0] : -1 }
      },
    },
    close() {
      for (const { socket } of readers) socket.terminate()
    },
  }
}
