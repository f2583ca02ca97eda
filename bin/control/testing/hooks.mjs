// A service for the examples: each hook does what the control interface of another one does, given by CONTROL_URL and CONTROL_KEY.
import { Unknown } from '../../../examples/control/answer.mjs'

const { CONTROL_URL: url, CONTROL_KEY: key } = process.env

async function run(method, path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (answer.status === 404) throw new Unknown()
  if (!answer.ok) throw new Error(await answer.text())
  return answer.status === 204 ? undefined : answer.json()
}

export const hooks = {
  createWorkspace: (shape) => run('POST', '/workspaces', shape),
  deleteWorkspace: (id) => run('DELETE', `/workspaces/${id}`),
  raiseEvent: async (event) => (await run('POST', '/events', event)).id,
  setSending: (id, status, reason) => run('POST', `/workspaces/${id}/sending`, { status, reason }),
  advanceClock: async (id, ms) => new Date((await run('POST', `/workspaces/${id}/clock`, { advance_ms: ms })).now),
  setAnswers: (host, answers) => run('POST', '/dns', { host, answers }),
  allowEgress: (allow, ca) => run('POST', '/egress', { allow, ca }),
}
