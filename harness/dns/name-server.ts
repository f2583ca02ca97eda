import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, isIPv4, type Server } from 'node:net'
import packet, { type Answer, type Packet } from 'dns-packet'
import type { ControlledName } from '../service/names.js'
import { trackSockets } from '../sink/sockets.js'

/** Longest message over UDP that every resolver accepts; a longer answer is truncated, and requested again over TCP. */
const maxUdpBytes = 512

/** An authoritative name server for one zone, on UDP and TCP, whose answers the cases set. Every answer has a TTL of 0. */
export class NameServer {
  readonly #zone: string
  readonly #udp: UdpSocket
  readonly #tcp: Server
  readonly #destroyConnections: () => void
  readonly #names = new Map<string, { lists: readonly (readonly string[])[]; queryCounts: Map<string, number> }>()

  private constructor(zone: string, udp: UdpSocket, tcp: Server) {
    this.#zone = zone.toLowerCase().replace(/\.$/, '')
    this.#udp = udp
    this.#tcp = tcp
    this.#destroyConnections = trackSockets(tcp)
    udp.on('message', (message, peer) => {
      const answer = this.#reply(message)
      if (answer === undefined) return
      const bytes = packet.encode(answer)
      const fits = bytes.length <= maxUdpBytes
      udp.send(
        fits
          ? bytes
          : packet.encode({ ...answer, answers: [], flags: (answer.flags ?? 0) | packet.TRUNCATED_RESPONSE }),
        peer.port,
        peer.address,
      )
    })
    tcp.on('connection', (socket) => {
      let pending = Buffer.alloc(0)
      socket.on('error', () => socket.destroy())
      socket.on('data', (chunk) => {
        pending = Buffer.concat([pending, chunk])
        while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
          const length = pending.readUInt16BE(0)
          const answer = this.#reply(pending.subarray(2, 2 + length))
          pending = pending.subarray(2 + length)
          if (answer === undefined) return void socket.destroy()
          const bytes = packet.encode(answer)
          const prefix = Buffer.alloc(2)
          prefix.writeUInt16BE(bytes.length)
          socket.write(Buffer.concat([prefix, bytes]))
        }
      })
    })
  }

  /** Listens on UDP and TCP. Rejects with the system's error when the port cannot be had. */
  static async start({
    zone,
    host,
    port,
  }: {
    readonly zone: string
    readonly host: string
    readonly port: number
  }): Promise<NameServer> {
    const { udp, tcp } = await listen(host, port)
    udp.on('error', () => {})
    tcp.on('error', () => {})
    return new NameServer(zone, udp, tcp)
  }

  get port(): number {
    return this.#udp.address().port
  }

  /** The name `label` under the zone; it does not exist until it is given answers. */
  name(label: string): ControlledName {
    const host = `${label}.${this.#zone}`
    return {
      host,
      answer: async (...lists) => {
        this.#names.set(host, { lists, queryCounts: new Map() })
      },
    }
  }

  async close(): Promise<void> {
    this.#destroyConnections()
    await Promise.all([
      new Promise<void>((resolve) => this.#udp.close(() => resolve())),
      new Promise((resolve) => this.#tcp.close(resolve)),
    ])
  }

  #reply(message: Buffer): Packet | undefined {
    let query: Packet
    try {
      query = packet.decode(message)
    } catch {
      return undefined
    }
    const [question] = query.questions ?? []
    if (query.type !== 'query' || question === undefined) return undefined
    const entry = this.#names.get(question.name.toLowerCase())
    const base: Packet = {
      type: 'response',
      ...(query.id === undefined ? {} : { id: query.id }),
      flags: packet.AUTHORITATIVE_ANSWER | (entry === undefined ? 3 : 0),
      questions: [question],
    }
    if (entry === undefined || (question.type !== 'A' && question.type !== 'AAAA')) return base
    const queryCounts = entry.queryCounts.get(question.type) ?? 0
    entry.queryCounts.set(question.type, queryCounts + 1)
    const list = entry.lists[Math.min(queryCounts, entry.lists.length - 1)] ?? []
    const answers: Answer[] = list
      .filter((address) => isIPv4(address) === (question.type === 'A'))
      .map((data) => ({ type: question.type as 'A' | 'AAAA', name: question.name, ttl: 0, data }))
    return { ...base, answers }
  }
}

/** Ports that are tried where any will do: one that is free for UDP may be taken for TCP. */
const maxTries = 20

/** Both sockets on one port; with port 0 on one that is free for both. */
async function listen(host: string, port: number): Promise<{ readonly udp: UdpSocket; readonly tcp: Server }> {
  for (let tries = 1; ; tries++) {
    const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    await new Promise<void>((resolve, reject) => {
      udp.once('error', reject)
      udp.bind(port, host, resolve)
    })
    const tcp = createServer()
    try {
      await new Promise<void>((resolve, reject) => {
        tcp.once('error', reject)
        tcp.listen(udp.address().port, host, resolve)
      })
      return { udp, tcp }
    } catch (error) {
      udp.close()
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (port !== 0 || !isTaken || tries === maxTries) throw error
    }
  }
}
