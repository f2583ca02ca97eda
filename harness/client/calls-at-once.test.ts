// Real driver processes, each with a limit of calls that are under way.
import { afterEach, expect, it } from 'vitest'
import { DriverPool } from '../driver/pool.js'
import { driverCommand } from '../driver/process.js'
import { DriverShares } from '../driver/shares.js'
import { callsAtOnce } from './calls-at-once.js'

/** Makes `most` calls at once; later calls wait for one to end. */
const program = (most: number) => `
const { get } = require('node:http')
const waiting = []
let root
let under = 0
const tell = (answer) => process.stdout.write(JSON.stringify({ ok: true, ...answer }) + '\\n')
const begin = () => {
  while (under < ${most} && waiting.length > 0) {
    under++
    const id = waiting.shift()
    get(root + '/v1/emails/em_1', (response) => response.resume().on('end', () => {
      under--
      tell({ id, value: {} })
      begin()
    }))
  }
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, op, options } = JSON.parse(line)
  if (op === 'construct') root = options.base_url
  if (op !== 'call') return tell({ id })
  waiting.push(id)
  begin()
})`

let pool: DriverPool
afterEach(() => pool.close())

it.each([
  { most: 1, counted: 1 },
  // Some at once and not all: whose call waits for whose is not known.
  { most: 2, counted: 1 },
  { most: 4, counted: 1 },
  { most: 100, counted: 8 },
])('a driver that makes $most calls at once counts as one of $counted', { timeout: 60_000 }, async (row) => {
  pool = new DriverPool(driverCommand({ command: [process.execPath, '-e', program(row.most)] }))
  expect(await callsAtOnce(new DriverShares(pool))).toBe(row.counted)
})
