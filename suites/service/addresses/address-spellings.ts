// NET-002  "A `url` whose host is a loopback address is refused."
// NET-004  "Refusal covers every spelling of such an address that URL parsing turns into it (decimal, hexadecimal,
//           octal, short, percent-encoded, full-width, trailing dot)."
// NET-006  "A public `https://` URL is accepted, also one just outside a refused block."
// NET-007  "When the target URL resolves to a private address at delivery time, no connection is made to that address."
// NET-014  "A `url` whose host is a name for the local machine (`localhost`) is refused when the webhook is created."
// NET-016  "A `url` whose host is not a usable public name or address … is refused when the webhook is created."
// WHK-019  "`url` must be an `https://` URL; another scheme is refused."
//
// Reading: not every URL parser reads these spellings as addresses (open point address-spellings). One that takes `0x7f.1`
// for a name may accept it: then the name has an address when it is looked up, and is blocked, or has none, and its
// delivery stays pending or fails. Nothing may ever connect. Spellings of other addresses are judged only by a service
// that reads the same spelling of loopback: no event is ever raised for them.

import { loadUrlTable, type UrlRow } from '../../../fixtures/index.js'
import { blockedPrivateAddress } from '../../../spec/index.js'
import {
  asText,
  deliveryOf,
  itemsOf,
  memberOf,
  mentions,
  serviceCase,
  type Api,
  type ServiceContext,
} from '../../../harness/authoring.js'
import {
  expectAccepted,
  expectRefused,
  expectSomeAccepted,
  isAccepted,
  isRefused,
  registerPublic,
  registerRefused,
} from '../shared/registration.js'

const rows = loadUrlTable()
const refused = rows.filter((row) => row.expect === 'refuse' && row.level === 'must')

const isPlain = (row: UrlRow) => /^(v4|v6|mapped|nat64|6to4)-/.test(row.id)
const isGrammar = (row: UrlRow) =>
  /^(scheme-(?!upper-case$|mixed-case$)|path-only|empty|blank|word$|host-missing|bracket-|v6-without)/.test(row.id)

const spellings = refused.filter((row) => !isPlain(row) && !isGrammar(row))
const grammar = refused.filter((row) => isGrammar(row) || row.id === 'v6-without-brackets')
const ofLoopback = spellings.filter((row) => isLoopback(row.url))

/**
 * Rows of other addresses, each with the rows of loopback in the same spelling: a parser that reads these reads it. With characters between
 * digits that are not letters it may be a name (open point address-spellings), of one kind and not of another.
 */
const sameSpelling: Readonly<Record<string, readonly string[]>> = {
  'decimal-private-10': ['decimal-loopback'],
  'decimal-metadata': ['decimal-loopback'],
  'decimal-zero': ['decimal-loopback'],
  'decimal-zeros': ['decimal-loopback', 'octal-whole'],
  'hex-private-192': ['hex-dotted'],
  'hex-metadata': ['hex-whole'],
  'octal-private-192': ['octal-dotted'],
  'octal-metadata': ['octal-all-parts'],
  'mixed-bases-private': ['mixed-bases', 'octal-all-parts'],
  'short-private-10': ['short-two-parts'],
  'short-private-172': ['short-large-last-part'],
  'short-private-192': ['short-large-last-part', 'short-three-parts'],
  'trailing-dot-private': ['trailing-dot'],
  'halfwidth-full-stop': ['ideographic-full-stop', 'fullwidth-full-stop'],
  'percent-dots-lower-case': ['percent-dots'],
  'percent-all': ['percent-dots', 'percent-digits'],
  'credentials-like-host-and-port': ['credentials-like-a-host'],
  'scheme-mixed-case': ['scheme-upper-case'],
  'carriage-return-in-host': ['newline-in-host', 'tab-in-host'],
  'zone-link-local': ['zone-loopback'],
  'zone-link-local-bare': ['zone-loopback'],
}
const ofOthers = spellings.filter((row) => sameSpelling[row.id] !== undefined)
const readToo = ofLoopback.filter((row) => Object.values(sameSpelling).some((ids) => ids.includes(row.id)))

/** 127.0.0.2 as other parsers may read it. */
const spellingsOfCanary = [
  '2130706434',
  '0x7f000002',
  '0x7f.0x0.0x0.0x2',
  '0x7f.2',
  '0177.0.0.2',
  '017700000002',
  '127.2',
  '127.0.2',
  '127.0.0.2.',
  '１２７.０.０.２',
  '127。0。0。2',
  '%31%32%37.0.0.2',
  '127%2E0%2E0%2E2',
  '127.0.\u00ad0.2',
  'hooks.example.com@127.0.0.2',
  '[::ffff:127.0.0.2]',
  '[::ffff:7f00:2]',
]

/** ::1 as parsers read it that know zones (RFC 6874; the WHATWG parser knows none). */
const spellingsOfIpv6Canary = ['[::1%25lo]', '[::1%lo]', '[::1%251]', '[0:0:0:0:0:0:0:1%25lo]']

const localNames = ['localhost', 'LOCALHOST', 'Localhost', 'localhost.', 'hooks.localhost']

/** Webhooks on each url, those that are created; what refuses them has kept them from being delivered to. */
async function createEach(context: ServiceContext, api: Api, urls: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const url of urls) {
    const created = await api.createWebhook({ url, event_types: ['message.received'] })
    const id = memberOf(created.json, 'id')
    if (!isAccepted(created) || typeof id !== 'string') continue
    context.cleanup(async () => void (await api.deleteWebhook(id)))
    ids.push(id)
  }
  return ids
}

export const addressSpellings = [
  serviceCase({
    id: 'service/address-spellings/refuses-spellings-of-loopback',
    requirements: ['NET-004'],
    level: 'must',
    title: 'any spelling of loopback is refused at creation, or its deliveries get no answer',
    needs: ['event:message.received'],
    timeoutMs: 60_000,
    async run(context) {
      const { openSandbox, check } = context
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      await expectSomeAccepted(context, api)
      const registrations = await registerRefused(context, api, ofLoopback)
      // A 2xx without a webhook in it has refused nothing either.
      const kept = registrations.filter(({ answer }) => isAccepted(answer) && memberOf(answer.json, 'id') !== undefined)
      expectRefused(
        check,
        registrations.filter((registration) => !kept.includes(registration)),
      )
      const created = await Promise.all(
        kept.map(async ({ row }) => ({
          row,
          answer: await api.createWebhook({ url: row.url, event_types: ['message.received'] }),
        })),
      )
      if (created.length > 0) {
        await sandbox.project.raise('message.received')
        await sandbox.settle()
      }
      for (const { row, answer } of created) {
        const id = asText(memberOf(answer.json, 'id'))
        const [delivery] = (itemsOf(await api.listDeliveries(id)) ?? []).map(deliveryOf)
        await api.deleteWebhook(id)
        const isBlocked = delivery?.status === 'failed' && mentions(delivery.raw, blockedPrivateAddress)
        const hasNoAddress = delivery?.status !== 'succeeded' && !delivery?.response_code
        check.ok(
          `webhook on ${JSON.stringify(row.url)}`,
          isBlocked || hasNoAddress,
          'refused, or a delivery that nothing answered',
          delivery?.raw,
        )
      }
    },
  }),

  serviceCase({
    id: 'service/address-spellings/never-connects-to-a-spelled-address',
    requirements: ['NET-004', 'NET-007'],
    level: 'must',
    title: 'a url with an unusual spelling of loopback leads to no connection',
    needs: ['sink', 'canary', 'event:message.received'],
    async run(context) {
      const { openSandbox, check, skip, canary, unique } = context
      const sandbox = await openSandbox()
      if (canary.address !== '127.0.0.2') skip('needs the loopback address 127.0.0.2 on this machine')
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
      const { port } = new URL(webhook.endpoint.url)
      const spellings = [...spellingsOfCanary, ...(canary.ipv6 === undefined ? [] : spellingsOfIpv6Canary)]
      const names = new Set([canary.address, ...spellings.map((host) => host.replace(/^\[|\]$/g, ''))])
      const seen = async () => {
        const unnamed = await canary.connections('')
        const named = await Promise.all([...names].map(async (name) => (await canary.connections(name)) - unnamed))
        return named.reduce((sum, count) => sum + count, unnamed)
      }
      const before = await seen()
      const urls = spellings.map((host) => `https://${host}:${port}/${unique()}`)
      await createEach(context, sandbox.project.api, urls)
      await webhook.attempt(1, await sandbox.project.raise('message.received'))
      await sandbox.settle()
      check.equal('connections to the address', (await seen()) - before, 0)
    },
  }),

  serviceCase({
    id: 'service/address-spellings/never-connects-to-the-local-machine',
    requirements: ['NET-007'],
    level: 'must',
    title: 'a url with localhost, in any case or subdomain, leads to no connection',
    needs: ['sink', 'canary', 'event:message.received'],
    async run(context) {
      const { openSandbox, check, skip, canary, unique } = context
      const sandbox = await openSandbox()
      const { local } = canary
      if (local === undefined) return skip('needs a free port of 127.0.0.1 on this machine')
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
      const urls = localNames.map((name) => `https://${name}:${local.port}/${unique()}`)
      await createEach(context, sandbox.project.api, urls)
      await webhook.attempt(1, await sandbox.project.raise('message.received'))
      await sandbox.settle()
      check.equal('connections to 127.0.0.1', await local.connections(), 0)
    },
  }),

  serviceCase({
    id: 'service/address-spellings/refuses-spellings-of-private-addresses',
    requirements: ['NET-004'],
    decides: ['NET-004'],
    dependsOn: ['NET-003'],
    level: 'must',
    title: 'a spelling in which loopback is refused is also refused for private addresses',
    timeoutMs: 120_000,
    async run(context) {
      const { api } = (await context.openSandbox()).project
      await expectSomeAccepted(context, api)
      // A refusal shows that the service reads the spelling, unless something else refuses: one by one, so that no quota does.
      const reads = new Set(
        (await registerRefused(context, api, readToo, { atOnce: 1 }))
          .filter(({ answer }) => isRefused(answer))
          .map(({ row }) => row.id),
      )
      const requested = ofOthers.filter((row) => sameSpelling[row.id]?.every((id) => reads.has(id)))
      const answers = await registerRefused(context, api, requested)
      const taken = new Set(answers.filter(({ answer }) => !isRefused(answer)).map(({ row }) => row.id))
      expectRefused(
        context.check,
        // A spelling that a lookup resolves is accepted when the lookup fails: only one that is accepted twice counts.
        await registerRefused(
          context,
          api,
          requested.filter((row) => taken.has(row.id)),
        ),
      )
    },
  }),

  serviceCase({
    id: 'service/address-spellings/refuses-what-is-no-https-url',
    requirements: ['WHK-019'],
    decides: ['WHK-019'],
    level: 'must',
    title: 'another scheme than https, and text that is not a URL, is refused',
    async run(context) {
      const { api } = (await context.openSandbox()).project
      await expectSomeAccepted(context, api)
      expectRefused(context.check, await registerRefused(context, api, grammar))
    },
  }),

  serviceCase({
    id: 'service/address-spellings/refuses-names-of-the-local-machine',
    requirements: ['NET-014'],
    level: 'should',
    title: 'localhost and names under it are refused when the webhook is created',
    async run(context) {
      const { api } = (await context.openSandbox()).project
      const names = rows.filter((row) => /localhost/.test(row.id) && row.expect === 'refuse')
      expectRefused(context.check, await registerRefused(context, api, names))
    },
  }),

  serviceCase({
    id: 'service/address-spellings/refuses-what-leads-nowhere-public',
    requirements: ['NET-016'],
    level: 'should',
    title: 'urls with a single-label host, or an invalid host or port, are refused',
    async run(context) {
      const { api } = (await context.openSandbox()).project
      const odd = rows.filter((row) => row.expect === 'refuse' && row.level === 'should' && !/localhost/.test(row.id))
      expectRefused(context.check, await registerRefused(context, api, odd))
    },
  }),

  serviceCase({
    id: 'service/address-spellings/accepts-usual-forms-of-a-public-url',
    requirements: ['NET-017'],
    level: 'should',
    title: 'public urls with a query, default port, escaped path or no path are accepted',
    async run({ openSandbox, check, publicUrl, unique }) {
      const { api } = (await openSandbox()).project
      const host = new URL(publicUrl()).hostname
      const usual = rows
        .filter((row) => row.expect === 'accept' && row.level === 'should')
        .map(({ url }) => ({ url: url.replace('8.8.8.8', host) }))
      expectAccepted(check, await registerPublic(api, usual, unique))
    },
  }),
]

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === '[::1]' || /^127\./.test(host)
}
