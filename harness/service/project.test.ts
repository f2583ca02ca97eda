// Concurrent streams when the server accepts only a few connections, against a server on a socket.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { CaseSkipped, createRequire } from '../check.js'
import { upgradeAnswer } from '../testing/hostile/stream-behaviours.js'
import { Evidence } from '../wire/evidence.js'
import { Project, type ProjectParts } from './project.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A project of a service that accepts this many connections at once and closes the next without an answer. */
async function projectOn(most: number): Promise<Project> {
  const taken = new Set<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (taken.size >= most) return void socket.resetAndDestroy()
    taken.add(socket)
    socket.on('close', () => taken.delete(socket))
    socket.once('data', (head) => {
      const [, key] = /sec-websocket-key: (\S+)/i.exec(head.toString('latin1')) ?? []
      socket.write(upgradeAnswer(key))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.close()
    for (const socket of taken) socket.destroy()
  })
  const api = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'key' }
  const tools = { cleanup: (action: () => Promise<void>) => cleanups.push(action), missed: () => {} }
  const parts = { api, tools, evidence: new Evidence(), watch: { frame: () => {} }, inboxes: [] }
  return new Project(parts as unknown as ProjectParts)
}

const wanted = [{}, {}, {}, {}, {}, {}, {}, {}]

test('as many streams as a service takes connections for are enough, and some of these are left to requests', async () => {
  const project = await projectOn(6)
  expect(await project.streams(wanted, createRequire())).toHaveLength(3)
})

test('with fewer than are needed nothing is judged', async () => {
  const project = await projectOn(2)
  await expect(project.streams(wanted, createRequire(), { atLeast: 2 })).rejects.toThrow(CaseSkipped)
})

test('a first connection closed without an answer does not count as a limit', async () => {
  const project = await projectOn(0)
  await expect(project.streams(wanted, createRequire())).rejects.toThrow('opening of GET /v1/events/ws')
})
