// Sends real requests to a server that a client would poll for ever.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Evidence } from '../wire/evidence.js'
import { ScriptedServer } from './scripted-server.js'

let server: ScriptedServer
beforeEach(async () => {
  server = await ScriptedServer.start(new Evidence())
})
afterEach(() => server.close())

/** Sends this many requests, one after the other, and returns their statuses. */
async function statuses(count: number): Promise<number[]> {
  const all: number[] = []
  while (all.length < count) all.push((await fetch(`${server.url}/v1/emails`)).status)
  return all
}

it('refuses a call that makes request upon request, and answers the next one', async () => {
  const ends = server.callBegins(false)
  const answers = await statuses(201)
  expect(answers.slice(0, 200)).toEqual(answers.slice(0, 200).map(() => 200))
  expect(answers.at(-1)).toBe(400)
  ends()
  server.callBegins(false)
  expect(await statuses(1)).toEqual([200])
})

it('lets concurrent calls make as many requests each, and one that waits go on', async () => {
  server.callBegins(false)
  server.callBegins(false)
  expect((await statuses(300)).at(-1)).toBe(200)
  server.callBegins(true)
  expect((await statuses(300)).at(-1)).toBe(200)
})
