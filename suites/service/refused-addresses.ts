// NET-001  "A `url` whose host is a private address is refused."
// NET-002  "A `url` whose host is a loopback address is refused."
// NET-003  "A `url` whose host is a reserved address (link-local, shared, documentation, benchmarking, multicast,
//           unspecified and other special-purpose blocks) is refused."
// NET-005  "Refusal covers IPv6 addresses, and IPv6 forms that hold a private IPv4 address."
// NET-006  "A public `https://` URL is accepted, also one just outside a refused block."
//
// Reading: an address that stands in the url is refused when the webhook is created ("also when a hostname resolves to
// one at delivery time" is the other half). No status is shown (open point url-refusal). Blocks that are arguable are
// judged neither way. Every webhook that is made is deleted before any event is raised.

import fc from 'fast-check'
import { loadAddressEdges, loadUrlTable, type UrlRow } from '../../fixtures/index.js'
import type { RequirementId } from '../../spec/index.js'
import { serviceCase } from '../../harness/authoring.js'
import { expectAccepted, expectRefused, register } from './registration.js'

interface Group {
  readonly name: string
  readonly title: string
  readonly requirement: RequirementId
  readonly belongs: (row: UrlRow) => boolean
}

const rows = loadUrlTable()
const must = rows.filter((row) => row.level === 'must')
const refused = must.filter((row) => row.expect === 'refuse')
const accepted = must.filter((row) => row.expect === 'accept')
/** One public address for each refusal case: the accepted twin. */
const twins = accepted.slice(0, 3)

/** A path and query; fast-check's own arbitrary of paths takes more than a second to build. */
const pathAndQuery = fc.string({ unit: fc.constantFrom(...'aZ09-._~/?=&'), maxLength: 20 })

/** Plain addresses, as any parser reads them. */
const groups: readonly Group[] = [
  {
    name: 'loopback',
    title: 'loopback addresses',
    requirement: 'NET-002',
    belongs: (row) => /^v4-loopback/.test(row.id),
  },
  { name: 'private', title: 'private addresses', requirement: 'NET-001', belongs: (row) => /^v4-private/.test(row.id) },
  {
    name: 'reserved',
    title: 'reserved addresses',
    requirement: 'NET-003',
    belongs: (row) => /^v4-(?!loopback|private)/.test(row.id),
  },
  {
    name: 'ipv6',
    title: 'IPv6 loopback, local, multicast and reserved addresses',
    requirement: 'NET-005',
    belongs: (row) => /^v6-(?!without|loopback-credentials)/.test(row.id),
  },
  {
    name: 'ipv4-in-ipv6',
    title: 'IPv6 forms of refused IPv4 addresses',
    requirement: 'NET-005',
    belongs: (row) => /^(mapped|nat64|6to4)-/.test(row.id),
  },
]

export const refusedAddresses = [
  ...groups.map(({ name, title, requirement, belongs }) =>
    serviceCase({
      id: `service/refused-addresses/refuses-${name}`,
      requirements: [requirement],
      level: 'must',
      title: `a webhook on ${title} is refused, one on a public address is not`,
      async run({ scene: open, check }) {
        const { api } = (await open()).project
        expectAccepted(check.of('NET-006'), await register(api, twins))
        expectRefused(check, await register(api, refused.filter(belongs)))
      },
    }),
  ),

  serviceCase({
    id: 'service/refused-addresses/refuses-both-ends-of-every-block',
    requirements: ['NET-001', 'NET-002', 'NET-003', 'NET-005'],
    level: 'must',
    title: 'the first and the last address of every refused block are refused',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      expectAccepted(check.of('NET-006'), await register(api, twins))
      const ends = loadAddressEdges().filter((row) => row.expect === 'refuse' && row.level === 'must')
      for (const registration of await register(api, ends)) {
        const { block } = registration.row
        const requirement = block.includes(':')
          ? 'NET-005'
          : block.startsWith('127.')
            ? 'NET-002'
            : isPrivate(block)
              ? 'NET-001'
              : 'NET-003'
        expectRefused(check.of(requirement), [registration])
      }
    },
  }),

  serviceCase({
    id: 'service/refused-addresses/accepts-public-neighbours',
    requirements: ['NET-006'],
    level: 'must',
    title: 'public addresses, and those just outside a refused block, are accepted',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      const neighbours = loadAddressEdges().filter((row) => row.expect === 'accept' && row.level === 'must')
      expectAccepted(check, await register(api, [...accepted, ...neighbours]))
    },
  }),

  serviceCase({
    id: 'service/refused-addresses/refuses-any-address-of-a-block',
    requirements: ['NET-001', 'NET-002', 'NET-003'],
    level: 'must',
    title: 'random addresses of the private, loopback, link-local, shared and multicast blocks are refused',
    async run({ scene: open, property }) {
      const { api } = (await open()).project
      const blocks = [
        { requirement: 'NET-001', prefix: [10], free: 24 },
        { requirement: 'NET-001', prefix: [172, 16], free: 20 },
        { requirement: 'NET-001', prefix: [192, 168], free: 16 },
        { requirement: 'NET-002', prefix: [127], free: 24 },
        { requirement: 'NET-003', prefix: [169, 254], free: 16 },
        { requirement: 'NET-003', prefix: [100, 64], free: 22 },
        { requirement: 'NET-003', prefix: [224], free: 28 },
        { requirement: 'NET-003', prefix: [198, 18], free: 17 },
      ] as const
      await property(
        fc.tuple(
          fc.constantFrom(...blocks),
          fc.nat({ max: 0xfffffff }),
          fc.constantFrom('', ':443', ':8443'),
          pathAndQuery,
        ),
        async ([{ requirement, prefix, free }, random, port, path], require) => {
          const base = prefix.reduce<number>((sum, part, index) => sum + part * 2 ** (24 - 8 * index), 0)
          const host = dotted(base + (random % 2 ** free))
          expectRefused(
            require.of(requirement),
            await register(api, [{ url: `https://${host}${port}/${path.replace(/^\/+/, '')}` }]),
          )
        },
        { runs: 40 },
      )
    },
  }),
]

function isPrivate(block: string): boolean {
  return block.startsWith('10.') || block.startsWith('172.16.') || block.startsWith('192.168.')
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}
