import { expect, it } from 'vitest'
import { DriverPool } from './pool.js'
import { driverCommand } from './process.js'

const node = (program: string) => driverCommand({ command: [process.execPath, '-e', program] })

/** Answers as `answer` says, a function of the request. */
const answering = (answer: string) =>
  node(`require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const request = JSON.parse(line); (${answer})(request, (value) => process.stdout.write(JSON.stringify(value) + '\\n'))
  })`)

it('a program that writes back what it reads is no driver', async () => {
  const pool = new DriverPool(answering('(request, write) => write(request)'))
  await expect(pool.introduce()).rejects.toThrow(/answered hello without a "name"/)
  await pool.close()
})

it('a name is enough of an introduction', async () => {
  const pool = new DriverPool(answering(`({ id }, write) => write({ id, name: 'mine' })`))
  expect(await pool.introduce()).toEqual({ name: 'mine', version: 'unknown', language: 'unknown' })
  await pool.close()
})

it('a driver that floods answers nobody asked for is ended', async () => {
  const pool = new DriverPool(
    answering(`({ id, op }, write) => {
      if (op === 'hello') return write({ id, name: 'flood' })
      for (let count = 0; count < 2_000; count++) write({ id: 1, ok: true })
    }`),
  )
  await pool.introduce()
  const reply = await pool.ask(pool.borrow(), { op: 'verify' }, 30_000)
  expect(reply).toMatchObject({ kind: 'garbage', line: expect.stringContaining('answers that nobody asked for') })
  await pool.close()
})
