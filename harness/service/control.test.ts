import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { AnswerLost } from '../check.js'
import { HttpClient } from '../wire/http-client.js'
import { Control } from './control.js'

afterEach(() => void vi.useRealTimers())

/** Starts a control interface that answers with the next status, and without a status not at all. */
async function controlThat(answers: () => number | undefined): Promise<Control> {
  const server = createServer((request, response) => {
    const isFirst = request.method === 'GET'
    const status = isFirst ? 200 : answers()
    if (status === undefined) return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(isFirst ? '{"control":1,"capabilities":["events"]}' : '{"id":"evt_1"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const http = new HttpClient()
  onTestFinished(async () => {
    await http.close()
    server.close()
  })
  return Control.connect(http, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k' })
}

const event = { org_id: 'org_1', type: 'message.received', data: {} }
const failure = async (control: Control) => control.raise(event).catch((error: Error) => error.message)

test('a control interface that fails for long is given up, with its last answer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const control = await controlThat(() => 500)
  for (let count = 0; count < 20; count++) await failure(control)
  expect(control.lost).toBeUndefined()
  vi.advanceTimersByTime(10_000)
  await failure(control)
  expect(control.lost).toBe(
    'the control interface failed 21 times in a row, the last time so: POST /events: expected 201, got 500 {"id":"evt_1"}',
  )
})

test('one that answers in between is not', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let count = 0
  const control = await controlThat(() => (count++ % 15 === 14 ? 201 : 500))
  for (let requested = 0; requested < 60; requested++) await failure(control)
  vi.advanceTimersByTime(10_000)
  expect(control.lost).toBeUndefined()
})

test.each([undefined, 502, 503])('a case is begun again where it answers with %s', async (status) => {
  const control = await controlThat(() => status)
  await expect(control.raise(event)).rejects.toBeInstanceOf(AnswerLost)
})

test.each([400, 404, 500])('a case is not begun again where it answers with %s', async (status) => {
  const control = await controlThat(() => status)
  await expect(control.raise(event)).rejects.not.toBeInstanceOf(AnswerLost)
})
