// Where deliveries may go: public addresses, and the pairs a test deployment exempts. And where they do go: loopback alone.
import { BlockList, isIP } from 'node:net'

const special = new BlockList()
for (const prefix of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24',
  '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' '))) {
  const [net = '', bits] = prefix.split('/')
  special.addSubnet(net, Number(bits), 'ipv4')
}
for (const prefix of '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'.split(' ')) {
  const [net = '', bits] = prefix.split('/')
  special.addSubnet(net, Number(bits), 'ipv6')
}
/** All of IPv6 that is given out to anybody. */
const unicast = new BlockList()
unicast.addSubnet('2000::', 3, 'ipv6')

/** Names that have an address without anybody's saying so. */
const knownNames: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1'],
  'example.com': ['93.184.215.14'],
}

export class Egress {
  readonly #exempt = new Set<string>()
  readonly #answers = new Map<string, string[][]>()
  readonly authorities: string[] = []

  exempt(pair: string): void {
    this.#exempt.add(pair)
  }

  setAnswers(host: string, answers: readonly (readonly string[])[]): void {
    this.#answers.set(
      host.toLowerCase(),
      answers.map((addresses) => [...addresses]),
    )
  }

  /** The addresses of a url's host; none where the name has none. */
  addressesOf(url: URL): readonly string[] {
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    if (isIP(host) !== 0) return [host]
    const lists = this.#answers.get(host.toLowerCase())
    if (lists === undefined) return knownNames[host.toLowerCase()] ?? []
    return (lists.length > 1 ? lists.shift() : lists[0]) ?? []
  }

  /** Every one of the addresses may be delivered to. */
  allows(addresses: readonly string[], port: number): boolean {
    return addresses.every((address) => this.#exempt.has(pairOf(address, port)) || isPublic(address))
  }
}

export function portOf(url: URL): number {
  return url.port === '' ? 443 : Number(url.port)
}

function pairOf(address: string, port: number): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
}

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  return unicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** Throws unless the address is one of this machine's own: no public address is ever connected to from here. */
export function assertLoopback(address: string): void {
  const isOwn = address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
  if (!isOwn) throw new Error(`${address} is outside loopback, which this program never leaves`)
}
