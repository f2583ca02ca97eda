// The control interface of a test deployment.
import { randomUUID } from 'node:crypto'
import { asObject, invalid, notFound, type Answer } from './answers.js'
import { WorkspaceClock } from './clock.js'
import { raise } from './deliveries.js'
import type { Egress } from './egress.js'
import type { State, Workspace } from './state.js'

export const capabilities = ['workspaces', 'events', 'sending', 'clock', 'dns', 'egress'] as const
export type Capability = (typeof capabilities)[number]

export interface Control {
  readonly state: State
  readonly egress: Egress
  readonly offered: ReadonlySet<Capability>
}

/** Answers a request below the control URL; a withdrawn call is a 404. */
export async function answerControl(
  control: Control,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: unknown },
): Promise<Answer> {
  const { offered } = control
  if (method === 'GET' && path === '/')
    return {
      status: 200,
      value: { control: 1, name: 'independent (node)', version: '1', capabilities: [...offered] },
    }
  const [first = '', id, part] = path.slice(1).split('/')
  const capability = part ?? first
  const route = `${method} ${id === undefined ? first : `${first}/*${part === undefined ? '' : `/${part}`}`}`
  if (!offered.has(capability as Capability)) throw notFound('such control')
  switch (route) {
    case 'POST workspaces':
      return createWorkspace(control, asObject(body))
    case 'DELETE workspaces/*':
      control.state.dropWorkspace(find(control, id))
      return { status: 204 }
    case 'POST workspaces/*/sending':
      return setSending(control, find(control, id), asObject(body))
    case 'POST workspaces/*/clock': {
      const now = await find(control, id).clock.advance(wholeFrom(asObject(body)['advance_ms'], 'advance_ms', 0))
      return { status: 200, value: { now: new Date(now).toISOString() } }
    }
    case 'POST events':
      return raiseEvent(control, asObject(body))
    case 'POST dns':
      return setAnswers(control, asObject(body))
    case 'POST egress':
      return exempt(control, asObject(body))
    default:
      throw notFound('such control')
  }
}

function find({ state }: Control, id: string | undefined): Workspace {
  const workspace = state.workspaces.get(id ?? '')
  if (workspace === undefined) throw notFound('workspace with this id')
  return workspace
}

function createWorkspace({ state }: Control, fields: Readonly<Record<string, unknown>>): Answer {
  const projects = wholeFrom(fields['projects'] ?? 1, 'projects', 1)
  const inboxes = wholeFrom(fields['inboxes'] ?? 0, 'inboxes', 0)
  const workspace = state.addWorkspace(new WorkspaceClock(), projects, inboxes)
  return {
    status: 201,
    value: {
      workspace_id: workspace.id,
      projects: workspace.projects.map((project) => ({
        org_id: project.id,
        api_key: project.key,
        domain: project.domain,
        inboxes: project.inboxes.map(({ id, address, key }) => ({ id, address, api_key: key })),
      })),
    },
  }
}

/** Each project gets an event with an id of its own; an unchanged status raises none. */
function setSending(control: Control, workspace: Workspace, fields: Readonly<Record<string, unknown>>): Answer {
  const { status, reason } = fields
  if (status !== 'paused' && status !== 'active') throw invalid('status is neither paused nor active', 'Use one.')
  if (workspace.sending !== status) {
    workspace.sending = status
    const paused = {
      reason: typeof reason === 'string' ? reason : 'complaints',
      paused_at: new Date(workspace.clock.now()).toISOString(),
      stats: { sent: 0, bounced: 0, complained: 0 },
    }
    for (const project of workspace.projects)
      raise(project, control.egress, {
        type: status === 'paused' ? 'sending.paused' : 'sending.resumed',
        data: { workspace_id: workspace.id, status, ...(status === 'paused' ? paused : {}) },
      })
  }
  return { status: 200, value: { status } }
}

function raiseEvent({ state, egress }: Control, { org_id, type, data }: Readonly<Record<string, unknown>>): Answer {
  if (typeof org_id !== 'string') throw invalid('org_id is not a text', 'Send the id of an org.')
  if (typeof type !== 'string') throw invalid('type is not a text', 'Send an event type.')
  const fields = asObject(data)
  const project = state.projects.get(org_id)
  if (project === undefined) throw notFound('org with this id')
  return { status: 201, value: { id: raise(project, egress, { type, data: fields }).id } }
}

function setAnswers({ egress }: Control, { host, answers }: Readonly<Record<string, unknown>>): Answer {
  if (typeof host !== 'string') throw invalid('host is not a text', 'Send a name.')
  const isList = (value: unknown): value is unknown[] => Array.isArray(value)
  const isAnswer = (value: unknown): value is string[] =>
    isList(value) && value.every((element) => typeof element === 'string')
  if (!isList(answers) || !answers.every(isAnswer)) throw invalid('answers is not a list of lists', 'Send addresses.')
  egress.setAnswers(host, answers)
  return { status: 204 }
}

function exempt({ egress }: Control, { allow, ca }: Readonly<Record<string, unknown>>): Answer {
  if (!Array.isArray(allow) || !allow.every((element) => typeof element === 'string'))
    throw invalid('allow is not a list of texts', 'Send address:port pairs.')
  if (ca !== undefined && typeof ca !== 'string') throw invalid('ca is not a text', 'Send PEM.')
  for (const pair of allow) egress.exempt(pair)
  if (ca !== undefined) egress.authorities.push(ca)
  return { status: 204 }
}

function wholeFrom(value: unknown, name: string, least: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least)
    throw invalid(`${name} is not a whole number from ${least} on`, 'Send one.')
  return value
}

export function newControlKey(): string {
  return `control-${randomUUID()}`
}
