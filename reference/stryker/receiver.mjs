// Serves the reference receiver, lets the command judge it, and exits as the command does.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const command = 'bin/conformance.js'

const server = spawn(process.execPath, [command, 'serve', 'receiver', '--json', '--secret', secret], {
  stdio: ['ignore', 'pipe', 'ignore'],
})
server.once('exit', () => process.exit(9))
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
const { url } = JSON.parse((await lines.next()).value)
server.stdout.resume()

const run = ['receiver', '--url', url, '--secret', secret, '--bail', '--quiet', '--seed', '1']
const judge = spawn(process.execPath, [command, ...run], { stdio: 'inherit' })
judge.once('exit', (code) => {
  server.removeAllListeners('exit')
  server.kill()
  process.exitCode = code ?? 9
})
