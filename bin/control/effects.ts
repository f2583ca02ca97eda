// The effects of each call, as the API and a listener of this machine show them.
import { status, type Endpoint } from '../../harness/webhook-sink.js'
import { isDeepStrictEqual } from 'node:util'
import { memberOf } from '../../harness/parsing.js'
import {
  expect,
  expectStatus,
  PreconditionMissing,
  sampleData,
  describeAnswer,
  type CheckedControl,
  type Project,
} from './checked-control.js'
import type { DeliveryPlace } from './delivery-place.js'
import type { Question } from './question.js'

/** Longest wait for an expected delivery, in milliseconds. */
const arrivesMs = 15_000
/**
 * Longest real time from an attempt that hangs to the end of an advance over its answer time, in milliseconds: ten times what such
 * an attempt is given before the clock moves, and half of the 10 s that it takes where the clock waits for it.
 */
const movesOnMs = 5_000

const apiQuestions: readonly Question[] = [
  {
    call: 'POST /workspaces',
    expects: 'keys that the API accepts, an org without events',
    capabilities: ['workspaces'],
    needs: 'service',
    async run(checked) {
      const { project } = await checked.project()
      expect((await checked.events(project.api_key)).length === 0, 'no events in a fresh org', 'some')
      for (const inbox of project.inboxes) await checked.events(inbox.api_key)
    },
  },
  {
    call: 'DELETE /workspaces/{workspace_id}',
    expects: 'keys that the API no longer accepts',
    capabilities: ['workspaces'],
    needs: 'service',
    async run(checked) {
      const { workspaceId, project } = await checked.project()
      await checked.events(project.api_key)
      expectStatus(await checked.call('DELETE', `/workspaces/${encodeURIComponent(workspaceId)}`), 204)
      const answer = await checked.api('GET', '/v1/events', { key: project.api_key })
      expect(isRefused(answer), 'GET /v1/events with a key of it: a refusal (4xx)', describeAnswer(answer))
    },
  },
  {
    call: 'POST /events',
    expects: 'the event in GET /v1/events with its type and data, for its org and its inbox alone',
    capabilities: ['events', 'workspaces'],
    needs: 'service',
    async run(checked) {
      const { project } = await checked.project()
      const id = await checked.raise(project, { subject: 'Grüße' })
      const found = (await checked.events(project.api_key)).find((event) => memberOf(event, 'id') === id)
      expect(found !== undefined, `GET /v1/events: the event ${id}`, 'a list without it')
      const data = { ...sampleData(project.inboxes[0]), subject: 'Grüße' }
      expect(memberOf(found, 'type') === 'message.queued', 'its type message.queued', String(memberOf(found, 'type')))
      const seen = memberOf(found, 'data')
      const isSame = Object.entries(data).every(([name, value]) => isDeepStrictEqual(memberOf(seen, name), value))
      expect(isSame, `its data as it was sent: ${JSON.stringify(data)}`, JSON.stringify(seen) ?? 'none')
      const [own, other] = project.inboxes
      if (own === undefined || other === undefined) return
      const hasIt = async (key: string) => (await checked.events(key)).some((event) => memberOf(event, 'id') === id)
      expect(await hasIt(own.api_key), 'the event for the key of data.inbox_id', 'a list without it')
      expect(!(await hasIt(other.api_key)), 'no such event for the key of the other inbox', 'a list with it')
    },
  },
  {
    call: 'POST /workspaces/{workspace_id}/sending',
    expects: 'sending.paused once in each project, then sending.resumed',
    capabilities: ['sending', 'workspaces'],
    needs: 'service',
    async run(checked) {
      const { workspace_id, projects } = await checked.workspace(2, 1)
      const path = `/workspaces/${encodeURIComponent(workspace_id)}/sending`
      const expected: string[] = []
      for (const [next, type] of [
        ['paused', 'sending.paused'],
        ['active', 'sending.resumed'],
      ] as const) {
        expectStatus(await checked.call('POST', path, { body: { status: next, reason: 'a check' } }), 200)
        expected.push(type)
        for (const { api_key } of projects) {
          const types = (await checked.events(api_key)).map((event) => String(memberOf(event, 'type')))
          const isRight = isDeepStrictEqual(types, expected)
          expect(isRight, `events of each project: ${expected.join(', ')}`, types.join(', ') || 'none')
        }
      }
    },
  },
]

const listenerQuestions: readonly Question[] = [
  {
    call: 'POST /egress',
    expects: 'a webhook on the exempted address is accepted and delivered to, and its certificate trusted',
    capabilities: ['egress', 'workspaces', 'events'],
    needs: 'listener',
    async run(checked) {
      const place = await exempted(checked)
      const { project } = await checked.project()
      const endpoint = place.endpoint()
      await createWebhook(checked, project, endpoint.url)
      await checked.raise(project)
      await arrival(endpoint)
    },
  },
  {
    call: 'POST /egress',
    expects: 'every other private address is still refused',
    capabilities: ['egress', 'workspaces'],
    needs: 'listener',
    async run(checked) {
      const place = await exempted(checked)
      const { project } = await checked.project()
      const port = Number(place.pair.split(':')[1])
      const url = `https://127.0.0.2:${port}/check`
      const answer = await checked.api('POST', '/v1/webhooks', { key: project.api_key, body: { url } })
      expect(isRefused(answer), `a webhook on ${url}: a refusal (4xx)`, describeAnswer(answer))
    },
  },
  {
    call: 'POST /dns',
    expects: 'deliveries to a name that is set go to its address',
    capabilities: ['dns', 'egress', 'workspaces', 'events'],
    needs: 'listener',
    async run(checked) {
      const place = await exempted(checked)
      const { project } = await checked.project()
      const host = `check-${Date.now().toString(36)}.conformance.test`
      expectStatus(await checked.call('POST', '/dns', { body: { host, answers: [['127.0.0.1']] } }), 204)
      const endpoint = place.endpoint(undefined, host)
      await createWebhook(checked, project, endpoint.url)
      await checked.raise(project)
      await arrival(endpoint)
    },
  },
  {
    call: 'POST /workspaces/{workspace_id}/clock',
    expects: 'an advance of 0 is answered once all due deliveries have been made',
    capabilities: ['clock', 'egress', 'workspaces', 'events'],
    needs: 'listener',
    async run(checked) {
      const place = await exempted(checked)
      const { workspaceId, project } = await checked.project()
      const endpoint = place.endpoint()
      await createWebhook(checked, project, endpoint.url)
      await checked.raise(project)
      await advance(checked, workspaceId, 0)
      const { length } = endpoint.attempts
      expect(length === 1, 'one attempt by the time of the answer', `${length} attempts`)
    },
  },
  {
    call: 'POST /workspaces/{workspace_id}/clock',
    expects: 'attempts that fall due on the way are made, each at its due time, which is its webhook-timestamp',
    capabilities: ['clock', 'egress', 'workspaces', 'events'],
    needs: 'listener',
    async run(checked) {
      const place = await exempted(checked)
      const { workspaceId, project } = await checked.project()
      const endpoint = place.endpoint([status(500), status(500), status(200)])
      await createWebhook(checked, project, endpoint.url)
      await checked.raise(project)
      await advance(checked, workspaceId, 0)
      await advance(checked, workspaceId, 200_000)
      const [first, second, ...more] = endpoint.attempts
      const count = endpoint.attempts.length
      if (first === undefined || second === undefined || more.length > 0)
        return expect(false, '2 attempts 200 s after a first one that got 500', `${count} attempts`)
      const apart = second.signedAt - first.signedAt
      const isDue = apart >= 4 && apart <= 20
      expect(isDue, 'webhook-timestamp of attempt 2 about 5 s after that of attempt 1', `${apart} s after it`)
    },
  },
  {
    call: 'POST /workspaces/{workspace_id}/clock',
    expects: 'an attempt without an answer ends when the clock has passed its start by 10 s',
    capabilities: ['clock', 'egress', 'workspaces', 'events'],
    needs: 'listener',
    async run(checked) {
      const { workspaceId, endpoint } = await hanging(checked)
      await advance(checked, workspaceId, 12_000)
      await advance(checked, workspaceId, 10_000)
      const { length } = endpoint.attempts
      expect(length === 2, '2 attempts 22 s after a first one that hangs', `${length}`)
    },
  },
  {
    call: 'POST /workspaces/{workspace_id}/clock',
    expects: 'the clock moves on over an attempt in flight after 500 ms, and does not wait for its end in real time',
    capabilities: ['clock', 'egress', 'workspaces', 'events'],
    needs: 'listener',
    async run(checked) {
      let tookMs = Infinity
      // Once more where it took long: a busy machine holds up one of them.
      for (let left = 2; left > 0 && tookMs >= movesOnMs; left--) {
        const { workspaceId } = await hanging(checked)
        const startedAt = Date.now()
        await advance(checked, workspaceId, 12_000)
        tookMs = Date.now() - startedAt
      }
      expect(
        tookMs < movesOnMs,
        `an advance of 12 s over an attempt that hangs to end it on the clock of the workspace: within ${movesOnMs / 1000} s`,
        `an answer after ${(tookMs / 1000).toFixed(1)} s: the clock did not run while the attempt was in flight`,
      )
    },
  },
]

/** A workspace with one attempt in flight, which is not answered. */
async function hanging(checked: CheckedControl) {
  const place = await exempted(checked)
  const { workspaceId, project } = await checked.project()
  const endpoint = place.endpoint([{ kind: 'hang' }, status(200)])
  await createWebhook(checked, project, endpoint.url)
  await checked.raise(project)
  await arrival(endpoint)
  return { workspaceId, endpoint }
}

function isRefused({ status }: { readonly status: number | undefined }): boolean {
  return status !== undefined && status >= 400 && status < 500
}

async function exempted(checked: CheckedControl): Promise<DeliveryPlace> {
  const { place } = checked
  if (place === undefined) throw new PreconditionMissing('needs a service on this machine (--base-url)')
  const { pair, ca } = place
  expectStatus(await checked.call('POST', '/egress', { body: { allow: [pair], ca } }), 204)
  return place
}

async function createWebhook(checked: CheckedControl, project: Project, url: string): Promise<void> {
  const answer = await checked.api('POST', '/v1/webhooks', { key: project.api_key, body: { url } })
  expect(answer.status === 201, `a webhook on ${url}: 201`, describeAnswer(answer))
}

async function advance(checked: CheckedControl, workspaceId: string, advance_ms: number): Promise<void> {
  const path = `/workspaces/${encodeURIComponent(workspaceId)}/clock`
  expectStatus(await checked.call('POST', path, { body: { advance_ms } }), 200)
}

async function arrival(endpoint: Endpoint): Promise<void> {
  const hasCome = await endpoint.arrives(() => endpoint.attempts.length > 0, arrivesMs)
  expect(hasCome, `a delivery at ${endpoint.url}`, `none in ${arrivesMs / 1000} s`)
}

/** The effect of each call, in the order of docs/contract.md. */
export const effectQuestions: readonly Question[] = [...apiQuestions, ...listenerQuestions]
