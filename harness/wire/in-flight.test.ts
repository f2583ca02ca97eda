import { expect, test } from 'vitest'
import { InFlight } from './in-flight.js'

/** A target that takes `takes` requests at once and refuses the others with `status`. */
function narrow(takes: number, status = 503) {
  let now = 0
  let refused = 0
  let highest = 0
  const send = async () => {
    highest = Math.max(highest, ++now)
    const isTaken = now <= takes
    if (!isTaken) refused++
    await new Promise((resolve) => setImmediate(resolve))
    now--
    return { status: isTaken ? 200 : status }
  }
  return { send, refused: () => refused, highest: () => highest }
}

const sendMany = (inFlight: InFlight, send: () => Promise<{ status: number }>, lanes: number, rounds: number) =>
  Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let round = 0; round < rounds; round++) await inFlight.send(send)
    }),
  )

test.each([429, 503])(
  'a target that answers a %i to all but three concurrent requests gets three or so at once',
  async (status) => {
    const target = narrow(3, status)
    const inFlight = new InFlight()
    await sendMany(inFlight, target.send, 24, 200)
    expect(inFlight.most).toBeLessThanOrEqual(6)
    expect(target.refused()).toBeLessThan(24 * 200 * 0.15)
  },
)

test('a target that accepts every request is never held back', async () => {
  const target = narrow(Infinity)
  const inFlight = new InFlight()
  await sendMany(inFlight, target.send, 24, 50)
  expect([inFlight.most, target.highest()]).toEqual([Infinity, 24])
})

test('one refusal in twenty changes nothing', async () => {
  const inFlight = new InFlight()
  let count = 0
  const send = async () => ({ status: ++count % 20 === 0 ? 503 : 200 })
  await sendMany(inFlight, send, 10, 100)
  expect(inFlight.most).toBe(Infinity)
})

test('a target that refuses everything gets one request at a time, and every request has an answer', async () => {
  const target = narrow(0)
  const inFlight = new InFlight()
  await sendMany(inFlight, target.send, 16, 10)
  expect([inFlight.most, target.refused()]).toEqual([1, 160])
})

test('a request that fails leaves its place', async () => {
  const inFlight = new InFlight()
  await sendMany(inFlight, narrow(0).send, 8, 10)
  await expect(inFlight.send(() => Promise.reject(new Error('reset')))).rejects.toThrow('reset')
  await expect(inFlight.send(async () => ({ status: 200 }))).resolves.toEqual({ status: 200 })
})

test('a target that closes all connections but four gets no more at once, and not more later', async () => {
  let now = 0
  let cut = 0
  const send = async () => {
    const wasCut = ++now > 4
    if (wasCut) cut++
    await new Promise((resolve) => setImmediate(resolve))
    now--
    return { status: wasCut ? undefined : 200, wasCut }
  }
  const inFlight = new InFlight()
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      for (let round = 0; round < 200; round++) await inFlight.send(send)
    }),
  )
  expect(inFlight.most).toBeLessThanOrEqual(4)
  expect(cut).toBeLessThan(100)
})

test('one connection in twenty that is cut changes nothing', async () => {
  const inFlight = new InFlight()
  let count = 0
  const send = async () => (++count % 20 === 0 ? { status: undefined, wasCut: true } : { status: 200 })
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let round = 0; round < 100; round++) await inFlight.send(send)
    }),
  )
  expect(inFlight.most).toBe(Infinity)
})
