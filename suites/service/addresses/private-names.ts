// NET-007  "When the target URL resolves to a private address at delivery time, no connection is made to that address."
// NET-008  "A URL that resolves to a private address fails at once with `blocked_private_address`."
// NET-009  "A delivery blocked for a private address is `failed` and is not retried."
// NET-010  "The check holds at delivery time: a name that was public when the webhook was created and is private when an
//           event is raised is blocked."
// NET-015  "Each delivery resolves the name again …"
//
// Reading: "Private, loopback and reserved addresses are refused, also when a hostname resolves to one at delivery time":
// reserved ones are blocked as private ones are. A name that is private when the webhook is created may be refused then
// (open point private-hostname). The name answers the sink's own exempted address while the webhook is created, so that
// every service creates it; the private answers are set before an event is raised, so nothing public is ever connected to.

import { blockedPrivateAddress, retryDelaysMs } from '../../../spec/index.js'
import {
  asText,
  attemptRequirement,
  CaseErrored,
  delaysBefore,
  instantOf,
  mentions,
  serviceCase,
  status,
} from '../../../harness/authoring.js'
import { isBlocked, namedWebhook, outcomeOf, privateAddress } from '../shared/private-addresses.js'

/** Addresses a resolver may answer that no service may connect to. */
const privateAnswers: readonly (readonly [name: string, ...answers: string[]])[] = [
  ['private-10', '10.0.0.1'],
  ['private-172', '172.16.0.1'],
  ['private-192', '192.168.0.1'],
  ['link-local', '169.254.169.254'],
  ['shared', '100.64.0.1'],
  ['loopback', '127.0.0.99'],
  ['unspecified', '0.0.0.0'],
  ['ipv6-loopback', '::1'],
  ['ipv6-unique-local', 'fd00:ec2::254'],
  ['ipv6-link-local', 'fe80::1'],
  ['ipv4-mapped', '::ffff:10.0.0.1'],
  ['nat64', '64:ff9b::a00:1'],
  ['6to4', '2002:a00:1::1'],
  ['several-private', '10.0.0.1', '192.168.0.1'],
  ['reserved', '240.0.0.1'],
  ['multicast', '224.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['benchmarking', '198.18.0.1'],
  ['ipv6-multicast', 'ff02::1'],
  ['ipv6-documentation', '2001:db8::1'],
]

const day = 24 * 3600 * 1000
/** Longest time a record may lag, in milliseconds. */
const lagMs = 5_000

/** Attempts after the first. */
const laterAttempts = [
  ['delivery', 'a delivery', false],
  ['replay', 'a replay', true],
] as const

export const privateNames = [
  ...privateAnswers.map(([name, ...answers]) =>
    serviceCase({
      id: `service/private-names/blocks-${name}`,
      requirements: ['NET-008', 'NET-009', 'NET-010'],
      level: 'must',
      title: `a name that resolves to ${answers.join(' and ')} is blocked at once`,
      needs: ['sink', 'dns', 'event:message.received'],
      async run(context) {
        const { skip, leadsToSink } = context
        if (answers.some(leadsToSink)) return skip(`needs a sink at another address than ${answers.join(', ')}`)
        const sandbox = await context.openSandbox()
        const { target, webhook } = await namedWebhook(context, sandbox)
        await target.answer(answers)
        const event = await sandbox.project.raise('message.received')
        await sandbox.settle()
        const delivery = await webhook.deliveryWhen(({ status }) => status !== 'pending')
        context.check
          .of('NET-008')
          .ok('delivery', isBlocked(delivery), `failed with ${blockedPrivateAddress}`, outcomeOf(delivery))
        context.check.of('NET-009').equal('status of the delivery', delivery.status, 'failed')
        context.check.of('NET-010').equal('attempts that reached the sink', webhook.attempts(event).length, 0)
      },
    }),
  ),

  serviceCase({
    id: 'service/private-names/delivers-to-a-name-that-is-not-private',
    requirements: ['NET-006', 'NET-015'],
    level: 'must',
    title: 'a name is blocked while its address is private, and delivered to before and after',
    needs: ['sink', 'dns', 'named-sink', 'event:message.received'],
    async run(context) {
      const { check, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const { target, webhook } = await namedWebhook(context, sandbox)
      const first = await webhook.attempt(
        1,
        await sandbox.project.raise('message.received'),
        context.require.of('NET-006'),
      )
      const host = (first.header('host') ?? '').toLowerCase().replace(/\.?(:\d+)?$/, '')
      check.of('DLV-001').equal('requested host, without its port', host, target.host.toLowerCase())
      await target.answer([privateAddress(context)])
      const blocked = await sandbox.project.raise('message.received')
      await sandbox.settle()
      await sandbox.until(async () => (await webhook.deliveries()).some(({ status }) => status === 'failed'), lagMs)
      await target.answer([sinkAddress])
      const later = await sandbox.project.raise('message.received')
      await webhook.attempt(1, later, context.require.of('NET-015'))
      check
        .of('NET-010')
        .equal('attempts of the event raised while the name was private', webhook.attempts(blocked).length, 0)
    },
  }),

  serviceCase({
    id: 'service/private-names/never-connects-to-a-private-address',
    requirements: ['NET-007'],
    level: 'must',
    title: 'no connection is made to the private address a name resolves to',
    needs: ['sink', 'dns', 'canary', 'event:message.received'],
    async run(context) {
      const { check, canary } = context
      const sandbox = await context.openSandbox()
      const { target, webhook } = await namedWebhook(context, sandbox)
      await target.answer([canary.address])
      const before = await canary.connections(target.host)
      const event = await sandbox.project.raise('message.received')
      await sandbox.settle()
      const delivery = await webhook.deliveryWhen(({ status }) => status !== 'pending')
      check.equal('connections to the private address', (await canary.connections(target.host)) - before, 0)
      check
        .of('NET-008')
        .ok('delivery', isBlocked(delivery), `failed with ${blockedPrivateAddress}`, outcomeOf(delivery))
      check.of('NET-010').equal('attempts that reached the sink', webhook.attempts(event).length, 0)
    },
  }),

  serviceCase({
    id: 'service/private-names/is-not-retried',
    requirements: ['NET-009'],
    level: 'must',
    title: 'a blocked delivery stays failed and is never attempted again',
    needs: ['sink', 'dns', 'clock', 'event:message.received'],
    async run(context) {
      const { check, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const { target, webhook } = await namedWebhook(context, sandbox)
      await target.answer([privateAddress(context)])
      const event = await sandbox.project.raise('message.received')
      await sandbox.settle()
      const first = await webhook.deliveryWhen(({ status }) => status !== 'pending')
      context.require
        .of('NET-008')
        .ok('delivery', isBlocked(first), `failed with ${blockedPrivateAddress}`, outcomeOf(first))
      const isDueLater = instantOf(first.next_attempt_at) > sandbox.now()
      check.ok('no next attempt', !isDueLater, 'no next attempt', first.next_attempt_at)
      // It is open whether a blocked delivery counts as an attempt; a second one is a retry.
      check.ok('attempt of the delivery', !(Number(first.attempt) > 1), '1 at most', first.attempt)
      await target.answer([sinkAddress])
      await sandbox.advance(day)
      check.equal('attempts that reached the sink', webhook.attempts(event).length, 0)
      check.equal('status of the delivery a day later', (await webhook.delivery()).status, 'failed')
    },
  }),

  serviceCase({
    id: 'service/private-names/is-checked-at-each-attempt',
    requirements: ['NET-013'],
    level: 'must',
    title: 'a name that becomes private between two attempts is blocked at the second',
    needs: ['sink', 'dns', 'named-sink', 'time:5000', 'event:message.received'],
    async run(context) {
      const { check, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const { target, webhook } = await namedWebhook(context, sandbox)
      webhook.endpoint.script({ kind: 'status', status: 500 })
      const event = await sandbox.project.raise('message.received')
      await webhook.attempt(1, event)
      await sandbox.settle()
      await target.answer([privateAddress(context)])
      await sandbox.settle()
      // One, unless the answer of the control interface took longer than the first delay.
      const before = webhook.attempts(event).length
      if (sandbox.time === 'real' && before > 1) throw new CaseErrored('the retry was made before the name was private')
      await sandbox.advance((retryDelaysMs[before] ?? 0) + 2_000)
      const delivery = await webhook.deliveryWhen(({ status }) => status !== 'pending')
      check.equal('status of the delivery after the second attempt', delivery.status, 'failed')
      check
        .of('NET-008')
        .ok(
          'delivery after the second attempt',
          isBlocked(delivery),
          `failed with ${blockedPrivateAddress}`,
          outcomeOf(delivery),
        )
      await target.answer([sinkAddress])
      if (sandbox.time === 'virtual') await sandbox.advance(day)
      check.equal('attempts that reached the sink', webhook.attempts(event).length, before)
    },
  }),

  ...laterAttempts.map(([name, title, isReplayed]) =>
    serviceCase({
      id: `service/private-names/is-checked-at-every-later-attempt-of-a-${name}`,
      requirements: ['NET-013', 'NET-009'],
      dependsOn: isReplayed ? ['RPL-008', ...delaysBefore(7)] : delaysBefore(7),
      level: 'must',
      title: `a name that turns private before a later attempt of ${title} is blocked`,
      needs: ['sink', 'dns', 'named-sink', 'clock', 'event:message.received'],
      async run(context) {
        const { check, require, sinkAddress } = context
        const sandbox = await context.openSandbox()
        const cells = await Promise.all(
          [3, 4, 5, 6, 7].map(async (number) => ({ number, ...(await namedWebhook(context, sandbox)) })),
        )
        for (const { webhook } of cells) webhook.endpoint.script(status(isReplayed ? 200 : 500), status(500))
        const event = await sandbox.project.raise('message.received')
        await Promise.all(cells.map(({ webhook }) => webhook.attempt(1, event)))
        await sandbox.settle()
        if (isReplayed)
          for (const { webhook } of cells) {
            const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
            require.of('RPL-001').status(await sandbox.project.api.replayDelivery(webhook.id, asText(id)), [202])
            await webhook.attempt(2, event, require.of('RPL-002'))
          }
        await sandbox.settle()
        // The second attempt is 5 seconds away, too soon on a slow target; the others are minutes away.
        await sandbox.advance(7_000)
        const counts: { readonly number: number; readonly made: () => number }[] = []
        for (const { number, target, webhook } of cells) {
          const made = () => webhook.attempts(event).length - (isReplayed ? 1 : 0)
          const before = attemptRequirement(number - 1)
          await webhook.attempt(number - 1 + (isReplayed ? 1 : 0), event, require.of(before), { dependsOn: before })
          await target.answer([privateAddress(context)])
          await sandbox.advance((retryDelaysMs[number - 1] ?? 0) + 2_000)
          const listed = await webhook.deliveriesWhen((all) => all.some(isBlocked))
          const what = `delivery whose name became private before attempt ${number}`
          const reported = listed.map((delivery) => delivery.raw)
          check.of('NET-008').ok(what, listed.some(isBlocked), `failed with ${blockedPrivateAddress}`, reported)
          const next = listed.find(isBlocked)?.next_attempt_at
          const isAhead = instantOf(next) > sandbox.now()
          check.of('NET-009').ok(`next_attempt_at of a ${what}`, !isAhead, 'no next attempt', next)
          check.equal(`attempts where the name became private before attempt ${number}`, made(), number - 1)
          // It leads to the sink again, so that a forbidden attempt arrives.
          await target.answer([sinkAddress])
          counts.push({ number, made })
        }
        await sandbox.advance(day)
        for (const { number, made } of counts)
          check
            .of('NET-009')
            .equal(`attempts of the delivery blocked at attempt ${number}, a day later`, made(), number - 1)
      },
    }),
  ),

  serviceCase({
    id: 'service/private-names/is-checked-at-a-replay',
    requirements: ['NET-013', 'NET-008', 'NET-009'],
    level: 'must',
    title: 'a replay is blocked at its first attempt while the name is private',
    needs: ['sink', 'dns', 'named-sink', 'event:message.received'],
    async run(context) {
      const { check, require } = context
      const sandbox = await context.openSandbox()
      const { target, webhook } = await namedWebhook(context, sandbox)
      const event = await sandbox.project.raise('message.received')
      await webhook.attempt(1, event)
      const original = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      await target.answer([privateAddress(context)])
      require.of('RPL-001').status(await sandbox.project.api.replayDelivery(webhook.id, asText(original.id)), [202])
      await sandbox.settle()
      const replay = async () => (await webhook.deliveries()).find((delivery) => delivery.id !== original.id)
      await sandbox.until(async () => (await replay())?.status === 'failed', lagMs)
      const made = await replay()
      check.equal('status of the replay', made?.status, 'failed')
      if (made !== undefined)
        check.of('NET-008').ok('replay', isBlocked(made), `failed with ${blockedPrivateAddress}`, outcomeOf(made))
      // It is open whether a blocked delivery counts as an attempt; a second one is a retry.
      check.of('NET-009').ok('attempt of the replay', !(Number(made?.attempt) > 1), '1 at most', made?.attempt)
      check.equal('attempts that reached the sink', webhook.attempts(event).length, 1)
    },
  }),

  serviceCase({
    id: 'service/private-names/lets-a-blocked-delivery-be-replayed',
    requirements: ['RPL-005', 'RPL-001', 'RPL-002', 'RPL-004', 'RPL-008'],
    level: 'must',
    title: 'a blocked delivery can be replayed once its name leads to the endpoint again',
    needs: ['sink', 'dns', 'named-sink', 'event:message.received'],
    async run(context) {
      const { check, require, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const { target, webhook } = await namedWebhook(context, sandbox)
      await target.answer([privateAddress(context)])
      const event = await sandbox.project.raise('message.received')
      await sandbox.settle()
      const original = await webhook.deliveryWhen(({ status }) => status !== 'pending')
      require
        .of('NET-008')
        .ok('delivery', isBlocked(original), `failed with ${blockedPrivateAddress}`, outcomeOf(original))
      await target.answer([sinkAddress])
      if (sandbox.time === 'virtual') webhook.endpoint.script(status(500), status(200))
      const answer = await sandbox.project.api.replayDelivery(webhook.id, asText(original.id))
      check.of('RPL-001').status(answer, [202])
      await webhook.attempt(1, event, check.of('RPL-002'))
      const listed = await webhook.deliveriesListed(2)
      const named = listed.filter((delivery) => delivery.replay_of === original.id)
      check.of('RPL-004').equal('deliveries listed that repeat the one that was blocked', named.length, 1)
      if (sandbox.time === 'real') return
      await sandbox.settle()
      await sandbox.advance(7_000)
      await webhook.attempt(2, event, check.of('RPL-008'))
    },
  }),

  serviceCase({
    id: 'service/private-names/refuses-or-blocks-a-name-that-was-always-private',
    requirements: ['NET-008'],
    level: 'must',
    title: 'a private name is refused at creation, or blocked at delivery',
    needs: ['sink', 'dns', 'event:message.received'],
    async run(context) {
      const { check, name, unique } = context
      const sandbox = await context.openSandbox()
      const { api } = sandbox.project
      const target = await name()
      await target.answer([privateAddress(context)])
      const created = await api.createWebhook({
        url: `https://${target.host}/${unique()}`,
        event_types: ['message.received'],
      })
      if (created.status !== undefined && created.status < 300) {
        const id = asText(created.field('id'))
        context.cleanup(async () => void (await api.deleteWebhook(id)))
        await sandbox.project.raise('message.received')
        await sandbox.settle()
        let listed = await api.listDeliveries(id)
        await sandbox.until(async () => {
          listed = await api.listDeliveries(id)
          return mentions(listed.json, blockedPrivateAddress)
        }, lagMs)
        check.ok(
          'deliveries of the webhook',
          mentions(listed.json, blockedPrivateAddress),
          `one that failed with ${blockedPrivateAddress}`,
          listed.json,
        )
      } else check.refused(created)
    },
  }),
]
