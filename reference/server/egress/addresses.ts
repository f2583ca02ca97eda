import { isIP } from 'node:net'
import { arguableBlocks, publicBlocks, refusedBlocks } from './address-blocks.js'

/** The class of an address in the table. `arguable`: the interface does not decide it. */
export type AddressClass = 'public' | 'refused' | 'arguable'

interface Block {
  readonly base: bigint
  readonly bits: number
  readonly addressClass: AddressClass
}

const ipv4Blocks: Block[] = []
const ipv6Blocks: Block[] = []
for (const [addressClass, prefixes] of [
  ['refused', refusedBlocks],
  ['arguable', arguableBlocks],
  ['public', publicBlocks],
] as const) {
  for (const prefix of prefixes) {
    const [text = '', bits = ''] = prefix.split('/')
    const list = text.includes(':') ? ipv6Blocks : ipv4Blocks
    list.push({ base: addressNumber(text) ?? 0n, bits: Number(bits), addressClass })
  }
}
for (const list of [ipv4Blocks, ipv6Blocks]) list.sort((a, b) => b.bits - a.bits)

/** The one spelling of an address (no brackets, no zone); undefined when `text` is not an address. */
export function canonicalAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '')
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6) return undefined
  return new URL(`http://[${bare}]/`).hostname.slice(1, -1)
}

/** Class of an address by the longest prefix of the table that contains it; anything else is refused. */
export function classifyAddress(text: string): AddressClass {
  const address = canonicalAddress(text)
  if (address === undefined) return 'refused'
  const value = addressNumber(address)
  if (value === undefined) return 'refused'
  const isIpv6 = address.includes(':')
  const width = isIpv6 ? 128 : 32
  for (const block of isIpv6 ? ipv6Blocks : ipv4Blocks) {
    const shift = BigInt(width - block.bits)
    if (value >> shift === block.base >> shift) return block.addressClass
  }
  return isIpv6 ? 'arguable' : 'public'
}

/** Whether the reference refuses an address: what the table refuses, and what it leaves open. */
export function isRefusedAddress(address: string): boolean {
  return classifyAddress(address) !== 'public'
}

/** Whether a packet to this address stays on the machine's loopback. */
export function isLoopbackAddress(text: string): boolean {
  const address = canonicalAddress(text)
  if (address === undefined) return false
  return address === '::1' || address.startsWith('127.') || /^::ffff:7f[0-9a-f]{2}:/.test(address)
}

function addressNumber(text: string): bigint | undefined {
  if (!text.includes(':')) {
    return text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n)
  }
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  if (groups.length !== 8) return undefined
  return groups.reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n)
}
