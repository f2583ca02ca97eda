// The calls of the control interface (spec/control.yaml), as functions of your service. A missing function is not offered.

/**
 * @typedef {object} Hooks What your service can do. Each may be async; a missing one is a capability that is not offered.
 * @property {(shape: { projects: number, inboxes: number }) => object} [createWorkspace] gives
 *   `{ workspace_id, projects: [{ org_id, api_key, domain, inboxes: [{ id, address, api_key }] }] }`
 * @property {(workspaceId: string) => void} [deleteWorkspace] goes with `createWorkspace`
 * @property {(event: { org_id: string, type: string, data: object }) => string} [raiseEvent] gives the id of the event
 * @property {(workspaceId: string, status: 'paused' | 'active', reason?: string) => void} [setSending]
 * @property {(workspaceId: string, ms: number) => Date} [advanceClock] gives the new time, once every attempt due by then has ended
 * @property {(host: string, answers: string[][]) => void} [setAnswers]
 * @property {(allow: string[], ca?: string) => void} [allowEgress]
 */

/** Thrown by a hook that does not know the workspace or the org. */
export class Unknown extends Error {}

const offers = {
  workspaces: 'createWorkspace',
  events: 'raiseEvent',
  sending: 'setSending',
  clock: 'advanceClock',
  dns: 'setAnswers',
  egress: 'allowEgress',
}

class WrongField extends Error {}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value) => typeof value === 'string'
const isListOf = (value, isOne) => Array.isArray(value) && value.every(isOne)
const isWhole = (value) => Number.isInteger(value) && value >= 0

/** The member of the body, if it is what it should be. */
function field(body, name, isRight, what) {
  const value = isObject(body) ? body[name] : undefined
  if (!isRight(value)) throw new WrongField(`${name} is not ${what}`)
  return value
}

/**
 * Answers one call: `{ status, body }`. The caller of this function checks the key.
 *
 * @param {{ name: string, version: string, hooks: Hooks }} service
 * @param {{ method: string, path: string, body?: unknown }} call
 */
export async function answerControl({ name, version, hooks }, { method, path, body }) {
  const capabilities = Object.keys(offers).filter((capability) => hooks[offers[capability]] !== undefined)
  const [first = '', id = '', part = ''] = path.split('/').slice(1).map(decodeURIComponent)
  const call = [method, first, id && '*', part].filter((word) => word !== '').join(' ')
  const isOffered = first === '' || capabilities.includes(part || first)
  try {
    switch (isOffered ? call : 'none') {
      case 'GET':
        return { status: 200, body: { control: 1, name, version, capabilities } }
      case 'POST workspaces': {
        const projects = field(body, 'projects', isWhole, 'a whole number')
        const inboxes = field(body, 'inboxes', isWhole, 'a whole number')
        return { status: 201, body: await hooks.createWorkspace({ projects, inboxes }) }
      }
      case 'DELETE workspaces *':
        await hooks.deleteWorkspace(id)
        return { status: 204 }
      case 'POST events': {
        const org_id = field(body, 'org_id', isText, 'a text')
        const type = field(body, 'type', isText, 'a text')
        const data = field(body, 'data', isObject, 'an object')
        return { status: 201, body: { id: await hooks.raiseEvent({ org_id, type, data }) } }
      }
      case 'POST workspaces * sending': {
        const status = field(body, 'status', (value) => value === 'paused' || value === 'active', 'paused or active')
        await hooks.setSending(id, status, body.reason)
        return { status: 200, body: { status } }
      }
      case 'POST workspaces * clock': {
        const now = await hooks.advanceClock(id, field(body, 'advance_ms', isWhole, 'a whole number'))
        return { status: 200, body: { now: now.toISOString() } }
      }
      case 'POST dns': {
        const host = field(body, 'host', isText, 'a text')
        await hooks.setAnswers(host, field(body, 'answers', (all) => isListOf(all, (list) => isListOf(list, isText)), 'lists')) // prettier-ignore
        return { status: 204 }
      }
      case 'POST egress':
        await hooks.allowEgress(
          field(body, 'allow', (all) => isListOf(all, isText), 'a list'),
          body.ca,
        )
        return { status: 204 }
      default:
        return problem(404, 'not_found', `There is no ${method} ${path} here.`, 'Call one of the offered paths.')
    }
  } catch (error) {
    if (error instanceof WrongField)
      return problem(400, 'invalid_request', `${error.message}.`, 'Send it as documented.')
    if (error instanceof Unknown) return problem(404, 'not_found', 'There is no such workspace or org.', 'Use its id.')
    throw error
  }
}

/** The fields of an error. */
export function problem(status, code, message, fix) {
  return { status, body: { code, message, fix } }
}
