import { describe, expect, it } from 'vitest'
import { DriverPool } from './pool.js'
import { driverCommand } from './process.js'

const node = (program: string) => driverCommand({ command: [process.execPath, '-e', program] })

/** Returns a driver that answers with the function `answer` of the request. */
const answering = (answer: string) =>
  node(`require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const request = JSON.parse(line); (${answer})(request, (value) => process.stdout.write(JSON.stringify(value) + '\\n'))
  })`)

it('a program that writes back its input is not accepted as a driver', async () => {
  const pool = new DriverPool(answering('(request, write) => write(request)'))
  await expect(pool.introduce()).rejects.toThrow(/answered hello without a "name"/)
  await pool.close()
})

it.each([
  ['ends', node(''), 'exited with 0 before it answered hello'],
  [
    'is not there',
    driverCommand({ command: ['./no-such-driver'] }),
    'could not be started: there is no program ./no-such-driver',
  ],
])('a driver that %s gets an error in words', async (_, source, says) => {
  const pool = new DriverPool(source)
  await expect(pool.introduce()).rejects.toThrow(says)
  await pool.close()
})

it('a driver that cannot give its name gets an error with its reason', async () => {
  const pool = new DriverPool(answering(`({ id }, write) => write({ id, unsupported: 'no library here' })`))
  await expect(pool.introduce()).rejects.toThrow(/answered hello with unsupported \(no library here\)/)
  await pool.close()
})

it('a name is enough of an introduction', async () => {
  const pool = new DriverPool(answering(`({ id }, write) => write({ id, name: 'mine' })`))
  expect(await pool.introduce()).toEqual({ name: 'mine', version: 'unknown', language: 'unknown' })
  await pool.close()
})

it('a driver that floods answers to no request is ended', async () => {
  const pool = new DriverPool(
    answering(`({ id, op }, write) => {
      if (op === 'hello') return write({ id, name: 'flood' })
      for (let count = 0; count < 2_000; count++) write({ id: 1, ok: true })
    }`),
  )
  await pool.introduce()
  await expect(pool.call(pool.borrow(), { op: 'verify' }, 30_000)).rejects.toThrow(/answers to no request/)
  expect(pool.isUnfit).toBe(true)
  await pool.close()
})

it('a driver that writes a debug line ends the run with that line', async () => {
  const pool = new DriverPool(
    answering(`({ id, op }, write) => {
      if (op === 'verify') process.stdout.write('verifying now\\n')
      write({ id, name: 'chatty', ok: true })
    }`),
  )
  await pool.introduce()
  await expect(pool.call(pool.borrow(), { op: 'verify' }, 30_000)).rejects.toThrow(/not JSON.*verifying now/)
  expect(pool.lost).toContain('verifying now')
  await pool.close()
})

describe('a look at a new driver', () => {
  const plain = (index: number) => ({ op: 'verify', index })
  const failing = async (then: string, requested: number) => {
    const pool = new DriverPool(
      answering(
        `({ id, index }, write) => { if ((globalThis.n = (globalThis.n ?? 0) + 1) > 3) ${then}; else write({ id, ok: true, index }) }`,
      ),
    )
    const fails = await pool.failsAnew(requested, plain)
    await pool.close()
    return fails
  }

  it('recognises a driver that ends after any request', async () => {
    expect(await failing('process.exit(9)', 4)).toBe(true)
  })

  it('recognises a driver that falls silent after any request', { timeout: 60_000 }, async () => {
    expect(await failing('for (;;);', 4)).toBe(true)
  })

  it('finds nothing where the driver answers what any driver answers', async () => {
    expect(await failing('write({ id, unsupported: "no" })', 4)).toBe(false)
  })
})
