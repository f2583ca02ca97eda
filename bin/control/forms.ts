// The requests and answers of each call: docs/contract.md, section 3, call by call.
import { capabilities, type Capability } from '../../harness/planning.js'
import { memberOf } from '../../harness/parsing.js'
import {
  expect,
  expectError,
  expectStatus,
  expectText,
  sampleData,
  describeAnswer,
  ControlFault,
  type CheckedControl,
  type Workspace,
} from './checked-control.js'
import type { Question } from './question.js'

const unknownId = 'wks_conformance_unknown'

/** `GET /`: everything else hangs on it. */
export const describeQuestions: readonly Question[] = [
  {
    call: 'GET /',
    expects: '200 with "control": 1, "name", "version" and "capabilities"',
    capabilities: [],
    async run(checked) {
      const answer = await checked.call('GET', '/')
      expectStatus(answer, 200)
      expect(answer.field('control') === 1, '"control": 1', describeAnswer(answer))
      const listed = answer.field('capabilities')
      if (!Array.isArray(listed)) throw new ControlFault('a list "capabilities"', describeAnswer(answer))
      checked.offered = new Set(capabilities.filter((capability) => listed.includes(capability)))
      checked.name = [answer.field('name'), answer.field('version')]
        .filter((name) => typeof name === 'string')
        .join(' ')
      expectText(answer.json, 'name', 'version')
    },
  },
  {
    call: 'GET /',
    expects: '401 without the control key, and with a wrong one',
    capabilities: [],
    async run(checked) {
      expectStatus(await checked.call('GET', '/', { key: null }), 401)
      expectStatus(await checked.call('GET', '/', { key: 'conformance-wrong-key' }), 401)
    },
  },
]

/** 401 without a key, for a call that changes something. */
function needsKey(capability: Capability, path: string, body: unknown): Question {
  return {
    call: `POST ${path}`,
    expects: '401 without the control key',
    capabilities: [capability],
    async run(checked) {
      const real = path.includes('{') ? path.replace('{workspace_id}', (await checked.project()).workspaceId) : path
      expectStatus(await checked.call('POST', real, { key: null, body }), 401)
    },
  }
}

/** 400 with the fields of an error, for each of these bodies. */
function refuses(
  capability: Capability,
  path: string,
  bodies: readonly (readonly [what: string, body: unknown])[],
): Question {
  return {
    call: `POST ${path}`,
    expects: `400 with "code", "message" and "fix" for ${bodies.map(([what]) => what).join(', ')}`,
    capabilities: path === '/workspaces' || !/workspaces|events/.test(path) ? [capability] : [capability, 'workspaces'],
    async run(checked) {
      const isOfWorkspace = path.includes('{') || path === '/events'
      const made = isOfWorkspace ? await checked.project() : undefined
      const real = path.replace('{workspace_id}', made?.workspaceId ?? '')
      for (const [what, body] of bodies) {
        const whole = path === '/events' ? { org_id: made?.project.org_id, ...(body as object) } : body
        await asking(what, async () => expectError(await checked.call('POST', real, { body: whole }), 400))
      }
    },
  }
}

/** 404 with the fields of an error, for a workspace that is not there. */
function refusesUnknown(capability: Capability, method: string, path: string, body?: unknown): Question {
  return {
    call: `${method} ${path}`,
    expects: `404 with "code", "message" and "fix" for an unknown ${path === '/events' ? 'org' : 'workspace'}`,
    capabilities: [capability],
    async run(checked) {
      const real = path.replace('{workspace_id}', unknownId)
      expectError(await checked.call(method, real, body === undefined ? {} : { body }), 404)
    },
  }
}

async function asking(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    throw error instanceof ControlFault ? new ControlFault(`${error.expected} for ${what}`, error.got) : error
  }
}

async function shapeOf(checked: CheckedControl, projects: number, inboxes: number): Promise<Workspace> {
  const answer = await checked.call('POST', '/workspaces', { body: { projects, inboxes } })
  expectStatus(answer, 201)
  expectText(answer.json, 'workspace_id')
  const listed = answer.field('projects')
  expect(Array.isArray(listed) && listed.length === projects, `${projects} projects`, describeAnswer(answer))
  for (const project of listed as readonly unknown[]) {
    expectText(project, 'org_id', 'api_key', 'domain')
    const within = memberOf(project, 'inboxes')
    expect(
      Array.isArray(within) && within.length === inboxes,
      `${inboxes} inboxes in each project`,
      describeAnswer(answer),
    )
    for (const inbox of within as readonly unknown[]) {
      expectText(inbox, 'id', 'address', 'api_key')
      expect(
        String(memberOf(inbox, 'id')).startsWith('ibx_'),
        'ids of inboxes that begin with ibx_',
        describeAnswer(answer),
      )
    }
  }
  return answer.json as Workspace
}

const workspaceQuestions: readonly Question[] = [
  {
    call: 'POST /workspaces',
    expects: '201 with as many projects and inboxes as requested, each with its key',
    capabilities: ['workspaces'],
    async run(checked) {
      for (const [projects, inboxes] of [
        [1, 2],
        [2, 1],
        [1, 0],
      ] as const) {
        const { workspace_id, projects: made } = await shapeOf(checked, projects, inboxes)
        const keys = made.flatMap((project) => [project.api_key, ...project.inboxes.map((inbox) => inbox.api_key)])
        expect(new Set(keys).size === keys.length, 'keys that differ', `${new Set(keys).size} of ${keys.length}`)
        await checked.call('DELETE', `/workspaces/${encodeURIComponent(workspace_id)}`)
      }
    },
  },
  needsKey('workspaces', '/workspaces', { projects: 1, inboxes: 1 }),
  refuses('workspaces', '/workspaces', [
    ['"projects": "two"', { projects: 'two', inboxes: 1 }],
    ['"inboxes": "none"', { projects: 1, inboxes: 'none' }],
  ]),
  {
    call: 'DELETE /workspaces/{workspace_id}',
    expects: '204, and 404 once it is gone',
    capabilities: ['workspaces'],
    async run(checked) {
      const { workspaceId } = await checked.project()
      const path = `/workspaces/${encodeURIComponent(workspaceId)}`
      expectStatus(await checked.call('DELETE', path), 204)
      expectError(await checked.call('DELETE', path), 404)
    },
  },
]

const eventQuestions: readonly Question[] = [
  {
    call: 'POST /events',
    expects: '201 with an "id" that begins with evt_, another one each time',
    capabilities: ['events', 'workspaces'],
    async run(checked) {
      const { project } = await checked.project()
      const ids: string[] = []
      for (let count = 0; count < 2; count++) {
        const body = { org_id: project.org_id, type: 'message.queued', data: sampleData(project.inboxes[0]) }
        const answer = await checked.call('POST', '/events', { body })
        expectStatus(answer, 201)
        expect(/^evt_/.test(String(answer.field('id'))), 'an "id" that begins with evt_', describeAnswer(answer))
        ids.push(String(answer.field('id')))
      }
      expect(ids[0] !== ids[1], 'another id for the second event', ids.join(', then '))
    },
  },
  needsKey('events', '/events', { org_id: 'org_unknown', type: 'message.queued', data: {} }),
  refuses('events', '/events', [
    ['no "type"', { data: {} }],
    ['"data" that is a list', { type: 'message.queued', data: [] }],
  ]),
  refusesUnknown('events', 'POST', '/events', {
    org_id: 'org_conformance_unknown',
    type: 'message.queued',
    data: sampleData(undefined),
  }),
]

const sendingQuestions: readonly Question[] = [
  {
    call: 'POST /workspaces/{workspace_id}/sending',
    expects: '200 with the new "status", paused and active',
    capabilities: ['sending', 'workspaces'],
    async run(checked) {
      const path = `/workspaces/${encodeURIComponent((await checked.project()).workspaceId)}/sending`
      for (const body of [{ status: 'paused', reason: 'a check' }, { status: 'active' }]) {
        const answer = await checked.call('POST', path, { body })
        expectStatus(answer, 200)
        expect(answer.field('status') === body.status, `"status": "${body.status}"`, describeAnswer(answer))
      }
    },
  },
  needsKey('sending', '/workspaces/{workspace_id}/sending', { status: 'paused' }),
  refuses('sending', '/workspaces/{workspace_id}/sending', [['"status": 7', { status: 7 }]]),
  refusesUnknown('sending', 'POST', '/workspaces/{workspace_id}/sending', { status: 'paused' }),
]

const clockQuestions: readonly Question[] = [
  {
    call: 'POST /workspaces/{workspace_id}/clock',
    expects: '200 with "now", moved on by the requested time, in this workspace alone',
    capabilities: ['clock', 'workspaces'],
    async run(checked) {
      const [moved, other] = [(await checked.project()).workspaceId, (await checked.project()).workspaceId]
      const before = await readClock(checked, moved, 0)
      const after = await readClock(checked, moved, hourMs)
      const leap = after - before
      expect(leap >= hourMs && leap < 2 * hourMs, 'an hour more', `${leap} ms more`)
      const elsewhere = await readClock(checked, other, 0)
      expect(elsewhere < before + hourMs, 'the clock of another workspace as it was', new Date(elsewhere).toISOString())
    },
  },
  needsKey('clock', '/workspaces/{workspace_id}/clock', { advance_ms: 0 }),
  refuses('clock', '/workspaces/{workspace_id}/clock', [
    ['"advance_ms": "soon"', { advance_ms: 'soon' }],
    ['no "advance_ms"', {}],
  ]),
  refusesUnknown('clock', 'POST', '/workspaces/{workspace_id}/clock', { advance_ms: 0 }),
]

const hourMs = 3_600_000

async function readClock(checked: CheckedControl, workspaceId: string, advance_ms: number): Promise<number> {
  const path = `/workspaces/${encodeURIComponent(workspaceId)}/clock`
  const answer = await checked.call('POST', path, { body: { advance_ms } })
  expectStatus(answer, 200)
  const now = answer.field('now')
  const at = typeof now === 'string' && /^\d{4}-\d\d-\d\dT/.test(now) ? Date.parse(now) : Number.NaN
  expect(!Number.isNaN(at), '"now" in ISO 8601', describeAnswer(answer))
  return at
}

const networkQuestions: readonly Question[] = [
  {
    call: 'POST /dns',
    expects: '204, for lists of IPv4 and IPv6 addresses; a new call replaces them',
    capabilities: ['dns'],
    async run(checked) {
      const host = 'check.conformance.test'
      for (const answers of [[['127.0.0.1'], ['10.0.0.1', '::1']], [['127.0.0.1']]])
        expectStatus(await checked.call('POST', '/dns', { body: { host, answers } }), 204)
    },
  },
  needsKey('dns', '/dns', { host: 'check.conformance.test', answers: [['127.0.0.1']] }),
  refuses('dns', '/dns', [
    ['"answers" that is one list', { host: 'check.conformance.test', answers: ['127.0.0.1'] }],
    ['no "host"', { answers: [['127.0.0.1']] }],
  ]),
  {
    call: 'POST /egress',
    expects: '204, for address:port pairs, with and without "ca"',
    capabilities: ['egress'],
    async run(checked) {
      const allow = [checked.place?.pair ?? '127.0.0.1:9']
      expectStatus(await checked.call('POST', '/egress', { body: { allow } }), 204)
      if (checked.place === undefined) return
      expectStatus(await checked.call('POST', '/egress', { body: { allow, ca: checked.place.ca } }), 204)
    },
  },
  needsKey('egress', '/egress', { allow: [] }),
  refuses('egress', '/egress', [['"allow" that is a text', { allow: '127.0.0.1:8443' }]]),
]

/** The form of each call, in the order of docs/contract.md. */
export const formQuestions: readonly Question[] = [
  ...workspaceQuestions,
  ...eventQuestions,
  ...sendingQuestions,
  ...clockQuestions,
  ...networkQuestions,
]
