// NET-011  "The address that was checked is the address that is connected to: a name that changes its answer between
//           check and connect reaches no private address."
// NET-012  "If a name resolves to several addresses, no private one is ever connected to."
//
// Reading: the sink's address is exempted and represents the public one; the canary's, on the same port, is not. The treatment of a mixed
// set is open (open point mixed-answers): deliver or block, but never connect to the canary. If the public one is of IPv6, `::1` is
// exempted at a port of its own, where nothing listens.

import { isIPv4 } from 'node:net'
import { retryDelaysMs } from '../../../spec/index.js'
import { asText, serviceCase, status, type Answer, type ServiceContext } from '../../../harness/authoring.js'
import { namedWebhook } from '../shared/private-addresses.js'
import { isAccepted } from '../shared/registration.js'

/** Milliseconds after an attempt is due in which it has been made. */
const overDueMs = 2_000

/** Where a name may lead: all may be connected to but the canaries. */
interface Places {
  readonly sink: string
  readonly dead: string
  readonly manyDead: readonly string[]
  readonly canary: string
  /** Empty where this machine has none. */
  readonly canaryOfIpv6: string
}

interface Flip {
  readonly name: string
  readonly title: string
  readonly requirement: 'NET-011' | 'NET-012'
  readonly answers: (places: Places) => readonly (readonly string[])[]
  /** The consumer's answer while the name changes; a 500 by default. */
  readonly fault?: Answer
}

const flips: readonly Flip[] = [
  {
    name: 'after-one-lookup',
    title: 'that flips after one lookup',
    requirement: 'NET-011',
    answers: ({ sink, canary }) => [[sink], [canary]],
  },
  {
    name: 'after-two-lookups',
    title: 'that flips after two lookups',
    requirement: 'NET-011',
    answers: ({ sink, canary }) => [[sink], [sink], [canary]],
  },
  {
    name: 'after-three-lookups',
    title: 'that flips after three lookups',
    requirement: 'NET-011',
    answers: ({ sink, canary }) => [[sink], [sink], [sink], [canary]],
  },
  {
    name: 'at-every-lookup',
    title: 'that changes at every lookup',
    requirement: 'NET-011',
    answers: ({ sink, canary }) => Array.from({ length: 16 }, (_, index) => [index % 2 === 0 ? sink : canary]),
  },
  {
    name: 'to-a-mixed-set',
    title: 'with a good address before a private one',
    requirement: 'NET-012',
    answers: ({ sink, canary }) => [[sink, canary]],
  },
  {
    name: 'to-a-mixed-set-reversed',
    title: 'with a private address before a good one',
    requirement: 'NET-012',
    answers: ({ sink, canary }) => [[canary, sink]],
  },
  {
    name: 'to-a-dead-address-and-a-private-one',
    title: 'with a dead and a private address',
    requirement: 'NET-012',
    answers: ({ dead, canary }) => [[dead, canary]],
  },
  {
    name: 'to-both-families',
    title: 'with good IPv4 before private IPv6',
    requirement: 'NET-012',
    answers: ({ sink, canaryOfIpv6 }) => [[sink, canaryOfIpv6]],
  },
  {
    name: 'to-both-families-reversed',
    title: 'with good IPv4 after private IPv6',
    requirement: 'NET-012',
    answers: ({ sink, canaryOfIpv6 }) => [[canaryOfIpv6, sink]],
  },
  {
    name: 'to-both-families-one-dead',
    title: 'with dead IPv4 after private IPv6',
    requirement: 'NET-012',
    answers: ({ dead, canaryOfIpv6 }) => [[dead, canaryOfIpv6]],
  },
  {
    name: 'to-fifty-addresses',
    title: 'with dozens of dead addresses and a private one',
    requirement: 'NET-012',
    answers: ({ manyDead, canary }) => [[...manyDead, canary]],
  },
  {
    name: 'when-nothing-answers',
    title: 'with a dead address, flipping after one lookup,',
    requirement: 'NET-011',
    answers: ({ dead, canary }) => [[dead], [canary]],
  },
  {
    name: 'when-nothing-answers-after-two-lookups',
    title: 'with a dead address, flipping after two lookups,',
    requirement: 'NET-011',
    answers: ({ dead, canary }) => [[dead], [dead], [canary]],
  },
  {
    name: 'to-ipv6',
    title: 'with a private IPv6 address only',
    requirement: 'NET-012',
    answers: ({ canaryOfIpv6 }) => [[canaryOfIpv6]],
  },
  {
    name: 'to-a-mapped-address',
    title: 'with a private IPv4 address mapped to IPv6',
    requirement: 'NET-012',
    answers: ({ canary }) => [[isIPv4(canary) ? `::ffff:${canary}` : '']],
  },
  {
    name: 'after-a-reset',
    title: 'that flips after a reset connection',
    requirement: 'NET-011',
    answers: ({ sink, canary }) => [[sink], [canary]],
    fault: { kind: 'reset' },
  },
]

function placesOf({ canary, sinkAddress, deadAddress }: ServiceContext): Places {
  return {
    sink: sinkAddress,
    dead: deadAddress,
    manyDead: canary.deadAddresses,
    canary: canary.address,
    canaryOfIpv6: canary.ipv6 ?? '',
  }
}

/** Whether an address is among them that this machine has not. */
const isMissing = (lists: readonly (readonly string[])[]): boolean => lists.flat().includes('')

const ofFlips = flips.map(({ name, title, requirement, answers, fault = status(500) }) =>
  serviceCase({
    id: `service/rebinding/never-follows-a-name-${name}`,
    requirements: [requirement],
    decides: [requirement],
    level: 'must',
    title: `a name ${title} causes no private connection`,
    needs: ['sink', 'dns', 'canary', 'time:5000', 'event:message.received'],
    async run(context) {
      const { check, canary, sinkAddress, skip } = context
      const lists = answers(placesOf(context))
      if (isMissing(lists))
        skip('needs the port of the listener on another loopback address, or on ::1, of this machine')
      const sandbox = await context.openSandbox()
      const target = await context.name()
      await target.answer([sinkAddress])
      const webhook = await sandbox.project.createWebhook({ hostname: target.host, eventTypes: ['message.received'] })
      await webhook.attempt(1, await sandbox.project.raise('message.received'))
      webhook.endpoint.script(fault)
      await target.answer(...lists)
      const before = await canary.connections(target.host)
      await raiseAndRetry(sandbox)
      check.equal('connections to the private address', (await canary.connections(target.host)) - before, 0)
    },
  }),
)

/** More than the delay before the first retry, however long the attempt before it took; less than that of the next. */
const minute = 60_000

/** An event, its first attempt and its first retry. */
async function raiseAndRetry(sandbox: Awaited<ReturnType<ServiceContext['openSandbox']>>): Promise<void> {
  await sandbox.project.raise('message.received')
  await sandbox.settle()
  await sandbox.advance(sandbox.time === 'virtual' ? minute : 7_000)
}

/** Sets of a good address of IPv6 and a private one of IPv4. */
const orders = [
  { name: 'first', title: 'before', order: (ipv6: string, ipv4: string) => [ipv6, ipv4] },
  { name: 'second', title: 'after', order: (ipv6: string, ipv4: string) => [ipv4, ipv6] },
] as const

const ofIpv6 = orders.map(({ name, title, order }) =>
  serviceCase({
    id: `service/rebinding/never-falls-back-from-an-ipv6-address-that-comes-${name}`,
    requirements: ['NET-012'],
    level: 'must',
    title: `a name with dead IPv6 ${title} private IPv4 causes no private connection`,
    needs: ['sink', 'dns', 'canary', 'time:5000', 'event:message.received'],
    async run(context) {
      const { check, canary, skip, cleanup, unique } = context
      const { behindIpv6 } = canary
      if (behindIpv6 === undefined) return skip('needs the loopback address ::1, for this machine and for the service')
      const sandbox = await context.openSandbox()
      const { api } = sandbox.project
      const target = await context.name()
      const [ipv6, ipv4] = behindIpv6.allowed
      await target.answer([ipv4])
      const url = `https://${target.host}:${behindIpv6.port}/${unique()}`
      const created = await api.createWebhook({ url, event_types: ['message.received'] })
      if (!isAccepted(created)) return skip('needs a service that accepts a url at which nothing answers')
      cleanup(async () => void (await api.deleteWebhook(asText(created.field('id')))))
      await target.answer(order(ipv6, behindIpv6.address))
      const before = await behindIpv6.connections(target.host)
      await raiseAndRetry(sandbox)
      check.equal('connections to the private address', (await behindIpv6.connections(target.host)) - before, 0)
    },
  }),
)

/** A consumer whose certificate does not hold: who gives the connection up may not look for another address unjudged. */
const ofHandshakes = [
  serviceCase({
    id: 'service/rebinding/never-follows-a-name-after-a-handshake-that-fails',
    requirements: ['NET-011'],
    level: 'must',
    title: 'a name that flips after one lookup leads to no connection to the private address',
    needs: ['sink', 'dns', 'named-sink', 'canary', 'time:5000', 'event:message.received'],
    async run(context) {
      const { check, canary, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const target = await context.name('uncertified')
      await target.answer([sinkAddress])
      await sandbox.project.createWebhook({ hostname: target.host, eventTypes: ['message.received'] })
      await target.answer([sinkAddress], [canary.address])
      const before = await canary.connections(target.host)
      await raiseAndRetry(sandbox)
      check.equal('connections to the private address', (await canary.connections(target.host)) - before, 0)
    },
  }),
]

/** Attempts that another part of a service may make than the one that makes first attempts. */
const laterAttempts = [
  { name: 'a-retry', title: 'a second attempt', isReplay: false, number: 2 },
  { name: 'a-late-retry', title: 'a third attempt', isReplay: false, number: 3 },
  { name: 'a-replay', title: 'a replay', isReplay: true, number: 2 },
] as const
/** The flips that apply to them. */
const ofLaterAttempts: ReadonlySet<string> = new Set([
  'after-one-lookup',
  'after-two-lookups',
  'at-every-lookup',
  'to-a-mixed-set',
  'to-a-mixed-set-reversed',
  'to-a-dead-address-and-a-private-one',
  'when-nothing-answers',
  'to-ipv6',
  'to-a-mapped-address',
])

const atLaterAttempts = laterAttempts.map(({ name, title, isReplay, number }) =>
  serviceCase({
    id: `service/rebinding/never-follows-a-name-at-${name}`,
    requirements: ['NET-011', 'NET-012'],
    level: 'must',
    title: `names that change during ${title} lead to no connection to a private address`,
    needs: ['sink', 'dns', 'canary', 'event:message.received', ...(isReplay ? [] : (['clock'] as const))],
    async run(context) {
      const { check, require, canary } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const cells = []
      const requested = flips.filter(
        ({ name, answers }) => ofLaterAttempts.has(name) && !isMissing(answers(placesOf(context))),
      )
      for (const flip of requested) {
        const { target, webhook } = await namedWebhook(context, sandbox)
        webhook.endpoint.script({ kind: 'status', status: isReplay ? 200 : 500 })
        cells.push({ ...flip, target, webhook })
      }
      const event = await project.raise('message.received')
      for (const { webhook } of cells) await webhook.attempt(1, event)
      await sandbox.settle()
      for (let made = 2; made < number; made++) {
        await sandbox.advance((retryDelaysMs[made - 1] ?? 0) + overDueMs)
        for (const { webhook } of cells) await webhook.attempt(made, event, require.of('RTY-012'))
      }
      const deliveries = isReplay
        ? await Promise.all(cells.map(({ webhook }) => webhook.deliveryWhen(({ status }) => status === 'succeeded')))
        : []
      for (const { target, answers } of cells) await target.answer(...answers(placesOf(context)))
      for (const [index, { webhook }] of cells.entries())
        if (isReplay)
          require
            .of('RPL-001')
            .status(await project.api.replayDelivery(webhook.id, asText(deliveries[index]?.id)), [202])
      await sandbox.settle()
      if (!isReplay) await sandbox.advance((retryDelaysMs[number - 1] ?? 0) + overDueMs)
      for (const { requirement, title: what, target } of cells)
        check
          .of(requirement)
          .equal(`connections to the private address, by a name ${what}`, await canary.connections(target.host), 0)
    },
  }),
)

export const rebinding = [...ofFlips, ...ofIpv6, ...ofHandshakes, ...atLaterAttempts]
