// WHK-006  "`event_types` is optional; missing means all events."
// WHK-007  "`event_types` empty means all events."
// WHK-008  "`event_types` `["*"]` means all events."
// WHK-009  "The webhook `event_types` filter selects by `type`: the listed types are sent, others are not."
// WHK-021  "An event that matches several webhooks makes one delivery for each of them."

import fc from 'fast-check'
import { eventTypes, type EventType } from '../../spec/index.js'
import { asText, serviceCase, type Hook, type Project, type RaisedEvent } from '../../harness/authoring.js'

const messageTypes = (Object.keys(eventTypes) as EventType[]).filter((type) => eventTypes[type] !== 'workspace')

/** The three ways to ask for every event. */
const everything = [
  ['missing', 'WHK-006', undefined],
  ['empty', 'WHK-007', []],
  ['star', 'WHK-008', ['*']],
] as const

async function raiseAll(project: Project): Promise<RaisedEvent[]> {
  return Promise.all((Object.keys(eventTypes) as EventType[]).map((type) => project.raise(type)))
}

export const eventFilters = [
  ...everything.map(([name, requirement, types]) =>
    serviceCase({
      id: `service/event-filters/sends-everything-when-${name}`,
      requirements: [requirement],
      level: 'must',
      title: `a webhook whose event_types is ${name} gets events of every type`,
      needs: ['sink', 'workspace', 'own-data'],
      async run({ scene: open, require }) {
        const { project } = await open()
        const hook = await project.hook(types === undefined ? {} : { eventTypes: types })
        for (const event of await raiseAll(project)) await hook.attempt(1, event, require)
      },
    }),
  ),

  ...everything.map(([name, requirement, types]) =>
    serviceCase({
      id: `service/event-filters/sends-what-mail-raises-when-${name}`,
      requirements: [requirement],
      settles: [requirement],
      level: 'must',
      title: `a webhook whose event_types is ${name} gets events of the two types that any email raises`,
      needs: ['sink', 'event:message.received', 'event:message.queued'],
      async run({ scene: open, require }) {
        const { project } = await open()
        const hook = await project.hook(types === undefined ? {} : { eventTypes: types })
        for (const type of ['message.received', 'message.queued'] as const)
          await hook.attempt(1, await project.raise(type), require)
      },
    }),
  ),

  serviceCase({
    id: 'service/event-filters/leaves-out-what-is-not-listed',
    requirements: ['WHK-009'],
    settles: ['WHK-009'],
    level: 'must',
    title: 'of two webhooks that list one type each, either gets the events of its type and not those of the other',
    needs: ['sink', 'event:message.received', 'event:message.queued'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const types = ['message.received', 'message.queued'] as const
      const [ofReceived, ofQueued] = [
        await project.hook({ eventTypes: [types[0]] }),
        await project.hook({ eventTypes: [types[1]] }),
      ]
      const [received, queued] = [await project.raise(types[0]), await project.raise(types[1])]
      await ofReceived.attempt(1, received, require)
      await ofQueued.attempt(1, queued, require)
      await scene.settle()
      check.equal('message.queued at the webhook for message.received', ofReceived.attempts(queued).length, 0)
      check.equal('message.received at the webhook for message.queued', ofQueued.attempts(received).length, 0)
    },
  }),

  serviceCase({
    id: 'service/event-filters/sends-each-type-where-it-is-asked-for',
    requirements: ['WHK-009'],
    level: 'must',
    title: 'of webhooks that list one type each, of all nine, each gets the event of its type and no other',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const types = Object.keys(eventTypes) as EventType[]
      // As many as the service takes.
      const hooks = await project.hooks(
        types.map((type) => ({ eventTypes: [type] })),
        { atLeast: 2 },
      )
      const events: RaisedEvent[] = []
      for (const type of types) events.push(await project.raise(type))
      for (const [index, event] of events.entries()) await hooks[index]?.attempt(1, event, require)
      await scene.settle()
      for (const [index, type] of types.entries()) {
        const got = hooks[index]?.attempts().map((attempt) => attempt.field('type'))
        if (got !== undefined) check.equal(`types sent to the webhook for ${type}`, [...new Set(got)], [type])
      }
    },
  }),

  serviceCase({
    id: 'service/event-filters/sends-what-any-consumer-asks-for',
    requirements: ['WHK-009'],
    level: 'must',
    title: 'a webhook for message.received gets it',
    needs: ['sink', 'event:message.received'],
    async run({ scene: open, require }) {
      const { project } = await open()
      const hook = await project.hook({ eventTypes: ['message.received'] })
      await hook.attempt(1, await project.raise('message.received'), require)
    },
  }),

  serviceCase({
    id: 'service/event-filters/sends-to-each-webhook-that-asks',
    requirements: ['WHK-021', 'DLV-023', 'SIG-006'],
    settles: ['WHK-021', 'DLV-023'],
    level: 'must',
    title: 'an event that two webhooks ask for is sent once to each, and is one delivery in the list of each',
    needs: ['sink', 'event:message.received'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const hooks = [
        await project.hook({ eventTypes: ['message.received'] }),
        await project.hook({ eventTypes: ['message.received'] }),
      ]
      const event = await project.raise('message.received')
      for (const hook of hooks) await hook.attempt(1, event, require.of('WHK-021'))
      await scene.settle()
      for (const hook of hooks) {
        const [first, ...more] = hook.attempts(event)
        check.of('DLV-023').equal('attempts after the first', more.length, 0)
        const isOwn = first !== undefined && hook.hasSigned(first)
        check.of('SIG-006').ok('signature', isOwn, 'made with the secret of the webhook', 'of another')
        await hook.deliveryWhen((each) => each.status === 'succeeded')
      }
    },
  }),

  serviceCase({
    id: 'service/event-filters/selects-by-type',
    requirements: ['WHK-009'],
    level: 'must',
    title: 'a webhook gets the types it lists, and no others',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const hook = await project.hook({ eventTypes: ['message.bounced', 'sending.paused'] })
      const events = await raiseAll(project)
      for (const event of events.filter(({ type }) => type === 'message.bounced' || type === 'sending.paused'))
        await hook.attempt(1, event, require)
      await scene.settle()
      const others = events.filter(({ type }) => type !== 'message.bounced' && type !== 'sending.paused')
      check.equal(
        'types that were sent beside the listed ones',
        others.filter((event) => hook.attempts(event).length > 0).map(({ type }) => type),
        [],
      )
    },
  }),

  serviceCase({
    id: 'service/event-filters/selects-every-type-by-name',
    requirements: ['WHK-009'],
    level: 'must',
    title: 'a webhook that lists all types by name gets each, in whatever order it lists them',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const types = Object.keys(eventTypes)
      const hooks = [await project.hook({ eventTypes: types }), await project.hook({ eventTypes: types.toReversed() })]
      const events = await raiseAll(project)
      for (const hook of hooks) for (const event of events) await hook.attempt(1, event, require)
      await scene.settle()
      for (const hook of hooks)
        check.equal('attempts at a webhook that lists all', hook.attempts().length, types.length)
    },
  }),

  serviceCase({
    id: 'service/event-filters/sends-once-what-is-listed-twice',
    requirements: ['DLV-023'],
    level: 'must',
    title: 'a type that stands twice in event_types is refused, or sent once',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ scene: open, check, require, publicUrl }) {
      const scene = await open()
      const { project } = scene
      const eventTypes = ['message.received', 'message.received']
      const plain = await project.api.createWebhook({ url: publicUrl('once/'), event_types: ['message.complained'] })
      require.of('WHK-001').status(plain, '2xx')
      await project.api.deleteWebhook(asText(plain.field('id')))
      const probe = await project.api.createWebhook({
        url: publicUrl('twice/'),
        event_types: ['message.complained', 'message.complained'],
      })
      if (probe.status !== undefined && probe.status >= 400 && probe.status < 500) return
      await project.api.deleteWebhook(asText(probe.field('id')))
      const hook = await project.hook({ eventTypes })
      const event = await project.raise('message.received')
      await hook.attempt(1, event)
      await scene.settle()
      check.equal('attempts at the webhook', hook.attempts(event).length, 1)
      check.equal('deliveries listed', (await hook.deliveriesListed(1)).length, 1)
    },
  }),

  serviceCase({
    id: 'service/event-filters/selects-by-any-list-of-types',
    requirements: ['WHK-009', 'WHK-021'],
    level: 'must',
    title: 'for random lists of types, each webhook gets exactly the events of its list, once each',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ scene: open, property }) {
      await property(
        fc.tuple(
          fc.array(fc.uniqueArray(fc.constantFrom(...messageTypes), { minLength: 1, maxLength: 4 }), {
            minLength: 1,
            maxLength: 3,
          }),
          fc.array(fc.constantFrom(...messageTypes), { minLength: 1, maxLength: 6 }),
        ),
        async ([filters, raised], require) => {
          const scene = await open()
          const hooks: Hook[] = []
          for (const types of filters) hooks.push(await scene.project.hook({ eventTypes: types }))
          const events = await Promise.all(raised.map((type) => scene.project.raise(type)))
          await scene.settle()
          for (const [index, hook] of hooks.entries()) {
            const wanted = events.filter(({ type }) => filters[index]?.includes(type) === true)
            for (const event of wanted) await hook.attempt(1, event, require)
            const got = hook.attempts().map((attempt) => asText(attempt.field('id')))
            require.equal(
              `events sent for ${JSON.stringify(filters[index])}`,
              got.sort(),
              wanted.map(({ id }) => id).sort(),
            )
          }
        },
        { runs: 6 },
      )
    },
  }),
]
