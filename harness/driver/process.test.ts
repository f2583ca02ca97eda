import { describe, expect, it } from 'vitest'
import { DriverProcess } from './process.js'

/** Answers one request after the other, each `ms` milliseconds after the one before. */
const oneAfterTheOther = `
let chain = Promise.resolve()
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, ms } = JSON.parse(line)
  chain = chain.then(() => new Promise((resolve) => setTimeout(resolve, ms))).then(() => console.log(JSON.stringify({ id })))
})`

function start(): DriverProcess {
  return new DriverProcess({ command: [process.execPath, '-e', oneAfterTheOther] })
}

describe('a driver that answers one request after the other', () => {
  it('is not silent while answers arrive, however long the last of them takes in all', async () => {
    const driver = start()
    expect((await driver.call({ ms: 0 }, 10_000)).kind).toBe('answer')
    const replies = await Promise.all(Array.from({ length: 6 }, () => driver.call({ ms: 500 }, 2_500)))
    expect(replies.map((reply) => reply.kind)).toEqual(Array.from({ length: 6 }, () => 'answer'))
    await driver.close()
  })

  it('is silent when nothing arrives', async () => {
    const driver = start()
    expect((await driver.call({ ms: 0 }, 10_000)).kind).toBe('answer')
    expect(await driver.call({ ms: 60_000 }, 200)).toEqual({ kind: 'silent', afterMs: 200 })
    driver.kill()
    await driver.close()
  })
})
