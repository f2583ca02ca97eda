// `node subject.js <kind> [mutant]`: a reference as a program for a run of the command. A receiver and a sender print a line of JSON and end
// with their standard input; a verifier and a client are drivers.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import type { DriverHandler } from '../../../harness/driver/index.js'
import { installLoopbackGuard } from '../../../harness/loopback.js'
import { newSecret } from '../../../harness/signing.js'
import type { EventType } from '../../../spec/index.js'
import { withMutant, withVariants, type Startable } from '../../../bin/reference/deviations.js'
import type { ReferenceKind } from '../../patching/load.js'
import { mutants, type Mutant } from '../../mutants/index.js'
import { clientHandler } from '../selftest/client-driver.js'
import { verifierHandler } from '../selftest/verifier-driver.js'

async function startable<Kind extends ReferenceKind>(kind: Kind, id: string | undefined): Promise<Startable<Kind>> {
  if (id === undefined) return withVariants(kind, [])
  const mutant = mutants.find((candidate) => candidate.id === id)
  if (mutant === undefined) throw new Error(`no mutant ${id}`)
  return withMutant(kind, mutant as Mutant<Kind>)
}

function serve(facts: object): void {
  process.stdout.write(`${JSON.stringify(facts)}\n`)
  process.stdin.resume().on('end', () => process.exit(0))
}

async function drive(handler: DriverHandler): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Readonly<Record<string, unknown>>
    void handler(request).then((answer) =>
      process.stdout.write(`${JSON.stringify({ id: request['id'], ...answer })}\n`),
    )
  }
  process.exit(0)
}

/** A sender that sends an event of the type to the url of each `POST {"type": …, "url": …}`. */
async function startSender(id: string | undefined, schedule: readonly number[]): Promise<void> {
  const { entry, policy } = await startable('sender', id)
  const secret = newSecret()
  const sender = entry.startReferenceSender({ secret, policy: { schedule, ...policy } })
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const { type, url } = JSON.parse(text) as { readonly type: EventType; readonly url: string }
      sender.send(url.replace(/^https:/, 'http:'), type)
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1', () => serve({ secret, port: (server.address() as AddressInfo).port }))
}

async function startReceiver(id: string | undefined): Promise<void> {
  const { entry, policy } = await startable('receiver', id)
  const secret = newSecret()
  const { url, handledUrl } = await entry.startReferenceReceiver({ secret, policy, handledPath: '/handled/' })
  serve({ secret, url, handledUrl })
}

installLoopbackGuard()
const [kind, mutant, ...delays] = process.argv.slice(2)
const id = mutant === 'none' ? undefined : mutant
switch (kind) {
  case 'receiver':
    await startReceiver(id)
    break
  case 'sender':
    await startSender(id, delays.map(Number))
    break
  case 'verifier':
    await drive(verifierHandler((await startable('verifier', id)).entry))
    break
  case 'client': {
    const { entry, policy } = await startable('client', id)
    await drive(clientHandler(entry, policy))
    break
  }
  default:
    throw new Error(`no kind ${kind}`)
}
