// Shared by the endpoints of this folder: their secret, the work they do for an event, and their start. Each runs as a process of its own,
// `node express.mjs right`, prints its address, and ends with its standard input.
import { createHmac } from 'node:crypto'

export const secret = process.env.WEBHOOK_SECRET ?? ''
export const behaviour = process.argv[2]

/** How often the work of each event was done. */
const counts = new Map()

export function countOf(id) {
  return counts.get(id) ?? 0
}

export function work(id) {
  counts.set(id, countOf(id) + 1)
}

/** The work of an event, unless it was done before. */
export function workOnce(id) {
  if (!counts.has(id)) work(id)
}

/** A typical hand-written verifier: the signature is checked correctly, but not the clock. */
export function isSigned(headers, body) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  return (headers['webhook-signature'] ?? '').split(' ').includes(`v1,${expected}`)
}

export function reportHandled(port) {
  process.stdout.write(`http://127.0.0.1:${port}\n`)
  process.stdin.resume().on('end', () => process.exit(0))
}
