// NET-001  "A `url` whose host is a private address is refused."
// NET-002  "A `url` whose host is a loopback address is refused."
// NET-003  "A `url` whose host is a reserved address (link-local, shared, documentation, benchmarking, multicast,
//           unspecified and other special-purpose blocks) is refused."
// NET-005  "Refusal covers IPv6 addresses, and IPv6 forms that contain a private IPv4 address."
// NET-006  "A public `https://` URL is accepted, also one just outside a refused block."
//
// Reading: an address in the URL is refused when the webhook is created ("also when a hostname resolves to one at delivery time" is the
// other half). The interface shows no status (open point url-refusal). Arguable blocks are not judged. A service may accept names only
// (open point address-literals): one that refuses every public address too has refused the others correctly. Every created webhook is
// deleted before any event is raised.

import fc from 'fast-check'
import { loadAddressEdges, loadUrlTable, type UrlRow } from '../../../fixtures/index.js'
import type { RequirementId } from '../../../spec/index.js'
import { serviceCase, type Api, type ServiceContext } from '../../../harness/authoring.js'
import { addressIn, blockOf, drawnBlocks, requirementOf } from '../shared/address-arbitrary.js'
import {
  expectAccepted,
  expectRefused,
  expectSomeAccepted,
  isAccepted,
  rareInboxEvent,
  registerPublic,
  registerRefused,
} from '../shared/registration.js'

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
/** Random addresses of each refused block, and of the public ones. */
const runsOfBlock = 2
const runsOfPublic = 10

/** Ports may be limited, but no port makes a private address a public one. */
const oddPort = ':14443'

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

/** An address of each kind that is refused. */
const ofEachKind = [
  ['NET-001', '10.0.0.1'],
  ['NET-001', '192.168.0.1'],
  ['NET-002', '127.0.0.1'],
  ['NET-003', '169.254.169.254'],
  ['NET-003', '0.0.0.0'],
  ['NET-005', '[::1]'],
  ['NET-005', '[::ffff:10.0.0.1]'],
] as const

/** Creates a webhook on an address of each kind with each key, after one on a public name was accepted from it. */
async function checkEachKind(
  { publicUrl, isExempted, check, skip }: ServiceContext,
  apis: readonly Api[],
  whose: string,
  limits: { readonly inbox_id?: string } = {},
): Promise<void> {
  for (const api of apis) {
    const send = async (url: string) => {
      const answer = await api.createWebhook({ url, event_types: [rareInboxEvent], ...limits })
      const id = answer.field('id')
      if (isAccepted(answer) && typeof id === 'string') await api.deleteWebhook(id)
      return { row: { url }, answer }
    }
    const control = await send(publicUrl())
    if (!isAccepted(control.answer))
      return skip(`needs a service that accepts a webhook from ${whose}; it answered ${control.answer.status}`)
    for (const [requirement, host] of ofEachKind) {
      const url = `https://${host}/hook`
      if (!isExempted(url)) expectRefused(check.of(requirement), [await send(url)])
    }
    expectRefused(check.of('WHK-019'), [await send(publicUrl().replace('https:', 'http:'))])
  }
}

export const refusedAddresses = [
  ...groups.map(({ name, title, requirement, belongs }) =>
    serviceCase({
      id: `service/refused-addresses/refuses-${name}`,
      requirements: [requirement],
      decides: [requirement],
      level: 'must',
      title: `webhooks on ${title} are refused, on public addresses accepted`,
      async run(context) {
        const { api } = (await context.openSandbox()).project
        await expectSomeAccepted(context, api)
        expectRefused(context.check, await registerRefused(context, api, refused.filter(belongs)))
      },
    }),
  ),

  serviceCase({
    id: 'service/refused-addresses/refuses-both-ends-of-every-block',
    requirements: ['NET-001', 'NET-002', 'NET-003', 'NET-005'],
    level: 'must',
    title: 'the first and the last address of every refused block are refused',
    async run(context) {
      const { api } = (await context.openSandbox()).project
      await expectSomeAccepted(context, api)
      const ends = loadAddressEdges().filter((row) => row.expect === 'refuse' && row.level === 'must')
      for (const registration of await registerRefused(context, api, ends))
        expectRefused(context.check.of(requirementOf(registration.row.block)), [registration])
    },
  }),

  serviceCase({
    id: 'service/refused-addresses/refuses-them-to-the-key-of-an-inbox',
    requirements: ['NET-001', 'NET-002', 'NET-003', 'NET-005', 'WHK-019'],
    level: 'must',
    title: 'an inbox key may not create webhooks on refused addresses or without https',
    needs: ['inboxes'],
    run: async (context) =>
      checkEachKind(context, [(await context.openSandbox()).project.inbox().api], 'the key of an inbox'),
  }),

  serviceCase({
    id: 'service/refused-addresses/refuses-them-for-an-inbox',
    requirements: ['NET-001', 'NET-002', 'NET-003', 'NET-005', 'WHK-019'],
    level: 'must',
    title: 'an org key that names an inbox may not create webhooks on refused addresses',
    needs: ['inboxes'],
    async run(context) {
      const { project } = await context.openSandbox()
      const limits = { inbox_id: project.inbox().id }
      await checkEachKind(context, [project.api], 'a key of the org for an inbox', limits)
    },
  }),

  serviceCase({
    id: 'service/refused-addresses/refuses-them-in-further-projects',
    requirements: ['NET-001', 'NET-002', 'NET-003', 'NET-005', 'WHK-019'],
    level: 'must',
    title: 'in every project, webhooks on refused addresses or without https are refused',
    needs: ['projects'],
    async run(context) {
      const { projects } = await context.openSandbox({ projects: 3 })
      await checkEachKind(
        context,
        projects.slice(1).map(({ api }) => api),
        'the key of another project',
      )
    },
  }),

  serviceCase({
    id: 'service/refused-addresses/accepts-public-neighbours',
    requirements: ['NET-006'],
    decides: ['NET-006'],
    level: 'must',
    title: 'public addresses, and those just outside a refused block, are accepted',
    async run(context) {
      const { api } = (await context.openSandbox()).project
      await expectSomeAccepted(context, api)
      const neighbours = loadAddressEdges().filter((row) => row.expect === 'accept' && row.level === 'must')
      const registrations = await registerPublic(api, [...accepted, ...neighbours], context.unique)
      if (registrations.some(({ answer }) => isAccepted(answer))) expectAccepted(context.check, registrations)
    },
  }),

  serviceCase({
    id: 'service/refused-addresses/refuses-any-address-of-a-block',
    requirements: ['NET-001', 'NET-002', 'NET-003', 'NET-005', 'NET-006'],
    level: 'must',
    title: 'random addresses of refused blocks are refused in any spelling; public ones are not',
    timeoutMs: 240_000,
    async run(context) {
      const { openSandbox, property, unique } = context
      const { api } = (await openSandbox()).project
      await expectSomeAccepted(context, api)
      const [literal] = await registerPublic(api, [{ url: 'https://8.8.8.8/hook' }], unique)
      const takesLiterals = literal !== undefined && isAccepted(literal.answer)
      for (const drawn of drawnBlocks)
        await property(
          fc.tuple(addressIn(drawn), fc.constantFrom('', ':443', oddPort), pathAndQuery),
          async ([{ value, bits, host }, port, path], require) => {
            // A block may contain a smaller one with another verdict.
            const block = blockOf(value, bits)
            const url = `https://${host}${port}/${path.replace(/^\/+/, '')}`
            if (block.class === 'refuse')
              expectRefused(require.of(requirementOf(block.prefix)), await registerRefused(context, api, [{ url }]))
            else if (block.class === 'allow' && takesLiterals)
              expectAccepted(
                require.of('NET-006'),
                await registerPublic(api, [{ url: `https://${host}${port.replace(oddPort, '')}/hook` }], unique),
              )
          },
          { runs: drawn.class === 'refuse' ? runsOfBlock : runsOfPublic, atOnce: 16 },
        )
    },
  }),
]
