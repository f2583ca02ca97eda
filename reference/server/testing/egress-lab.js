// Run inside a network namespace whose loopback interface answers for every address there is:
//   unshare --user --map-root-user --net sh -c 'ip link set lo up; ip route add local default dev lo;
//     ip -6 route add local default dev lo; exec node reference/server/testing/egress-lab.js'
// Deliveries to addresses that are given on standard input are made in earnest, and every connection that arrives is
// seen. Prints, per address, how the delivery ended; and the addresses that were connected to.
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { json } from 'node:stream/consumers'
import { createLoader } from '../../../dist/proof/patching/load.js'

const others = Object.keys(networkInterfaces()).filter((name) => name !== 'lo')
if (others.length > 0) throw new Error(`this network namespace is not isolated: it has ${others.join(', ')}`)

/** @type {{ addresses: string[], answers: string[][] }} */
const asked = await json(process.stdin)

const connected = new Set()
const listen = (port) =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      connected.add(`${socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '')} ${port}`)
      socket.on('error', () => undefined)
      socket.destroy()
    }).listen(port, '::', () => resolve(server))
  })
const listeners = [await listen(443), await listen(8443)]

// Creation accepts everything, so that the guard at delivery time is tested.
const unchecked = {
  id: 'unchecked',
  patch: [
    {
      file: 'server/egress/url-check.ts',
      find: 'async function checkUrl(url, options) {',
      replace: 'async function checkUrl(url, options) { return;',
    },
  ],
}
const { startReferenceServer } = await createLoader([unchecked])('server', [unchecked])
const server = await startReferenceServer({ control: true, publicEgress: true })

async function call(url, key, method, body) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${url} ${JSON.stringify(body)} answered ${response.status}`)
  return response.status === 204 ? undefined : response.json()
}
const api = (method, path, body) => call(server.url + path, server.apiKey, method, body)
const control = (path, body) => call(server.controlUrl + path, server.controlKey, 'POST', body)

/** How the delivery of one event to each of these hosts ends. */
async function deliverTo(hosts) {
  const hooks = []
  for (const host of hosts) hooks.push((await api('POST', '/v1/webhooks', { url: `https://${host}/hook` })).id)
  await control('/events', { org_id: server.orgId, type: 'message.received', data: { message_id: 'msg_1' } })
  await control(`/workspaces/${server.workspaceId}/clock`, { advance_ms: 0 })
  const errors = []
  for (const id of hooks) {
    const [delivery] = (await api('GET', `/v1/webhooks/${id}/deliveries`)).data
    errors.push(delivery.error)
    await api('DELETE', `/v1/webhooks/${id}`)
  }
  return errors
}

const bracketed = (address) => (address.includes(':') ? `[${address}]` : address)
const literals = await deliverTo(asked.addresses.map(bracketed))

const names = asked.addresses.map((_, index) => `n${index}.hooks.example`)
for (const [index, host] of names.entries()) await control('/dns', { host, answers: [[asked.addresses[index]]] })
const named = await deliverTo(names)

const mixedNames = asked.answers.map((_, index) => `m${index}.hooks.example`)
for (const [index, host] of mixedNames.entries()) await control('/dns', { host, answers: [asked.answers[index]] })
const mixed = await deliverTo(mixedNames)

const beforeExemption = [...connected]
connected.clear()
await control('/egress', { allow: ['10.0.0.1:443', '[fd00::1]:8443'] })
const exempted = ['10.0.0.1', '10.0.0.1:8443', '10.0.0.2', '[fd00::1]:8443', '[fd00::1]', '[::ffff:10.0.0.1]:8443']
const exemptions = await deliverTo(exempted)

process.stdout.write(
  JSON.stringify({ literals, named, mixed, exemptions, connected: beforeExemption, exempted: [...connected] }),
)
await server.close()
for (const listener of listeners) listener.close()
