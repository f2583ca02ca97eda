import { memberOf, type Exchange } from '../wire/exchange.js'
import type { Api, Creating, OperationId } from './api.js'

/** Something a run made on the target, which must be gone when it ends. */
export interface Belonging {
  readonly kind: 'webhook' | 'email' | 'workspace'
  readonly id: string
}

/** Where a run writes down what it made, so that it can be removed even if the run is killed. */
export interface Journal {
  made(thing: Belonging): void
  removed(thing: Belonging): void
}

/** What one case has made on the target and not removed: webhooks, and emails that wait for their time. */
export class Belongings {
  readonly #things = new Map<string, Belonging>()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #journal: Journal | undefined

  constructor(journal: Journal | undefined) {
    this.#journal = journal
  }

  /** Takes up webhooks that were made before this process began. */
  restore(webhookIds: readonly string[]): void {
    for (const id of webhookIds) this.#made('webhook', id)
  }

  /** Learns of a request that may make something, and from its answer of what it made; {@link remove} waits for that. */
  making(request: Creating, ended: Promise<Exchange>): void {
    const learnt = ended.then((exchange) => {
      if (exchange.status === undefined || exchange.status >= 300) return
      if (request === 'POST /v1/webhooks') this.#made('webhook', exchange.field('id'))
      else if (isScheduled(exchange)) this.#made('email', exchange.field('id'))
    })
    this.#underWay.add(learnt)
    const forget = () => void this.#underWay.delete(learnt)
    learnt.then(forget, forget)
  }

  /** Learns from an exchange what was removed. */
  saw({ status, request }: Exchange, operation: OperationId): void {
    if (status === undefined || status >= 300) return
    if (operation === 'deleteWebhook') this.#removed(`webhook ${pathPart(request.url, -1)}`)
    if (operation === 'cancelEmail') this.#removed(`email ${pathPart(request.url, -2)}`)
  }

  /** Removes what is left, but for what `isKept` names. Never rejects: what cannot be removed stays in the journal. */
  async remove(api: Api, isKept: (id: string) => boolean): Promise<void> {
    await Promise.allSettled(this.#underWay)
    await Promise.all(
      [...this.#things.values()]
        .filter(({ id }) => !isKept(id))
        .map((thing) =>
          removeThing(api, thing).then(
            (isGone) => (isGone ? this.#removed(`${thing.kind} ${thing.id}`) : undefined),
            () => undefined,
          ),
        ),
    )
  }

  #made(kind: Belonging['kind'], id: unknown): void {
    if (typeof id !== 'string') return
    this.#things.set(`${kind} ${id}`, { kind, id })
    this.#journal?.made({ kind, id })
  }

  #removed(key: string): void {
    const thing = this.#things.get(key)
    if (thing === undefined) return
    this.#things.delete(key)
    this.#journal?.removed(thing)
  }
}

/** Deletes a webhook or cancels an email; resolves to whether it is gone. */
export async function removeThing(api: Api, { kind, id }: Belonging): Promise<boolean> {
  const { status } = await (kind === 'email' ? api.cancelEmail(id) : api.deleteWebhook(id))
  if (status === undefined) return false
  // An email that was sent meanwhile can no more be cancelled, and waits no more.
  return status < 300 || status === 404 || (kind === 'email' && status < 500 && status !== 401 && status !== 429)
}

function isScheduled(exchange: Exchange): boolean {
  const { body } = exchange.request
  try {
    return body !== undefined && memberOf(JSON.parse(Buffer.from(body).toString('utf8')), 'scheduled_at') !== undefined
  } catch {
    return false
  }
}

function pathPart(url: string, index: number): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(index) ?? '')
}
