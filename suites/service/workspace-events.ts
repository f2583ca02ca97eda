// EVT-010, EVT-011, EVT-017  pausing raises `sending.paused`, resuming `sending.resumed`.
// EVT-012  "Workspace events are sent once to each project of the workspace."
// EVT-013  "Webhooks limited to one inbox do not receive workspace events."

import { itemsOf, memberOf, serviceCase, type Project } from '../../harness/authoring.js'

async function statusEvents(project: Project): Promise<unknown[]> {
  const items = itemsOf(await project.api.pollEvents({ limit: 100 })) ?? []
  return items.filter((each) => String(memberOf(each, 'type')).startsWith('sending.'))
}

export const workspaceEvents = [
  serviceCase({
    id: 'service/workspace-events/are-sent-once-to-each-project',
    requirements: ['EVT-010', 'EVT-011', 'EVT-012', 'EVT-017'],
    level: 'must',
    title: 'pausing and resuming raise one event each in every project of the workspace, and none in another workspace',
    needs: ['sink', 'projects', 'sending-status'],
    async run({ scene: open, check, require }) {
      const [scene, other] = [await open({ projects: 2 }), await open()]
      const hooks = await Promise.all(scene.projects.map((project) => project.hook()))
      const outside = await other.project.hook()
      await scene.setSending('paused', 'too many bounces')
      await scene.setSending('active')
      await scene.settle()
      for (const [index, project] of scene.projects.entries()) {
        const hook = hooks[index]
        if (hook === undefined) continue
        await hook.endpoint.until(() => hook.attempts().length >= 2, scene.budgetMs)
        const types = hook.attempts().map((attempt) => attempt.field('type'))
        check
          .of('EVT-012')
          .equal('workspace events sent to each project', [...types].sort(), ['sending.paused', 'sending.resumed'])
        check.of('EVT-012').equal(
          'workspace events listed in each project',
          (await statusEvents(project)).map((each) => memberOf(each, 'type')),
          ['sending.paused', 'sending.resumed'],
        )
        const data = (type: string) =>
          hook
            .attempts()
            .find((attempt) => attempt.field('type') === type)
            ?.field('data')
        check.of('EVT-010').equal('status of sending.paused', memberOf(data('sending.paused'), 'status'), 'paused')
        for (const field of ['reason', 'paused_at', 'stats'])
          check
            .of('EVT-010')
            .ok(
              `${field} of sending.paused`,
              memberOf(data('sending.paused'), field) !== undefined,
              'present',
              'absent',
            )
        check.of('EVT-011').equal('status of sending.resumed', memberOf(data('sending.resumed'), 'status'), 'active')
        check
          .of('EVT-017')
          .equal(
            'workspace_id in both',
            memberOf(data('sending.paused'), 'workspace_id'),
            memberOf(data('sending.resumed'), 'workspace_id'),
          )
      }
      require.of('EVT-012').equal('events in another workspace', outside.attempts().length, 0)
    },
  }),

  serviceCase({
    id: 'service/workspace-events/skip-webhooks-of-one-inbox',
    requirements: ['EVT-013'],
    level: 'must',
    title: 'a webhook limited to one inbox gets no workspace event, where one of the whole org does',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ scene: open, check }) {
      const scene = await open()
      const { project } = scene
      const limited = await project.hook({ inboxId: project.inbox().id })
      const whole = await project.hook()
      const events = [await project.raise('sending.paused'), await project.raise('sending.resumed')]
      const witness = await project.raise('message.received')
      for (const event of [...events, witness]) await whole.attempt(1, event)
      await limited.attempt(1, witness)
      await scene.settle()
      for (const event of events)
        check.equal(`${event.type} at the webhook of one inbox`, limited.attempts(event).length, 0)
    },
  }),

  serviceCase({
    id: 'service/workspace-events/are-not-shown-to-keys-of-one-inbox',
    requirements: ['SCOPE-001', 'SCOPE-002'],
    level: 'must',
    title: 'a key of one inbox sees no workspace event by polling or stream: it belongs to no inbox',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const inbox = project.inbox()
      const stream = await project.stream({ api: inbox.api }).opened(require.of('STR-001'))
      const paused = await project.raise('sending.paused')
      const witness = await project.raise('message.received')
      require
        .of('SCOPE-002')
        .ok(
          'an event of the inbox on its stream',
          await stream.until(() => stream.ids.includes(witness.id), scene.budgetMs),
          'one frame',
          'none',
        )
      check
        .of('SCOPE-002')
        .ok('the workspace event on the stream of one inbox', !stream.ids.includes(paused.id), 'absent', 'found')
      const ids = (itemsOf(await inbox.api.pollEvents({ limit: 100 })) ?? []).map((each) => memberOf(each, 'id'))
      require.of('SCOPE-001').ok('an event of the inbox in its list', ids.includes(witness.id), 'listed', ids)
      check
        .of('SCOPE-001')
        .ok('the workspace event in the list of one inbox', !ids.includes(paused.id), 'absent', 'found')
    },
  }),
]
