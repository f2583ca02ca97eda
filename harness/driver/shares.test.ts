// Real driver processes, shared by several users.
import { availableParallelism } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { AnswerLost } from '../check.js'
import { DriverPool } from './pool.js'
import { driverCommand } from './process.js'
import { DriverShares, type DriverShare } from './shares.js'

/** Answers with its process id; exits on `die`; never answers `never`. */
const program = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, op } = JSON.parse(line)
  if (op === 'die') process.exit(3)
  if (op !== 'never') process.stdout.write(JSON.stringify({ id, name: 'driver', pid: process.pid }) + '\\n')
})`

let pool: DriverPool
afterEach(() => pool.close())

function shares(perDriver: number): DriverShares {
  pool = new DriverPool(driverCommand({ command: [process.execPath, '-e', program] }))
  const made = new DriverShares(pool)
  made.perDriver = perDriver
  return made
}

const pidOf = async (share: DriverShare | undefined) => {
  const reply = await share?.call({ op: 'pid' }, 30_000)
  return reply?.kind === 'answer' ? reply.fields['pid'] : reply
}

function isThere(pid: unknown): boolean {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

describe('drivers of a run', () => {
  it('serve as many cases as they take calls, before another one is started', async () => {
    const drivers = shares(2)
    const taken = [await drivers.share(), await drivers.share(), await drivers.share()]
    const pids = await Promise.all(taken.map(pidOf))
    expect(pids[1]).toBe(pids[0])
    expect(pids[2]).not.toBe(pids[0])
  })

  it('are never more than processors and one: a later call waits', async () => {
    const drivers = shares(1)
    expect(drivers.max).toBe(availableParallelism() + 1)
    const taken = await drivers.alone(drivers.max)
    expect(new Set(await Promise.all(taken.map(pidOf))).size).toBe(drivers.max)
    let isServed = false
    const later = drivers.share().then((share) => {
      isServed = true
      return share
    })
    await pidOf(taken[0])
    expect(isServed).toBe(false)
    const pid = await pidOf(taken[0])
    taken[0]?.end()
    expect(await pidOf(await later)).toBe(pid)
  })

  it('are started again on request, and idle ones make room for them', async () => {
    const drivers = shares(1)
    const taken = await drivers.alone(drivers.max)
    const before = new Set(await Promise.all(taken.map(pidOf)))
    let isServed = false
    const requested = drivers.withFresh(2).then((started) => {
      isServed = true
      return started
    })
    taken[0]?.end()
    await pidOf(taken[1])
    expect(isServed).toBe(false)
    taken[1]?.end()
    const started = await requested
    expect([...before].filter(isThere).length, 'those that made room have ended').toBe(drivers.max - 2)
    const pids = await Promise.all(started.map(pidOf))
    expect(new Set(pids).size).toBe(2)
    expect(pids.filter((pid) => before.has(pid))).toEqual([])
  })

  it('blame no case where several used the one that died, and are not shared from then on', async () => {
    const drivers = shares(8)
    const [one, other] = [await drivers.share(), await drivers.share()]
    await pidOf(one)
    const lost = Promise.allSettled([one.call({ op: 'never' }, 30_000), other.call({ op: 'die' }, 30_000)])
    for (const result of await lost)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(AnswerLost) })
    expect(drivers.perDriver).toBe(1)
    one.end()
    other.end()
    const alone = await drivers.share()
    expect(await alone.call({ op: 'die' }, 30_000)).toMatchObject({ kind: 'died' })
  })

  it('report silence as it is where the driver answers other calls meanwhile', async () => {
    const drivers = shares(8)
    const [one, other] = [await drivers.share(), await drivers.share()]
    await pidOf(one)
    const silent = one.call({ op: 'never' }, 2_000)
    let isOver = false
    void silent.finally(() => (isOver = true))
    while (!isOver) await pidOf(other)
    expect(await silent).toMatchObject({ kind: 'silent' })
    expect(drivers.perDriver).toBe(8)
  })
})
