// A run in a shared org: while another program makes emails, events, webhooks, replays and streams there, a correct service never fails,
// and most of the interface is still verified.
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../../harness/webhook-sink.js'
import { runSuite, type Report } from '../../harness/index.js'
import type { ServiceTarget } from '../../harness/service/index.js'
import { startReferenceServer, type ReferenceServer } from '../../reference/server/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { connectTo, outcomes, stagingConfiguration, unfairCases } from '../testing/unfair-verdicts.js'
import { isWhole } from '../testing/whole.js'

/** Far above what a run takes on two free cores. */
const longestMs = 900_000

/** Pause of the neighbour between two rounds, in milliseconds: an org in which something happens all the time, and that stays readable. */
const roundEveryMs = { withAKey: 100, staging: 1_000 } as const

/** Requirements that are to be verified with a key alone in an org in use, and on a plain staging org. */
const leastVerified = { withAKey: 60, staging: 120 } as const

/** Returns a client that uses the API as another program of the same org does. */
function neighbour({ url, apiKey, domain, inboxes }: ReferenceServer) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json().catch(() => undefined)
  }
  const sendTo = (to: string, more: object = {}) =>
    send('POST', '/emails', { from: `Neighbour <neighbour@${domain}>`, to, subject: 'Hello', text: 'Text', ...more })
  return {
    send,
    sendTo,
    /** One round of whatever a program may do in its own org. */
    async round(number: number, sink: string | undefined): Promise<void> {
      for (const { address } of inboxes) await sendTo(address)
      await sendTo(`${outcomes[number % outcomes.length] ?? ''}@simulator.example`)
      await sendTo('someone@elsewhere.example', { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
      const made = await send('POST', '/webhooks', {
        url: `${sink ?? 'https://example.com/'}neighbour/${number}`,
        event_types: sink === undefined ? ['sending.resumed'] : number % 2 === 0 ? [] : ['message.received'],
      })
      const id = (made as { id?: unknown } | undefined)?.id
      await sendTo(inboxes[0]?.address ?? '')
      if (typeof id === 'string' && number % 20 > 0) await send('DELETE', `/webhooks/${id}`)
      await send('GET', '/emails?limit=5')
    },
  }
}

async function judge(
  server: ReferenceServer,
  target: Partial<ServiceTarget>,
  sink: string | undefined,
): Promise<Report> {
  const other = neighbour(server)
  const subject = await connectTo(server, target)
  let isOver = false
  let rounds = 0
  const noise = (async () => {
    while (!isOver) {
      await other.round(rounds++, sink)
      await setTimeout(sink === undefined ? roundEveryMs.withAKey : roundEveryMs.staging)
    }
  })()
  try {
    return await runSuite(serviceCases, subject, { seed: 7, tool: { name: 'neighbour', version: '0' } })
  } finally {
    isOver = true
    await noise
    await subject.close()
    await server.close()
    expect(rounds).toBeGreaterThan(0)
  }
}

/** The message when other tests left this machine no time: no verdict on the service. */
const isBusy = /this machine was too busy/

function expectFair(report: Report, least: number): void {
  expect(unfairCases(report, isBusy)).toEqual([])
  expect(report.summary.requirements.verified).toBeGreaterThanOrEqual(least)
}

test(
  'a key alone, in an org in use',
  async () => {
    const place = `127.0.0.1:${await freePort()}`
    const server = await startReferenceServer({ allow: [place] })
    const other = neighbour(server)
    // The port is unused; only the deliveries count.
    await other.send('POST', '/webhooks', { url: `https://${place}/`, event_types: ['message.queued'] })
    for (let count = 0; count < 110; count++) await other.sendTo(server.inboxes[0]?.address ?? '')
    const report = await judge(server, {}, undefined)
    expectFair(report, leastVerified.withAKey)
  },
  longestMs,
)

test.skipIf(!isWhole)(
  'a plain staging org: from, two inboxes with keys, a sink, and triggers',
  async () => {
    const server = await startReferenceServer({ control: true, capabilities: ['egress'] })
    const configuration = await stagingConfiguration(server)
    const report = await judge(
      server,
      {
        // Lets the reference server deliver to a sink on loopback; it offers nothing else.
        control: { url: server.controlUrl ?? '', key: server.controlKey ?? '' },
        ...configuration,
      },
      configuration.receiver.publicUrl,
    )
    expectFair(report, leastVerified.staging)
  },
  longestMs,
)
