// A key of a second project, without workspaces: the cases that can run pass on a correct service, fail on one that mixes orgs, and are
// skipped if the two keys may be of one org. Things made with it are removed afterwards.
import { expect, test } from 'vitest'
import { runSuite, type Report } from '../../harness/index.js'
import { freePort, sinkCertificate } from '../../harness/webhook-sink.js'
import { memberOf } from '../../harness/parsing.js'
import type { Policy } from '../../reference/server/index.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { connectTo } from '../testing/unfair-verdicts.js'

const selected = [
  'hides-emails',
  'hides-past-events',
  'hides-a-webhook',
  'sends-and-shows-nothing-to-a-second-key',
].map((name) => `service/org-isolation/${name}`)
const longestMs = 120_000

interface Trial {
  readonly policy?: Partial<Policy>
  /** The second key is one more of the same org. */
  readonly isOneOrg?: boolean
}

async function judge({ policy = {}, isOneOrg = false }: Trial): Promise<{ report: Report; left: unknown }> {
  const port = await freePort()
  const server = await startReferenceServer({
    control: true,
    policy,
    allow: [`127.0.0.1:${port}`],
    ca: [(await sinkCertificate()).ca],
  })
  const send = async (url: string, key: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(
      url,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    )
    return answer.json()
  }
  const control = (path: string, body: object) => send(`${server.controlUrl}${path}`, server.controlKey ?? '', body)
  const made = await control('/workspaces', { projects: 1, inboxes: 0 })
  const project = (memberOf(made, 'projects') as readonly { org_id: string; api_key: string }[])[0]
  const data = {
    message_id: 'msg_1',
    inbox_id: null,
    thread_id: 'thr_1',
    to: ['a@b.example'],
    cc: [],
    subject: 'Hello',
  }
  for (const org_id of [project?.org_id, server.orgId])
    await control('/events', { org_id, type: 'message.queued', data })
  const secondApiKey = isOneOrg ? server.apiKey : project?.api_key
  const subject = await connectTo(server, {
    secondApiKey,
    from: `Probe <probe@${server.domain}>`,
    inboxes: server.inboxes,
    receiver: { host: '127.0.0.1', port, publicUrl: `https://127.0.0.1:${port}/hooks/` },
  })
  try {
    const cases = serviceCases.filter(({ id }) => selected.includes(id))
    return {
      report: await runSuite(cases, subject, { seed: 7, tool: { name: 'second key', version: '0' } }),
      left: await send(`${server.url}/v1/webhooks`, project?.api_key ?? ''),
    }
  } finally {
    await subject.close()
    await server.close()
  }
}

function statuses({ cases }: Report) {
  return Object.fromEntries(cases.map(({ id, status }) => [id, status]))
}

const all = (status: string) => Object.fromEntries(selected.map((id) => [id, status]))

test(
  'passes on a service that keeps orgs apart, and leaves nothing in the second',
  async () => {
    const { report, left } = await judge({})
    expect(statuses(report)).toEqual(all('passed'))
    expect(memberOf(left, 'data')).toEqual([])
  },
  longestMs,
)

test(
  'fails on a service where another org can read an object by its id',
  async () => {
    const { report } = await judge({ policy: { keyReaches: () => true } })
    expect(statuses(report)).toEqual({ ...all('failed'), 'service/org-isolation/hides-past-events': 'passed' })
  },
  longestMs,
)

test(
  'is skipped if both keys may belong to one org',
  async () => {
    const { report } = await judge({ isOneOrg: true })
    expect(statuses(report)).toEqual(all('skipped'))
    for (const { reason } of report.cases) expect(reason).toMatch(/^needs two projects that are known to differ/)
  },
  longestMs,
)
