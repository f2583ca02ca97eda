// What `conformance init --load artillery` writes: more deliveries a second than one process gives, on an engine that runs on many machines.

/** The script, and the program that signs for it. */
export function loadFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['webhook-load.yml', script],
    ['webhook-load.mjs', processor],
  ])
}

const script = `# Signed deliveries to a webhook endpoint, for Artillery (https://www.artillery.io), which runs it here, on AWS Lambda or Fargate, or on Kubernetes:
#   npm install --save-dev artillery webhook-conformance
#   WEBHOOK_URL=https://… WEBHOOK_SECRET=whsec_… npx artillery run webhook-load.yml
config:
  target: "{{ $processEnvironment.WEBHOOK_URL }}"
  processor: ./webhook-load.mjs
  http:
    # A consumer has 10 seconds to answer.
    timeout: 10
  phases:
    - { name: warm up, duration: 10, arrivalRate: 10, rampTo: 100 }
    - { name: steady, duration: 60, arrivalRate: 100 }
  plugins:
    ensure: {}
  ensure:
    conditions:
      - expression: vusers.failed == 0
scenarios:
  - name: one delivery
    flow:
      - post:
          url: "{{ $processEnvironment.WEBHOOK_URL }}"
          beforeRequest: signDelivery
          afterResponse: expectTaken
`

const processor = `// Signs each delivery of webhook-load.yml as it is sent, as the service does: an id, a time and a signature of its own.
import { randomUUID } from 'node:crypto'
import { sign } from 'webhook-conformance/verifier'

const secret = process.env.WEBHOOK_SECRET
if (!process.env.WEBHOOK_URL || !secret) throw new Error('set WEBHOOK_URL and WEBHOOK_SECRET')

/** What is delivered: put an event of yours here. */
const data = {
  message_id: 'msg_01',
  inbox_id: 'ibx_01',
  thread_id: 'thr_01',
  from: 'Ada Sender <ada@sender.example>',
  subject: 'Your order',
}

export function signDelivery(request, context, events, next) {
  const id = \`evt_\${randomUUID().replaceAll('-', '')}\`
  const now = new Date()
  const timestamp = Math.floor(now.getTime() / 1000)
  const payload = JSON.stringify({ id, type: 'message.received', timestamp: now.toISOString(), data })
  request.body = payload
  request.headers = {
    ...request.headers,
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign({ id, timestamp, payload, secret }),
  }
  next()
}

export function expectTaken(request, response, context, events, next) {
  const isTaken = response.statusCode >= 200 && response.statusCode < 300
  next(isTaken ? undefined : new Error(\`answered \${response.statusCode}\`))
}
`
