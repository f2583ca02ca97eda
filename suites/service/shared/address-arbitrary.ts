// Random addresses of every block of the address table, in any spelling that every URL parser reads alike, and the table as
// the judge of what they are.

import fc from 'fast-check'
import { loadAddressBlocks, type AddressBlock } from '../../../fixtures/index.js'
import type { RequirementId } from '../../../spec/index.js'

type Bits = 32 | 128

export interface Block extends Pick<AddressBlock, 'prefix' | 'class'> {
  readonly bits: Bits
  readonly length: number
  readonly first: bigint
}

export interface AnyAddress {
  readonly value: bigint
  readonly bits: Bits
  /** As written in a URL. */
  readonly host: string
}

const blocks: readonly Block[] = loadAddressBlocks().map(({ prefix, class: kind }) => {
  const [address = '', length = ''] = prefix.split('/')
  const bits: Bits = address.includes(':') ? 128 : 32
  return { prefix, class: kind, bits, length: Number(length), first: bits === 32 ? parse4(address) : parse6(address) }
})

/** IPv4 outside every block of the table. */
const publicIPv4: Block = { prefix: '0.0.0.0/0', class: 'allow', bits: 32, length: 0, first: 0n }

/** The block that decides: the longest prefix that holds the address. */
export function blockOf(value: bigint, bits: Bits): Block {
  const holding = blocks.filter((block) => block.bits === bits && isIn(value, block))
  return holding.reduce((longest, block) => (block.length > longest.length ? block : longest), publicIPv4)
}

/** The requirement that speaks of a refused block. */
export function requirementOf(prefix: string): RequirementId {
  if (prefix.includes(':')) return 'NET-005'
  if (prefix.startsWith('127.')) return 'NET-002'
  return /^(10|172\.16|192\.168)\./.test(prefix) ? 'NET-001' : 'NET-003'
}

/** The blocks for random addresses: every refused one, and the public ones. */
export const drawnBlocks: readonly Block[] = [...blocks.filter((block) => block.class === 'refuse'), publicIPv4]

/** An address of a block, in some spelling. */
export function addressIn({ bits, length, first }: Block): fc.Arbitrary<AnyAddress> {
  return fc
    .tuple(fc.bigInt({ min: 0n, max: (1n << BigInt(bits - length)) - 1n }), fc.nat({ max: 3 }), fc.boolean())
    .map(([offset, spelling, isUpper]) => {
      const value = first + offset
      const host = bits === 32 ? text4(value) : `[${text6(value, spelling)}]`
      return { value, bits, host: isUpper ? host.toUpperCase() : host }
    })
}

function isIn(value: bigint, { bits, length, first }: Block): boolean {
  const free = BigInt(bits - length)
  return value >> free === first >> free
}

function parse4(text: string): bigint {
  return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

function parse6(text: string): bigint {
  const [head = [], tail = []] = text.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

function text4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
}

/** Whole, padded with zeros, with the longest run of zeros left out, or with the last 32 bits as IPv4 writes them. */
function text6(value: bigint, spelling: number): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 65_535n)
  if (spelling === 0) return groups.map((group) => group.toString(16)).join(':')
  if (spelling === 1) return groups.map((group) => group.toString(16).padStart(4, '0')).join(':')
  if (spelling === 2) return new URL(`https://[${text6(value, 0)}]/`).hostname.slice(1, -1)
  return `${groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')}:${text4(value & 0xffff_ffffn)}`
}
