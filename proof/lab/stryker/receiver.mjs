// Serves the reference receiver, lets the command judge it, and exits as failed.mjs does.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const server = spawn(process.execPath, ['bin/conformance.js', 'serve', 'receiver', '--json', '--secret', secret], {
  stdio: ['ignore', 'pipe', 'ignore'],
})
const { value: line } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next()
// A receiver that does not start does not fail either: the address is an unused one.
const { url } = line === undefined ? { url: 'http://127.0.0.1:1/' } : JSON.parse(line)
server.stdout.resume()

const judge = spawn(process.execPath, ['proof/lab/stryker/failed.mjs', 'receiver', '--url', url, '--secret', secret], {
  stdio: 'inherit',
})
judge.once('exit', (code) => {
  server.kill()
  process.exitCode = code ?? 9
})
