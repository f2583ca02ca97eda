// NET-011  "The address that was checked is the address that is connected to: a name that changes its answer between
//           check and connect reaches no private address."
// NET-012  "Of a set of several answers none that is private is ever connected to."
//
// Reading: the sink's address is exempted and stands for the public one; the canary's, on the same port, is not. What
// is done with a mixed set is open (open point mixed-answers): deliver or block, but never connect to the canary.

import { serviceCase, type ServiceContext } from '../../harness/authoring.js'

interface Flip {
  readonly name: string
  readonly title: string
  readonly requirement: 'NET-011' | 'NET-012'
  readonly answers: (sink: string, canary: string, dead: string) => readonly (readonly string[])[]
}

const flips: readonly Flip[] = [
  {
    name: 'after-one-lookup',
    title: 'that flips after one lookup',
    requirement: 'NET-011',
    answers: (sink, canary) => [[sink], [canary]],
  },
  {
    name: 'after-two-lookups',
    title: 'that flips after two lookups',
    requirement: 'NET-011',
    answers: (sink, canary) => [[sink], [sink], [canary]],
  },
  {
    name: 'after-three-lookups',
    title: 'that flips after three lookups',
    requirement: 'NET-011',
    answers: (sink, canary) => [[sink], [sink], [sink], [canary]],
  },
  {
    name: 'at-every-lookup',
    title: 'that changes at every lookup',
    requirement: 'NET-011',
    answers: (sink, canary) => Array.from({ length: 16 }, (_, index) => [index % 2 === 0 ? sink : canary]),
  },
  {
    name: 'to-a-mixed-set',
    title: 'that answers the good address first and the private one second',
    requirement: 'NET-012',
    answers: (sink, canary) => [[sink, canary]],
  },
  {
    name: 'to-a-mixed-set-reversed',
    title: 'that answers the private address first',
    requirement: 'NET-012',
    answers: (sink, canary) => [[canary, sink]],
  },
  {
    name: 'to-a-dead-address-and-a-private-one',
    title: 'whose good address is dead, beside a private one',
    requirement: 'NET-012',
    answers: (_sink, canary, dead) => [[dead, canary]],
  },
]

export const rebinding = flips.map(({ name, title, requirement, answers }) =>
  serviceCase({
    id: `service/rebinding/never-follows-a-name-${name}`,
    requirements: [requirement],
    level: 'must',
    title: `a name ${title} leads to no connection to the private address`,
    needs: ['sink', 'dns', 'canary', 'time:5000', 'event:message.received'],
    async run(context) {
      const { check, canary, sinkAddress, deadAddress } = context
      const scene = await context.scene()
      const target = await context.name()
      await target.answer([sinkAddress])
      const hook = await scene.project.hook({ hostname: target.host, eventTypes: ['message.received'] })
      await hook.attempt(1, await scene.project.raise('message.received'))
      hook.endpoint.script({ kind: 'status', status: 500 })
      await target.answer(...answers(sinkAddress, canary.address, deadAddress))
      const before = await canary.connections(target.host)
      await raiseAndRetry(scene)
      check.equal('connections to the private address', (await canary.connections(target.host)) - before, 0)
    },
  }),
)

/** More than the delay before the first retry, however long the attempt before it took; less than that of the next. */
const minute = 60_000

/** An event, its first attempt and its first retry. */
async function raiseAndRetry(scene: Awaited<ReturnType<ServiceContext['scene']>>): Promise<void> {
  await scene.project.raise('message.received')
  await scene.settle()
  await scene.advance(scene.time === 'virtual' ? minute : 7_000)
}
