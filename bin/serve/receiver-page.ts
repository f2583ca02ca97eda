import { setTimeout as pause } from 'node:timers/promises'
import type { ReceiverMode } from '../../pages/data.js'
import type { DeliveryView, ReceiverPolicy } from '../../reference/receiver/index.js'
import { startInspector, type Answered } from './inspector.js'
import type { PageEndpoint } from './page-deliveries.js'

/** Longer than a sender waits for an answer, in milliseconds. */
const slowMs = 11_000

const refusals: Readonly<Partial<Record<ReceiverMode, number>>> = { fails: 500, redirects: 302 }

/** The page of `serve receiver`: an inspector of what arrives, and a receiver that is broken on purpose. */
export interface ReceiverPage {
  readonly url: string
  /** Sets the address of the receiver. */
  serves(endpoint: PageEndpoint): void
  /** Returns the policy with the answers that the page chose. */
  policy(policy: Partial<ReceiverPolicy>): Partial<ReceiverPolicy>
  /** Resolves when an event may be answered. */
  held(): Promise<void>
  /** A delivery that is about to be judged. */
  onDelivery(delivery: DeliveryView): void
  /** Takes a request that is answered. The returned function shows it with its result. */
  taken(request: { readonly method: string; readonly path: string; readonly id: string }): (answered: Answered) => void
  close(): Promise<void>
}

/** Starts the page, and the one that explains a signature made with `secret`. */
export async function startReceiverPage(secret: string): Promise<ReceiverPage> {
  const behaviour: { mode: ReceiverMode } = { mode: 'right' }
  const inspector = await startInspector({ title: 'Reference receiver', secret, scheme: undefined, behaviour })
  const arrived = new Map<string, DeliveryView>()
  return {
    url: inspector.url,
    serves: inspector.serves,
    policy: (policy) => ({
      ...policy,
      refusesEvent: (event, delivery) => refusals[behaviour.mode] ?? policy.refusesEvent?.(event, delivery),
      answer: (status) =>
        status === 302 && behaviour.mode === 'redirects'
          ? { headers: { location: '/elsewhere' }, body: '' }
          : (policy.answer?.(status) ?? { headers: {}, body: '' }),
    }),
    held: async () => {
      if (behaviour.mode === 'slow') await pause(slowMs)
    },
    onDelivery: (delivery) => void arrived.set(delivery.headers['webhook-id'] ?? '', delivery),
    taken(request) {
      const { headers = {}, body } = arrived.get(request.id) ?? {}
      arrived.delete(request.id)
      const lines = Object.entries(headers).map(([name, value]) => [name, value ?? ''] as const)
      return inspector.add({ ...request, headers: lines, body }).end
    },
    close: inspector.close,
  }
}
