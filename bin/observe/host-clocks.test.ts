// Captures of two machines whose clocks differ, judged as one.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TrafficJudge, judgeFiles } from '../../harness/observe/index.js'
import {
  call,
  created,
  deliveriesList,
  delivery,
  event,
  har,
  stream,
  type Entry,
} from '../../harness/testing/traffic/har.js'
import { e1, e2, e5 } from '../../harness/testing/traffic/conforming-traffic.js'

const folder = mkdtempSync(join(tmpdir(), 'host-clocks-'))
const whk = '/v1/webhooks/whk_1'

/** Returns the faults if the client's clock is `aheadMs` ahead of all others. */
async function found(ofClient: readonly Entry[], ofReceiver: readonly Entry[], aheadMs: number): Promise<string[]> {
  const shifted = ofClient.map((entry) => {
    const at = Date.parse(String(entry['startedDateTime']))
    const response = entry['response'] as { headers: unknown[] }
    const headers = [...response.headers, { name: 'Date', value: new Date(at).toUTCString() }]
    return { ...entry, startedDateTime: new Date(at + aheadMs).toISOString(), response: { ...response, headers } }
  })
  const paths = [shifted, ofReceiver].map((entries, index) => {
    const path = join(folder, `${index}.har`)
    writeFileSync(path, JSON.stringify(har(entries)))
    return path
  })
  const judge = new TrafficJudge()
  await judgeFiles(judge, { paths, address: undefined, secrets: [], onNote: () => undefined })
  judge.finish()
  return [...judge.ledger.findings.keys()]
}

test.each([-30_000, 0, 30_000])('a client whose clock is %i ms ahead', async (aheadMs) => {
  const remove = call({ at: 100, method: 'DELETE', path: whk, status: 204 })
  const deleted = [created(0), remove]
  expect(await found(deleted, [delivery(1, e1), delivery(90, event(89))], aheadMs)).toEqual([])
  expect(await found(deleted, [delivery(1, e1), delivery(110, event(109))], aheadMs)).toEqual(['WHK-014'])
  const replayed = [
    created(0),
    call({ at: 20, method: 'POST', path: `${whk}/deliveries/d1/replay`, status: 202 }),
    deliveriesList(60, [
      { id: 'd2', status: 'succeeded', attempt: 1, replay_of: 'd1' },
      { id: 'd1', status: 'succeeded', attempt: 1 },
    ]),
  ]
  expect(await found(replayed, [delivery(1, e1), delivery(20.1, e1)], aheadMs)).toEqual([])
  const live = [created(0), stream(3, [[5.1 + aheadMs / 1_000, e5]])]
  expect(await found(live, [delivery(2, e2), delivery(5.2, e5)], aheadMs)).toEqual([])
})
