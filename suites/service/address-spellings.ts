// NET-004  "Refusal covers every spelling of such an address that URL parsing turns into it (decimal, hexadecimal,
//           octal, short, percent-encoded, full-width, trailing dot)."
// WHK-019  "`url` must be an `https://` URL; another scheme is refused."
// NET-014  "A `url` whose host is a name for the local machine (`localhost`) is refused when the webhook is created."
//
// Reading: not every URL parser reads these spellings as addresses; one that takes `0x7f.1` for a name meets the
// address when it resolves it. So a spelling of loopback may also be accepted and then blocked at delivery. Spellings
// of other addresses are judged only by a service that reads this kind of spelling at all: no event is ever raised.

import { loadUrlTable, type UrlRow } from '../../fixtures/index.js'
import { blockedPrivateAddress } from '../../spec/index.js'
import { deliveryOf, itemsOf, memberOf, mentions, serviceCase } from '../../harness/authoring.js'
import { expectAccepted, expectRefused, register, urlRefusals } from './registration.js'

const rows = loadUrlTable()
const refused = rows.filter((row) => row.expect === 'refuse' && row.level === 'must')
const twins = rows.filter((row) => row.expect === 'accept' && row.level === 'must').slice(0, 3)

const isPlain = (row: UrlRow) => /^(v4|v6|mapped|nat64|6to4)-/.test(row.id)
const isGrammar = (row: UrlRow) =>
  /^(scheme-(?!upper-case$|mixed-case$)|path-only|empty|blank|word|host-missing|bracket-|v6-without)/.test(row.id)

const spellings = refused.filter((row) => !isPlain(row) && !isGrammar(row))
const grammar = refused.filter((row) => isGrammar(row) || row.id === 'v6-without-brackets')
const ofLoopback = spellings.filter((row) => isLoopback(row.url))
const ofOthers = spellings.filter((row) => !isLoopback(row.url))

export const addressSpellings = [
  serviceCase({
    id: 'service/address-spellings/refuses-spellings-of-loopback',
    requirements: ['NET-004'],
    level: 'must',
    title: 'loopback in any spelling is refused when the webhook is created, or blocked when an event is delivered',
    needs: ['event:message.received'],
    timeoutMs: 60_000,
    async run({ scene: open, check }) {
      const scene = await open()
      const { api } = scene.project
      expectAccepted(check.of('NET-006'), await register(api, twins))
      const registrations = await register(api, ofLoopback)
      const doubtful = registrations.filter(
        ({ answer }) => answer.status === undefined || !urlRefusals.includes(answer.status),
      )
      const broken = doubtful.filter(({ answer }) => answer.status === undefined || answer.status >= 300)
      expectRefused(check, broken)
      const kept = doubtful.filter((each) => !broken.includes(each))
      const created = await Promise.all(
        kept.map(async ({ row }) => ({
          row,
          answer: await api.createWebhook({ url: row.url, event_types: ['message.received'] }),
        })),
      )
      if (created.length > 0) {
        await scene.project.raise('message.received')
        await scene.settle()
      }
      for (const { row, answer } of created) {
        const id = String(memberOf(answer.json, 'id'))
        const [delivery] = (itemsOf(await api.listDeliveries(id)) ?? []).map(deliveryOf)
        await api.deleteWebhook(id)
        const isBlocked = delivery?.status === 'failed' && mentions(delivery.raw, blockedPrivateAddress)
        check.ok(
          `webhook on ${JSON.stringify(row.url)}`,
          isBlocked,
          `refused, or its delivery failed with ${blockedPrivateAddress}`,
          delivery?.raw,
        )
      }
    },
  }),

  serviceCase({
    id: 'service/address-spellings/refuses-spellings-of-private-addresses',
    requirements: ['NET-004'],
    level: 'must',
    title: 'a service that reads other spellings of loopback as addresses reads those of private addresses too',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      expectAccepted(check.of('NET-006'), await register(api, twins))
      const reads = new Set(
        (await register(api, ofLoopback))
          .filter(({ answer }) => answer.status !== undefined && urlRefusals.includes(answer.status))
          .map(({ row }) => kindOf(row)),
      )
      const registrations = await register(api, ofOthers)
      expectRefused(
        check,
        registrations.filter(({ row }) => reads.has(kindOf(row))),
      )
    },
  }),

  serviceCase({
    id: 'service/address-spellings/refuses-what-is-no-https-url',
    requirements: ['WHK-019'],
    level: 'must',
    title: 'another scheme than https, and text that is no URL, is refused',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      expectAccepted(check.of('NET-006'), await register(api, twins))
      expectRefused(check, await register(api, grammar))
    },
  }),

  serviceCase({
    id: 'service/address-spellings/refuses-names-of-the-local-machine',
    requirements: ['NET-014'],
    level: 'should',
    title: 'localhost and names under it are refused when the webhook is created',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      const names = rows.filter((row) => /localhost/.test(row.id) && row.expect === 'refuse')
      expectRefused(check, await register(api, names))
    },
  }),
]

/** `octal` of `octal-dotted`: a parser reads all spellings of a kind, or none. */
function kindOf(row: UrlRow): string {
  return row.id.split('-')[0] ?? row.id
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === '[::1]' || /^127\./.test(host)
}
