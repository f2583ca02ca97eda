import { setTimeout as wait } from 'node:timers/promises'
import type { ReceivedDelivery, ReceiverManner, ReceiverNews } from '../../pages/data.js'
import type { DeliveryView, ReceiverPolicy } from '../../reference/receiver/index.js'
import { startTokenedPage } from '../page/tokened.js'
import { startDiagnosePage } from './diagnose-page.js'

/** Deliveries that the page shows; the oldest are forgotten first. */
const maxShown = 200
/** Longer than a sender waits for an answer, in milliseconds. */
const slowMs = 11_000
/** Characters of a body that are kept. */
const maxBody = 64_000

const manners: readonly ReceiverManner[] = ['right', 'fails', 'redirects', 'slow']

/** The page of `serve receiver`: each delivery and its result, and a receiver that is broken on purpose. */
export interface ReceiverPage {
  readonly url: string
  /** Sets the address of the receiver. */
  serves(url: string): void
  /** Returns the policy with the answers that the page chose. */
  policy(policy: Partial<ReceiverPolicy>): Partial<ReceiverPolicy>
  /** Resolves when an event may be answered. */
  held(): Promise<void>
  /** A delivery that is about to be judged. */
  onDelivery(delivery: DeliveryView): void
  /** Records the answer to a request, by its id, with the facts known by then. */
  taken(id: string): (answered: Omit<ReceivedDelivery, 'at' | 'headers' | 'body'>) => void
  close(): Promise<void>
}

/** Starts the page, and the one that explains a signature made with `secret`. */
export async function startReceiverPage(secret: string): Promise<ReceiverPage> {
  const diagnosing = await startDiagnosePage({ secrets: [secret], scheme: undefined })
  let address = ''
  const received: ReceivedDelivery[] = []
  const arrived = new Map<string, DeliveryView>()
  const followers = new Set<(news: ReceiverNews) => void>()
  let manner: ReceiverManner = 'right'
  const tell = (news: ReceiverNews) => {
    for (const follower of followers) follower(news)
  }
  const page = await startTokenedPage<ReceiverNews>({
    page: 'receiver',
    title: 'Reference receiver',
    follow(follower) {
      followers.add(follower)
      follower({ kind: 'all', url: address, manner, received })
      return () => void followers.delete(follower)
    },
    routes(app, base) {
      app.post(`${base}manner`, async (c) => {
        const wanted: unknown = await c.req.json().catch(() => undefined)
        const known = manners.find((candidate) => candidate === wanted)
        if (known === undefined) return c.json({ problem: `expected ${manners.join(', ')}` }, 400)
        manner = known
        tell({ kind: 'manner', manner })
        return c.json({}, 202)
      })
    },
  })
  const refusals: Readonly<Partial<Record<ReceiverManner, number>>> = { fails: 500, redirects: 302 }
  return {
    url: page.url,
    serves: (url) => void (address = url),
    policy: (policy) => ({
      ...policy,
      refusesEvent: (event, delivery) => refusals[manner] ?? policy.refusesEvent?.(event, delivery),
      answer: (status) =>
        status === 302 && manner === 'redirects'
          ? { headers: { location: '/elsewhere' }, body: '' }
          : (policy.answer?.(status) ?? { headers: {}, body: '' }),
    }),
    held: async () => {
      if (manner === 'slow') await wait(slowMs)
    },
    onDelivery: (delivery) => void arrived.set(delivery.headers['webhook-id'] ?? '', delivery),
    taken(id) {
      const { headers = {}, body } = arrived.get(id) ?? {}
      arrived.delete(id)
      const lines = Object.entries(headers).map(([name, value]) => [name, value ?? ''] as const)
      const diagnoseUrl = body === undefined ? undefined : diagnosing.add({ label: id, headers: lines, body })
      const request = {
        at: new Date().toISOString(),
        ...(diagnoseUrl === undefined ? {} : { diagnoseUrl }),
        headers: Object.fromEntries(lines),
        body: body === undefined ? '' : body.toString('utf8').slice(0, maxBody),
      }
      return (answered) => {
        const shown: ReceivedDelivery = { ...answered, ...request }
        received.unshift(shown)
        received.length = Math.min(received.length, maxShown)
        tell({ kind: 'received', delivery: shown })
      }
    },
    close: async () => {
      await Promise.all([page.close(), diagnosing.close()])
    },
  }
}
