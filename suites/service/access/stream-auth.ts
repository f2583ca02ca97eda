// AUTH-004  "The WebSocket accepts the `Authorization` header."
// AUTH-005  "The WebSocket accepts the query parameter `token=<API_KEY>`."
// AUTH-006  "The stream needs authentication: a connection without a key, or with a key that does not exist, gets no events."
// STR-001  "`GET /v1/events/ws` is upgraded to a WebSocket."
//
// Reading: how a stream is refused is open (open point stream-refusal): no upgrade, or a close without an event.

import { serviceCase, type Sandbox, type ServiceContext } from '../../../harness/authoring.js'
import { faultsOf, deletedKeys, otherTexts } from '../shared/credentials.js'
import { showsEvent } from '../shared/event-log.js'
import { expectRefused, unauthorizedStreams } from '../shared/unauthorized-streams.js'

async function expectNothing(context: ServiceContext, sandbox: Sandbox, isResumed: boolean): Promise<void> {
  const { check, require, unique, missed } = context
  const { project } = sandbox
  const start = await project.raise('message.received')
  const earlier = await project.raise('message.received')
  const witness = await project.stream(isResumed ? { after: start.id } : {}).opened(require.of('AUTH-004'))
  const gone = await deletedKeys(context, sandbox)
  const ofInbox = faultsOf(project.inboxes[0]?.api.key ?? '', unique).filter(({ name }) => /letter/.test(name))
  const others = [
    ...(await otherTexts(context, project)),
    ...(project.inboxes.length === 0
      ? []
      : ofInbox.map((fault) => ({ ...fault, name: `${fault.name}, a key of an inbox` }))),
  ]
  const connections = unauthorizedStreams(project, { unique, gone, after: isResumed ? start.id : undefined, others })
  const openings = await Promise.all(connections.map(([, stream]) => stream.opening))
  const later = await project.raise('message.received')
  const isShown = await showsEvent(witness, sandbox, later.id)
  require.of('AUTH-004').ok('the event on a stream with the key', isShown, 'one frame', 'none')
  const known = [start.id, earlier.id, later.id]
  await expectRefused(connections, openings, { check, missed, sandbox, known })
}

export const streamAuth = [
  ...(['header', 'token'] as const).map((auth) =>
    serviceCase({
      id: `service/stream-auth/takes-the-key-by-${auth}`,
      requirements: [auth === 'header' ? 'AUTH-004' : 'AUTH-005', 'STR-001', 'STR-002'],
      level: 'must',
      title: `a connection with the key in ${auth === 'header' ? 'the Authorization header' : 'the query parameter token'} gets events as text frames`,
      needs: ['event:message.received'],
      async run({ openSandbox, require, check }) {
        const sandbox = await openSandbox()
        const requirement = auth === 'header' ? 'AUTH-004' : 'AUTH-005'
        const connection = await sandbox.project.stream({ auth }).opened(require.of(requirement))
        const { id } = await sandbox.project.raise('message.received')
        const isShown = await showsEvent(connection, sandbox, id)
        check.of(requirement).ok('the event on the stream', isShown, 'one frame', connection.ids)
        const frame = connection.frames.find((frame) => frame.id === id)
        check.of('STR-002').ok('kind of the frame', frame === undefined || frame.isText, 'text', 'binary')
      },
    }),
  ),

  serviceCase({
    id: 'service/stream-auth/takes-the-key-of-an-inbox-by-header-and-token',
    requirements: ['AUTH-004', 'AUTH-005'],
    level: 'must',
    title: 'a key of one inbox is accepted in the header and in the query parameter token',
    needs: ['inboxes', 'event:message.received'],
    async run({ openSandbox, require, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project.inbox()
      const byHeader = await project.stream({ api }).opened(require.of('AUTH-004'))
      const byToken = await project.stream({ api, auth: 'token' }).opened(require.of('AUTH-005'))
      const { id } = await project.raise('message.received')
      for (const [stream, requirement] of [
        [byHeader, 'AUTH-004'],
        [byToken, 'AUTH-005'],
      ] as const)
        check
          .of(requirement)
          .ok('the event on the stream', await showsEvent(stream, sandbox, id), 'one frame', stream.ids)
    },
  }),

  serviceCase({
    id: 'service/stream-auth/refuses-without-a-valid-key',
    requirements: ['AUTH-006'],
    level: 'must',
    title: 'a stream without a valid key is refused or closed, and gets no event',
    needs: ['event:message.received'],
    async run(context) {
      await expectNothing(context, await context.openSandbox(), false)
    },
  }),

  serviceCase({
    id: 'service/stream-auth/refuses-to-resume-without-a-valid-key',
    requirements: ['AUTH-006'],
    level: 'must',
    title: 'a resumed stream without a valid key gets neither backlog nor live events',
    needs: ['event:message.received'],
    async run(context) {
      await expectNothing(context, await context.openSandbox(), true)
    },
  }),
]
