// CLI-048  "`verifyWebhook` checks the signature and returns the parsed event."
// CLI-049  "`verifyWebhook` refuses deliveries older than 5 minutes."
// CLI-050  "`verifyWebhook` throws `WebhookVerificationError` for a delivery it refuses."
// CLI-051  "`webhooks.verify` is the same function."
//
// Reading: the driver protocol has an operation `verify` beside the methods; a driver may offer any of the three.
// It is judged on the real clock, five seconds and more away from the edge.

import { clientCase, newSecret, sign, type CallResult, type ClientContext } from '../../harness/authoring.js'
import { valueOf } from './expectations.js'

const marginSeconds = 15

interface Signed {
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string
}

function signed(mark: string, ageSeconds = 0): Signed {
  const secret = newSecret()
  const id = `evt_${mark}`
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const payload = JSON.stringify({
    id,
    type: 'message.received',
    timestamp: '2026-01-02T03:04:05.678Z',
    data: { subject: 'Hi' },
  })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secret, { id, timestamp, body: payload }),
  }
  return { payload, headers, secret }
}

type Ask = (delivery: Signed) => Promise<CallResult>

/** The ways a driver may offer verification. */
const ways: readonly {
  readonly name: string
  readonly title: string
  readonly requirement: 'CLI-048' | 'CLI-051'
  readonly asker: (context: ClientContext) => Promise<Ask>
}[] = [
  {
    name: 'verify',
    title: 'the verification of the library',
    requirement: 'CLI-048',
    asker: async ({ verify }) => verify,
  },
  {
    name: 'webhooks-verify',
    title: 'webhooks.verify',
    requirement: 'CLI-051',
    asker: async ({ client }) => {
      const handle = await client()
      return (delivery) => handle.call('webhooks.verify', [delivery])
    },
  },
]

export const verification = ways.flatMap(({ name, title, requirement, asker }) => [
  clientCase({
    id: `client/verification/${name}-returns-the-event`,
    requirements: [requirement],
    level: 'must',
    title: `${title} returns the parsed event of a signed delivery`,
    async run(context) {
      const ask = await asker(context)
      const good = signed(context.unique())
      context.check.equal('event', valueOf(context.require, title, await ask(good)), JSON.parse(good.payload))
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-what-is-not-signed`,
    requirements: requirement === 'CLI-048' ? ['CLI-048', 'CLI-050'] : ['CLI-051'],
    level: 'must',
    title: `${title} refuses a changed body, another secret and a missing header, with an error that has a code and a message`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      valueOf(require, title, await ask(signed(unique())))
      const good = signed(unique())
      const bad: readonly Signed[] = [
        { ...good, payload: good.payload.replace('Hi', 'Ho') },
        { ...good, secret: newSecret() },
        {
          ...good,
          headers: {
            'webhook-id': good.headers['webhook-id'] ?? '',
            'webhook-timestamp': good.headers['webhook-timestamp'] ?? '',
          },
        },
      ]
      for (const each of bad) {
        const result = await ask(each)
        check.equal('result of a forged delivery', result.kind === 'broken' ? result : result.kind, 'error')
        if (result.kind !== 'error') continue
        const told = check.of(requirement === 'CLI-048' ? 'CLI-050' : 'CLI-051')
        told.ok(
          'code of the error',
          typeof result.error.code === 'string' && result.error.code !== '',
          'a text',
          result.error.code,
        )
        told.ok(
          'message of the error',
          typeof result.error.message === 'string' && result.error.message !== '',
          'a text',
          result.error.message,
        )
      }
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-old-deliveries`,
    requirements: requirement === 'CLI-048' ? ['CLI-049'] : ['CLI-051'],
    level: 'must',
    title: `${title} refuses a delivery older than 5 minutes, and takes one shortly before that`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      valueOf(
        require,
        `${title} of a delivery ${300 - marginSeconds} seconds old`,
        await ask(signed(unique(), 300 - marginSeconds)),
      )
      const result = await ask(signed(unique(), 300 + marginSeconds))
      check.equal(
        `result of a delivery ${300 + marginSeconds} seconds old`,
        result.kind === 'broken' ? result : result.kind,
        'error',
      )
    },
  }),
])
