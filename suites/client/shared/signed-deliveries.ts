// Deliveries for a library's verification, and the ways in which a driver may offer it.

import { newSecret, sign, type CallResult, type ClientContext } from '../../../harness/authoring.js'
import { oddValues } from './odd-values.js'

export interface Signed {
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string
}

/** A delivery as a driver gets it. */
type DeliveryToVerify = Parameters<ClientContext['verify']>[0]

export const idOf = (mark: string) => `evt_${mark}`

/** A signed delivery; `write` is how its body is put into text. */
export function signed(
  mark: string,
  ageSeconds = 0,
  write: (event: unknown) => string = JSON.stringify,
  secret = newSecret(),
): Signed {
  const id = idOf(mark)
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const payload = write({
    id,
    type: 'message.received',
    timestamp: '2026-01-02T03:04:05.678Z',
    // A signed string that is made from a pattern or a template reads signs of the body as its own.
    data: {
      subject: 'Hi',
      from: 'Zoë <zoe@sender.example>',
      size: 1,
      note: "100 %% of $& %s {0} ${id} \\\\1 $'",
      permanent: false,
      opens: 0,
      odd: { ...oddValues, lists: oddValues.lists.filter((list) => !JSON.stringify(list).includes('null')) },
    },
  })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secret, { id, timestamp, body: payload }),
  }
  return { payload, headers, secret }
}

/** The same delivery with another header; undefined leaves it out. */
export function withHeader(delivery: Signed, name: string, value: string | undefined): Signed {
  const { [name]: _old, ...others } = delivery.headers
  return { ...delivery, headers: value === undefined ? others : { ...others, [name]: value } }
}

export const signature = 'webhook-signature'

export type Verify = (delivery: DeliveryToVerify) => Promise<CallResult>

/** A way in which a driver may offer verification. */
export interface VerificationWay {
  readonly name: string
  readonly title: string
  readonly requirement: 'CLI-048' | 'CLI-051'
  readonly verifyWith: (context: ClientContext) => Promise<Verify>
}

export const verificationWays: readonly VerificationWay[] = [
  {
    name: 'verify',
    title: 'verification',
    requirement: 'CLI-048',
    verifyWith: async ({ verify, ready }) => {
      await ready()
      return verify
    },
  },
  {
    name: 'webhooks-verify',
    title: 'webhooks.verify',
    requirement: 'CLI-051',
    verifyWith: async ({ verifyBy, ready }) => {
      await ready()
      return (delivery) => verifyBy('webhooks.verify', delivery)
    },
  },
]

/** Returns the kind of a result; a broken one whole, so that the message explains it. */
export function kindOf(result: CallResult): unknown {
  return result.kind === 'broken' ? result : result.kind
}
