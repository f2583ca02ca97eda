import { connect } from 'node:net'

/**
 * Sends `count` GETs over a few connections, each asking again when its answer is complete, and resolves to the
 * milliseconds it took. Hand-made, since a real client costs more than the server that is measured.
 */
export async function flood(options: {
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly count: number
  readonly bytes: number
  readonly connections?: number
  /** Receives the duration of each answer, in milliseconds. */
  readonly onAnswer?: (ms: number) => void
}): Promise<number> {
  const { url, path, headers, count, bytes, connections = 16, onAnswer } = options
  const { hostname, port, host } = new URL(url)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const message = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`
  let left = count
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname)
      await new Promise<void>((resolve, reject) => {
        let body = -1
        let requestCount = 0
        const send = (): void => {
          if (left-- <= 0) {
            socket.destroy()
            resolve()
            return
          }
          body = -1
          requestCount = performance.now()
          socket.write(message)
        }
        socket.on('connect', send)
        socket.on('error', reject)
        socket.on('data', (chunk: Buffer) => {
          if (body < 0) {
            if (!chunk.toString('latin1', 0, 12).endsWith('200')) reject(new Error('the page was refused'))
            const end = chunk.indexOf('\r\n\r\n')
            if (end < 0) reject(new Error('the head arrived in pieces'))
            body = chunk.length - end - 4
          } else body += chunk.length
          if (body < bytes) return
          onAnswer?.(performance.now() - requestCount)
          send()
        })
      })
    }),
  )
  return performance.now() - began
}
