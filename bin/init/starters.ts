// Placeholders for a user's programs until those are written: each shows where to call them.

/** The default commands for programs, and the files these need. */
export const sendScript = './send-one.sh'
export const starterDriver = 'node driver.mjs'

/** A sender's own command. */
export const senderStarter = `#!/bin/sh
# Makes your program send one event. Its type is in CONFORMANCE_EVENT_TYPE, the URL it goes to in CONFORMANCE_WEBHOOK_URL.
# Exit with another code than 0 for a type that your program does not have: that case is skipped, with the text on
# standard error. To see a right sender first: conformance serve sender prints a line to put here.
echo 'send-one.sh: call your program here' >&2
exit 1
`

const ofVerifier = `  // The body as it arrived is in payload_base64; now is the clock in Unix seconds, where it is given.
  // Answer { ok: true, event }, or { ok: false, error: { code, message } } for what your library refuses. Catch nothing else.
  verify: ({ secret, headers, payload_base64, now }) => ({ unsupported: 'driver.mjs: call your library here' }),

  // Answer { signature: 'v1,…' }; leave it out where your library does not sign.
  sign: ({ secret, msg_id, timestamp, payload_base64 }) => ({ unsupported: 'driver.mjs: call your library here' }),
`

const ofClient = `  // Makes the client that later calls name. env is what its constructor must see as its environment.
  // Answer { ok: true }, or { ok: false, error: { code, message } }.
  construct: ({ client, options, env }) => ({ unsupported: 'driver.mjs: call your library here' }),

  // Calls a method such as emails.send. Answer { ok: true, value }, or { ok: false, error: { status, code, message, fix } };
  // { unsupported: 'why' } for a method that your library does not have.
  call: ({ client, method, args, options }) => ({ unsupported: 'driver.mjs: call your library here' }),
`

/** Returns a driver whose operations are to be filled in; until then every case is skipped with that reason. */
export function driverStarter(kind: 'verifier' | 'client'): string {
  return `// The driver of your library: reads one JSON object a line, writes one a line (conformance ${kind} starts it).
// The package webhook-conformance has whole ones, in other languages too, in fixtures/drivers.
import { stdin, stdout } from 'node:process'

const operations = {
  hello: () => ({ name: 'your library', version: '0.0.0', language: 'javascript' }),

${kind === 'verifier' ? ofVerifier : ofClient}}

/** Lines end at a line feed alone: a reader of lines may also break at separators that JSON text may hold. */
async function* linesOf(stream) {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\\n')
    rest = lines.pop()
    yield* lines
  }
  if (rest !== '') yield rest
}

async function answer({ id, op, ...request }) {
  const operation = operations[op]
  const fields = operation === undefined ? { unsupported: \`no operation \${op}\` } : await operation(request)
  stdout.write(\`\${JSON.stringify({ id, ...fields })}\\n\`)
}

for await (const line of linesOf(stdin)) if (line.trim() !== '') void answer(JSON.parse(line))
`
}
