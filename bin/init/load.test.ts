// The load that `conformance init --load artillery` writes: its deliveries are taken by a correct receiver, and refused under another secret.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReferenceReceiver } from '../../reference/receiver/index.js'
import { commandHere, executed } from '../testing/command.js'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'load-'))
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const otherSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx'
const scriptFile = join(folder, 'webhook-load.yml')
/** Starting Artillery takes seconds on a busy machine. */
const longestMs = 120_000

/** Calls the two hooks as an engine does, and posts what they made of a request. */
const oneDelivery = `
const { signDelivery, expectTaken } = await import('./webhook-load.mjs')
const request = { headers: {} }
const done = (hook, ...args) => new Promise((resolve, reject) => hook(...args, {}, {}, (error) => (error ? reject(error) : resolve())))
await done(signDelivery, request)
const { status } = await fetch(process.env.WEBHOOK_URL, { method: 'POST', ...request })
await done(expectTaken, request, { statusCode: status }).then(() => console.log('taken'), (error) => console.log(error.message))
`

beforeAll(async () => {
  const { code } = await commandHere(folder)(['init', '--load', 'artillery'])
  expect(code).toBe(0)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/webhook-conformance'))
  writeFileSync(join(folder, 'one.mjs'), oneDelivery)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('prints where to put the endpoint and its secret, and replaces nothing without --force', async () => {
  const run = commandHere(folder)
  expect(await run(['init', '--load', 'artillery'])).toMatchObject({ code: 2, err: expect.stringContaining('--force') })
  expect(readFileSync(scriptFile, 'utf8')).toContain('WEBHOOK_URL')
  const { out } = await run(['init', '--load', 'artillery', '--force'])
  expect(out).toContain('WEBHOOK_SECRET=')
})

test('signs as the service does', async () => {
  const receiver = await startReferenceReceiver({ secret })
  try {
    const deliver = (with_: string) =>
      executed(process.execPath, ['one.mjs'], {
        cwd: folder,
        env: { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: with_ },
      })
    expect((await deliver(secret)).out).toBe('taken\n')
    expect((await deliver(otherSecret)).out).toMatch(/^answered 4\d\d\n$/)
  } finally {
    await receiver.close()
  }
})

// The kit does not depend on Artillery: npm install --global artillery, or name its program in ARTILLERY.
const artillery = process.env['ARTILLERY'] ?? 'artillery'
const isInstalled =
  spawnSync(artillery, ['--version'], { env: { ...process.env, ARTILLERY_DISABLE_TELEMETRY: 'true' } }).status === 0

describe.skipIf(!isInstalled)('in Artillery, where it is installed', () => {
  test(
    'every delivery is taken; under another secret its run fails',
    async () => {
      const receiver = await startReferenceReceiver({ secret })
      const short = readFileSync(scriptFile, 'utf8')
        .replace(/duration: 10, arrivalRate: 10, rampTo: 100/, 'duration: 1, arrivalRate: 5')
        .replace(/duration: 60, arrivalRate: 100/, 'duration: 1, arrivalRate: 10')
      writeFileSync(join(folder, 'short.yml'), short)
      try {
        const load = (with_: string) =>
          executed(artillery, ['run', 'short.yml'], {
            cwd: folder,
            env: { ARTILLERY_DISABLE_TELEMETRY: 'true', WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: with_ },
          })
        const right = await load(secret)
        expect(right.out).toMatch(/http\.codes\.2\d\d: \.+ 15\n/)
        expect(right.code).toBe(0)
        expect((await load(otherSecret)).code).not.toBe(0)
      } finally {
        await receiver.close()
      }
    },
    longestMs,
  )
})
