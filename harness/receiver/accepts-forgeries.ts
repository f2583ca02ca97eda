import type { Exchange } from '../wire/exchange.js'
import type { Delivery } from './delivery.js'

/** The case that shows it: the others are not evaluated. */
export const proofOfForgeries = 'receiver/signature/refuses-a-wrong-signature'

/** How a slow endpoint accepts whatever it gets; kept with the measurements of the cases that fail. */
export interface ForgeriesAccepted {
  readonly status: number
  /** Time until the latest of the answers, in milliseconds. */
  readonly afterMs: number
}

/**
 * Sends three forgeries at once to a slow endpoint. Resolves to undefined unless all of them are accepted: then the endpoint verifies nothing,
 * and one case shows that as well as a hundred.
 */
export async function acceptsForgeries(
  make: () => Delivery,
  send: (delivery: Delivery) => Promise<Exchange>,
): Promise<ForgeriesAccepted | undefined> {
  const changed = make()
  const forgeries = [
    changed.tampered({ body: Buffer.concat([changed.fields.body, Buffer.from(' ')]) }),
    make().signedOver('something else'),
    make().with({ signature: '' }),
  ]
  const answers = await Promise.all(forgeries.map(send))
  const isAccepted = ({ status = 0 }: Exchange) => status >= 200 && status < 300
  if (!answers.every(isAccepted)) return undefined
  const afterMs = Math.round(Math.max(...answers.map(({ durationMs }) => durationMs)))
  return { status: answers[0]?.status ?? 0, afterMs }
}
