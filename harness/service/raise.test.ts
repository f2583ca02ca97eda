// What a trigger of the configuration is: a command of the user's.
import { expect, test } from 'vitest'
import type { Api } from './api.js'
import { ListReads, ShownItems } from './list-reads.js'
import type { OrgCursor } from './org-cursor.js'
import { EventMissing, triggerRaiser } from './raise.js'

const pull = (command: string) =>
  triggerRaiser({
    api: {} as Api,
    from: undefined,
    triggers: { 'sending.paused': { kind: 'command', command } },
    cursor: {} as OrgCursor,
  }).pull({ type: 'sending.paused', inboxId: '', inboxAddress: '', workspaceId: '', mark: 'c1x1' })

test('a command that leaves a program running with its output open has ended', async () => {
  const began = performance.now()
  await pull('sleep 30 & exit 0')
  expect(performance.now() - began).toBeLessThan(25_000)
})

test('a command may write any amount, and receives the mark', async () => {
  await pull('head -c 3000000 /dev/zero; test "$CONFORMANCE_MARK" = c1x1')
})

test('a failing command is reported with its exit and its output', async () => {
  await expect(pull('echo no right to pause >&2; exit 3')).rejects.toThrow(
    'the command that raises sending.paused exited with 3: no right to pause',
  )
})

test.each([
  ['no list', {}, 'no list of events'],
  ['nothing new', { data: [] }, 'nothing new'],
])('an event is not awaited in answers that contain %s', async (why, json, got) => {
  const shown = new ShownItems()
  const lists = new ListReads(shown)
  if (why === 'nothing new') for (let wait = 0; wait < 3; wait++) shown.waitFailed('pollEvents', performance.now())
  let polls = 0
  const raiser = triggerRaiser({
    api: {
      lists,
      pollEvents: async () => {
        polls++
        lists.saw('pollEvents', '/v1/events', { status: 200, json })
        return { status: 200, json }
      },
    } as unknown as Api,
    from: undefined,
    triggers: { 'sending.paused': { kind: 'command', command: 'true' } },
    cursor: {
      end: async () => undefined,
      exclusively: (_: unknown, run: () => unknown) => run(),
    } as unknown as OrgCursor,
  })
  const raised = raiser.raise({ type: 'sending.paused', inboxId: '', inboxAddress: '', workspaceId: '', mark: 'c1x1' })
  await expect(raised).rejects.toThrow(EventMissing)
  await expect(raised).rejects.toThrow(got)
  expect(polls).toBe(5)
})
