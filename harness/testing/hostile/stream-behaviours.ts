// What a hostile peer does after it took the upgrade to a WebSocket.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { injections, pour } from './behaviours.js'

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const fin = 0x80
const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9 } as const

function frame(first: number, payload: string | Uint8Array): Buffer {
  const bytes = Buffer.from(payload)
  const head =
    bytes.length < 126
      ? Buffer.from([first, bytes.length])
      : bytes.length < 65_536
        ? Buffer.from([first, 126, bytes.length >> 8, bytes.length & 255])
        : Buffer.concat([Buffer.from([first, 127, 0, 0, 0, 0]), uint32(bytes.length)])
  return Buffer.concat([head, bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const event = (id: string) =>
  JSON.stringify({ id, type: 'message.received', timestamp: '2026-01-01T00:00:00.000Z', data: {} })

/** Every way to misuse a stream that is open, by name. */
export const streamBehaviours = {
  'endless-fragments': (socket) => {
    socket.write(frame(opcode.text, '{"id":"'))
    pour(socket, frame(opcode.continuation, 'x'.repeat(1_000)))
  },
  'empty-fragments': (socket) => {
    socket.write(frame(opcode.text, ''))
    pour(socket, Buffer.concat(Array.from({ length: 2_000 }, () => frame(opcode.continuation, ''))))
  },
  'oversize-frame': (socket) => {
    socket.write(Buffer.from([fin | opcode.text, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
    pour(socket, Buffer.alloc(65_536, 'x'))
  },
  'frame-flood': (socket) =>
    pour(
      socket,
      Buffer.concat(Array.from({ length: 200 }, (_, index) => frame(fin | opcode.text, event(`evt_${index}`)))),
    ),
  /** As long as a frame may be. */
  'full-frames': (socket) =>
    pour(socket, frame(fin | opcode.text, JSON.stringify({ id: 'evt_1', data: 'x'.repeat(250_000) }))),
  /** As many values as such a frame can contain. */
  'value-frames': (socket) =>
    pour(socket, frame(fin | opcode.text, `{"id":"evt_1","data":[${'[],'.repeat(80_000)}0]}`)),
  'one-byte-fragments': (socket) => {
    socket.write(frame(opcode.text, '{'))
    pour(socket, Buffer.concat(Array.from({ length: 5_000 }, () => frame(opcode.continuation, 'x'))))
  },
  'big-frames': (socket) => pour(socket, frame(fin | opcode.text, `"${'x'.repeat(4 * 1024 * 1024)}"`)),
  'ping-flood': (socket) =>
    pour(socket, Buffer.concat(Array.from({ length: 500 }, () => frame(fin | opcode.ping, 'x'.repeat(125))))),
  /** Floods with pings and reads none of the answers. */
  'deaf-ping-flood': (socket) => {
    socket.pause()
    pour(socket, Buffer.concat(Array.from({ length: 500 }, () => frame(fin | opcode.ping, 'x'.repeat(125)))))
  },
  'invalid-utf8': (socket) => void socket.write(frame(fin | opcode.text, Buffer.from([0xff, 0xfe, 0xc0]))),
  'reserved-bits': (socket) => void socket.write(frame(fin | 0x70 | opcode.text, '{}')),
  'unknown-opcode': (socket) => void socket.write(frame(fin | 0x0b, '{}')),
  masked: (socket) => void socket.write(Buffer.from([fin | opcode.text, 0x82, 1, 2, 3, 4, 0x7a, 0x7f])),
  'deep-frame': (socket) =>
    void socket.write(frame(fin | opcode.text, `{"id":"evt_1","type":"message.received","data":${deep}}`)),
  'deep-everything': (socket) => void socket.write(frame(fin | opcode.text, deep)),
  'prototype-keys': (socket) =>
    void socket.write(
      frame(
        fin | opcode.text,
        '{"__proto__":{"owned":true},"type":"__proto__","id":"constructor","data":{"__proto__":{"owned":true}}}',
      ),
    ),
  injections: (socket) => {
    const text = JSON.stringify(injections)
    socket.write(frame(fin | opcode.text, `{"id":${text},"type":${text},"timestamp":${text},"data":{${text}:${text}}}`))
  },
  'close-1005': (socket) => void socket.end(frame(fin | opcode.close, Buffer.from([0x03, 0xed]))),
  'close-one-byte': (socket) => void socket.end(frame(fin | opcode.close, Buffer.from([1]))),
  'close-bad-reason': (socket) => void socket.end(frame(fin | opcode.close, Buffer.from([0x03, 0xe8, 0xff, 0xfe]))),
  /** Stays silent, and answers no closing handshake. */
  'never-closing': () => {},
  reset: (socket) => void socket.resetAndDestroy(),
} as const satisfies Readonly<Record<string, (socket: Socket) => void>>

export type StreamBehaviourName = keyof typeof streamBehaviours

/** The answer that opens a WebSocket. */
export function upgradeAnswer(key: string | undefined): string {
  const accept = createHash('sha1').update(`${key}${guid}`).digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`
}
