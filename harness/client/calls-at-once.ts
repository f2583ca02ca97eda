import { CaseErrored } from '../check.js'
import type { DriverPool } from '../driver/pool.js'
import type { DriverShare, DriverShares } from '../driver/shares.js'
import { cut } from '../wire/cut.js'
import { Evidence } from '../wire/evidence.js'
import { json } from './reply.js'
import { ScriptedServer } from './scripted-server.js'

/** Calls that are made at once. */
const calls = 8
/** How long the first answer is delayed so that the other requests can arrive, in milliseconds. */
const heldMs = 2_000
/** Longest time of each request to the driver, in milliseconds: nothing but that is waited for. */
const withinMs = 20_000

/**
 * How many calls a driver begins while others wait: a driver may answer one after the other, and a library may have a limit of
 * its own. One that begins some at once and not all counts as one that makes one after the other: whose call waits for whose is not known then, and neither
 * is how long. Throws {@link CaseErrored} where the driver answers nothing.
 */
export async function callsAtOnce(drivers: DriverShares): Promise<number> {
  const server = await ScriptedServer.start(new Evidence())
  const [share] = await drivers.alone(1)
  if (share === undefined) return 1
  try {
    const options = { api_key: 'key_of_nobody', base_url: server.url, max_retries: 0 }
    const built = await share.call({ op: 'construct', client: 'c0', options, env: {} }, withinMs)
    if (built.kind === 'silent')
      throw new CaseErrored(`the driver answered hello, but not construct within ${built.afterMs} ms`)
    if (built.kind === 'answer' && typeof built.fields['ok'] !== 'boolean')
      throw new CaseErrored(`the driver answered construct without "ok": ${cut(JSON.stringify(built.fields), 200)}`)
    if (built.kind !== 'answer' || built.fields['ok'] !== true) return 1
    const begun = await begunAtOnce(server, share)
    // What a busy machine began late looks like a limit: one that is there is seen twice.
    const isLimited = begun > 1 && begun < calls && (await begunAtOnce(server, share)) < calls
    return isLimited ? 1 : Math.max(1, begun)
  } finally {
    share.end()
    await server.close()
  }
}

/** How many of several calls that are made at once are begun before the first of them is answered. */
async function begunAtOnce(server: ScriptedServer, share: DriverShare): Promise<number> {
  const before = server.requests.length
  const until = server.request(before + calls, heldMs)
  server.script(() => ({ kind: 'held', until, reply: json(200, { id: 'em_1' }) }))
  const request = { op: 'call', client: 'c0', method: 'emails.get', args: ['em_1'], options: {} }
  const under = Array.from({ length: calls }, () => share.call(request, withinMs))
  await until
  const begun = server.requests.length - before
  const replies = await Promise.all(under)
  if (replies.every(({ kind }) => kind === 'silent'))
    throw new CaseErrored(`the driver built a client, and answered no call within ${withinMs} ms`)
  return begun
}

/**
 * Resolves to whether another driver answers as many calls as one that fell silent was given: a run whose drivers always fall silent learns
 * nothing, while a library that leaves one call open fails by that call.
 */
export async function answersAsManyCalls(pool: DriverPool, callCount: number): Promise<boolean> {
  const server = await ScriptedServer.start(new Evidence())
  try {
    const options = { api_key: 'key_of_nobody', base_url: server.url, max_retries: 0 }
    const begin = { op: 'construct', client: 'c00', options, env: {} }
    const call = { op: 'call', client: 'c00', method: 'emails.get', args: ['em_1'], options: {} }
    return !(await pool.failsAnew(callCount, () => call, begin))
  } finally {
    await server.close()
  }
}
