// SIG-002  "`webhook-timestamp` is the Unix seconds at which this attempt was signed."
// SIG-004  "The signed string is `{webhook-id}.{webhook-timestamp}.{raw body}`; the signature is base64 of HMAC-SHA256 of
//           it; the key is the base64-decoded part of the secret after `whsec_`."
// SIG-006  "A delivery is signed with the secret of its own webhook."
// SIG-007  "The signature is over the bytes as sent, whatever characters the event holds."
// SIG-008  "The webhook signature scheme is version `v1`: at least one entry with this prefix equals the computed signature."

import fc from 'fast-check'
import {
  memberOf,
  matchingEntry,
  serviceCase,
  signatureProblem,
  type Attempt,
  type Checks,
} from '../../../harness/authoring.js'

function expectSigned(check: Checks, attempt: Attempt, secret: string): void {
  const headers = {
    id: attempt.header('webhook-id'),
    timestamp: attempt.header('webhook-timestamp'),
    signature: attempt.header('webhook-signature'),
  }
  const missing = Object.entries(headers).filter(([, value]) => value === undefined)
  if (
    !check.of('DLV-003').equal(
      'headers of a delivery that are missing or repeated',
      missing.map(([name]) => `webhook-${name}`),
      [],
    )
  )
    return
  const problem = signatureProblem(headers, attempt.body, secret)
  check.ok('signature of the delivery', problem === undefined, matchingEntry, problem)
}

/** Subjects whose bytes a careless sender changes between signing and sending. */
const subjects: readonly string[] = [
  'plain',
  'Grüße, naïve café',
  '你好，世界',
  '👋🏽 family 👨‍👩‍👧',
  'a "quoted" \\ back/slash',
  'tab\tand\nline break',
  '\u2028 and \u2029',
  '\u0001 control \u007f',
  '<script>&amp;</script>',
  'e\u0301 decomposed',
  ' ',
  'x'.repeat(20_000),
]

/** Subjects that a mail service accepts as they are. */
const mailSubjects: readonly string[] = [
  'Grüße, naïve café',
  '你好，世界',
  '👋🏽 family 👨‍👩‍👧',
  'a "quoted" \\ back/slash',
  '<b>&amp;</b>',
]

export const signatures = [
  serviceCase({
    id: 'service/signatures/signs-a-delivery',
    requirements: ['SIG-004', 'SIG-008', 'SIG-002'],
    decides: ['SIG-004', 'SIG-002'],
    dependsOn: ['DLV-003'],
    level: 'must',
    title: 'each delivery has the right v1 signature and the time of its attempt',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
      const before = Math.floor(Date.now() / 1000)
      const attempt = await webhook.attempt(1, await sandbox.project.raise('message.received'))
      expectSigned(check.of('SIG-004'), attempt, webhook.secret)
      const labels = (attempt.header('webhook-signature') ?? '').split(' ').map((entry) => entry.split(',')[0])
      check.of('SIG-008').ok('versions of the entries', labels.includes('v1'), 'with v1', labels)
      const slack = 120
      check
        .of('SIG-002')
        .between('webhook-timestamp', attempt.signedAt, before - slack, Math.ceil(attempt.arrivedAt / 1000) + slack)
    },
  }),

  serviceCase({
    id: 'service/signatures/signs-at-the-time-of-the-attempt',
    requirements: ['SIG-002', 'SIG-005'],
    dependsOn: ['DLV-003'],
    level: 'must',
    title: 'after the clock was moved by three days, an event is signed with the new time',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
      await sandbox.advance(3 * 24 * 3_600_000)
      const attempt = await webhook.attempt(1, await sandbox.project.raise('message.received'))
      check
        .of('SIG-002')
        .between('seconds from the clock to webhook-timestamp', attempt.signedAt - sandbox.now() / 1000, -60, 60)
      expectSigned(check.of('SIG-005'), attempt, webhook.secret)
    },
  }),

  serviceCase({
    id: 'service/signatures/signs-with-the-secret-of-the-webhook',
    requirements: ['SIG-006'],
    decides: ['SIG-006'],
    dependsOn: ['WHK-018', 'DLV-003'],
    level: 'must',
    title: "one event to three webhooks is signed with each webhook's own secret",
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check }) {
      const { project } = await openSandbox()
      const webhooks = [
        await project.createWebhook({ eventTypes: ['message.received'] }),
        await project.createWebhook({ eventTypes: ['message.received'] }),
        await project.createWebhook({ eventTypes: ['message.received'] }),
      ]
      const event = await project.raise('message.received')
      const signatures: (string | undefined)[] = []
      for (const webhook of webhooks) {
        const attempt = await webhook.attempt(1, event)
        expectSigned(check, attempt, webhook.secret)
        signatures.push(attempt.header('webhook-signature'))
      }
      check.equal('different signatures', new Set(signatures).size, webhooks.length)
    },
  }),

  serviceCase({
    id: 'service/signatures/signs-the-bytes-as-sent',
    requirements: ['SIG-007'],
    level: 'must',
    title: 'events with any characters are signed over their bytes, and arrive unchanged',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      for (const subject of subjects) {
        const data = {
          message_id: `msg_${subjects.indexOf(subject)}`,
          inbox_id: project.inbox().id,
          thread_id: 'thr_1',
          from: 'a@b.example',
          subject,
        }
        const attempt = await webhook.attempt(1, await project.raise('message.received', { data }))
        expectSigned(check, attempt, webhook.secret)
        for (const [name, value] of Object.entries(data))
          check.of('EVT-014').equal(`${name} of the delivery`, memberOf(attempt.field('data'), name), value)
      }
    },
  }),

  serviceCase({
    id: 'service/signatures/signs-mail-with-any-letters',
    requirements: ['SIG-007'],
    decides: ['SIG-007'],
    level: 'must',
    title: 'emails with unusual subjects are signed over the bytes that are sent',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check }) {
      const { project } = await openSandbox()
      const webhook = await project.createWebhook({ eventTypes: ['message.received'] })
      for (const subject of mailSubjects)
        expectSigned(
          check,
          await webhook.attempt(1, await project.raise('message.received', { subject })),
          webhook.secret,
        )
    },
  }),

  serviceCase({
    id: 'service/signatures/signs-any-event',
    requirements: ['SIG-004', 'SIG-007'],
    level: 'must',
    title: 'random events are signed over the bytes that are sent',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, property }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      await property(
        fc.record({
          subject: fc.string({ unit: 'grapheme', maxLength: 60 }),
          from: fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
          id: fc.uuid(),
        }),
        async ({ subject, from, id }, require) => {
          const data = { message_id: `msg_${id}`, inbox_id: project.inbox().id, thread_id: 'thr_1', from, subject }
          expectSigned(
            require,
            await webhook.attempt(1, await project.raise('message.received', { data }), require),
            webhook.secret,
          )
        },
        { runs: 15 },
      )
    },
  }),
]
