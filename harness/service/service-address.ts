// Where the service runs, as seen from here, and by which addresses it reaches this run's sink.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback } from '../loopback.js'
import { bareHost, parsedUrl } from '../wire/url.js'

/** The addresses of a host, or none where it does not resolve. */
async function addressesOf(host: string): Promise<string[]> {
  const bare = bareHost(host)
  if (isIP(bare) !== 0) return [bare]
  if (bare === 'localhost') return ['127.0.0.1']
  try {
    return (await lookup(bare, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

/** Whether the host of a URL is this machine: then the service can reach a sink on loopback. */
export async function isThisMachine(url: string): Promise<boolean> {
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []),
  )
  const addresses = await addressesOf(new URL(url).hostname)
  return addresses.length > 0 && addresses.every((address) => isLoopback(address) || own.has(address))
}

/** The addresses the host of a URL has; none where it does not resolve. */
export async function addressesOfUrl(url: string): Promise<string[]> {
  return addressesOf(new URL(url).hostname)
}

/** The port of an https URL. */
export function portOfUrl({ port }: Pick<URL, 'port'>): number {
  return Number(port || 443)
}

/** Returns an `address:port` pair in the form of `POST /egress`. */
export function pairOf(address: string, port: number): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** An IPv4 address inside an IPv6 one, as a URL shows it: `[::ffff:7f00:1]`. */
const mappedAddress = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/** Whether a URL, in any spelling that the WHATWG reads, leads to one of the pairs. No name is looked up but that of this machine. */
export function isOneOf(pairs: readonly string[], url: string): boolean {
  const parsed = parsedUrl(url)
  if (parsed === undefined) return false
  const { hostname } = parsed
  const host = hostname.replace(/\.$/, '')
  const halves = mappedAddress
    .exec(host)
    ?.slice(1)
    .map((half) => Number.parseInt(half, 16))
  const plain = halves?.flatMap((half) => [half >> 8, half & 255]).join('.') ?? host
  const isLocal = plain === 'localhost' || plain.endsWith('.localhost')
  const addresses = isLocal ? ['127.0.0.1', '[::1]'] : [plain]
  return addresses.some((address) => pairs.includes(`${address}:${portOfUrl(parsed)}`))
}
