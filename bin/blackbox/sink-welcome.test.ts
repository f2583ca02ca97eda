// A service refuses URLs of private addresses, as it must: a sink configured at one does not make it fail.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadUrlTable } from '../../fixtures/index.js'
import { freePort } from '../../harness/webhook-sink.js'
import { command } from '../../harness/testing/hostile/command.js'
import { startReferenceServer } from '../../reference/server/index.js'

interface Place {
  readonly isAllowed: boolean
  readonly at?: number
  readonly caseId?: string
}

/** Judges a reference server that delivers to the sink at loopback, or refuses it. */
async function judged({ isAllowed, at, caseId: send = 'service/signatures/signs-a-delivery' }: Place) {
  const port = at ?? (await freePort())
  const server = await startReferenceServer(isAllowed ? { allow: [`127.0.0.1:${port}`] } : {})
  onTestFinished(() => server.close())
  const [inbox] = server.inboxes
  const config = join(mkdtempSync(join(tmpdir(), 'sink-')), 'config.json')
  const sink = { listen: `127.0.0.1:${port}`, public_url: `https://127.0.0.1:${port}/` }
  const inboxes = [{ id: inbox?.id, address: inbox?.address, api_key: inbox?.apiKey }]
  const target = {
    base_url: server.url,
    api_key: server.apiKey,
    from: `probe@${server.domain}`,
    inboxes,
    receiver: sink,
  }
  writeFileSync(config, JSON.stringify(target))
  // If the sink is accepted no delivery arrives, since the server does not know its authority: the case ends by its time limit.
  const cases = ['--case', send, '--timeout', '2000']
  const ended = await command(['run', '--config', config, ...cases])
  const { webhooks } = (await fetch(`${server.url}/v1/webhooks`, {
    headers: { authorization: `Bearer ${server.apiKey}` },
  }).then(async (answer) => ({ webhooks: await answer.text() }))) as { webhooks: string }
  return { ...ended, webhooks }
}

it('a service that refuses the private address of the sink is not failed for it', async () => {
  const { report, webhooks } = await judged({ isAllowed: false })
  expect(report?.summary.cases['failed']).toBe(0)
  const reasons = report?.cases.flatMap((result) => result.reason ?? []) ?? []
  expect(reasons).toContainEqual(
    expect.stringMatching(/^needs a sink at a public address: the service refuses 127\.0\.0\.1:\d+ \(400\)/),
  )
  expect(webhooks).not.toContain('whk_')
})

it('a service that accepts that address is checked by its deliveries there', async () => {
  const { report, webhooks } = await judged({ isAllowed: true })
  const reasons = report?.cases.flatMap((result) => result.reason ?? []) ?? []
  expect(reasons.join('\n')).not.toContain('needs a sink')
  expect(webhooks).not.toContain('whk_')
})

it('a service that accepts that address passes the case of refused loopback addresses', async () => {
  const row = loadUrlTable().find(({ id }) => id === 'v4-loopback-with-port')
  const at = Number(new URL(row?.url ?? '').port)
  const { report } = await judged({ isAllowed: true, at, caseId: 'service/refused-addresses/refuses-loopback' })
  expect(report?.cases.map(({ status, message }) => [status, message])).toEqual([['passed', undefined]])
})
