import { containsMark, runMark } from '../../run-mark.js'
import type { Secrets } from '../../secrets.js'
import { memberOf, type Exchange } from '../../wire/exchange.js'
import { parseJson } from '../../wire/json.js'
import type { Api, Creating, OperationId } from '../api.js'
import { itemsOf } from '../answer-readers.js'

/** Something a run made on the target, which must be gone when it ends. */
export interface CreatedResource {
  readonly kind: 'webhook' | 'email' | 'workspace'
  readonly id: string
}

/** The thing that a request is about to make, from its text. */
export interface Intent {
  readonly kind: CreatedResource['kind']
  /** The url of a webhook or the subject of an email, of a batch of the first, cut; absent where the request shows none. */
  readonly name?: string
  /** Whether it contains the run's mark, so that it can be found without its id. */
  readonly isMarked: boolean
}

/** Records what a run makes, so that it can be removed even if the run is killed: the intent before the request is sent, and its result. */
export interface Journal {
  /** Returns the number of the intent. */
  intends(intent: Intent): number
  /** Records that the request was refused and made nothing. */
  refused(intent: number): void
  made(thing: CreatedResource, intent?: number): void
  removed(thing: CreatedResource): void
  /** Intents of this process with an unknown result. */
  readonly openIntents: readonly Intent[]
  /** What bears the mark of this process was looked for, found, and written down. */
  searched(): void
}

/** Longest id that is kept: a target chooses neither our memory nor our disk. */
const maxIdLength = 512
/** Longest name of an intent. */
const maxNameLength = 300
/** Longest body that is read for its name; a longer one is looked through for the mark alone. */
const maxBodyLength = 65_536

/** Returns whether an id can be kept and requested: `..` and an empty one would lead to another path. */
export function isUsableId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id !== '.' && id !== '..' && id.length <= maxIdLength
}

export interface CreatedResourcesOptions {
  readonly journal: Journal | undefined
  /** Values that must not be in the journal, not even as an id. */
  readonly secrets: Secrets
}

/** What one case has made on the target and not removed: webhooks, and emails that wait for their time. */
export class CreatedResources {
  readonly #things = new Map<string, CreatedResource>()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #options: CreatedResourcesOptions

  constructor(options: CreatedResourcesOptions) {
    this.#options = options
  }

  /** Takes up webhooks that were made before this process began. */
  restore(webhookIds: readonly string[]): void {
    for (const id of webhookIds) this.#made({ kind: 'webhook', id })
  }

  /**
   * Called before a request that may make something; the returned function reads the made things from the answer. {@link remove} waits for
   * that.
   */
  making(request: Creating, body: string): (ended: Promise<Exchange>) => void {
    const wanted = wantedBy(request, body)
    if (wanted === undefined) return () => {}
    const { count: _, ...intent } = wanted
    const number = this.#options.journal?.intends(intent)
    return (ended) => {
      const learnt = ended.then((answer) => this.#learn(wanted, number, answer))
      this.#underWay.add(learnt)
      const forget = () => void this.#underWay.delete(learnt)
      learnt.then(forget, forget)
    }
  }

  #learn({ kind, count }: Wanted, number: number | undefined, answer: Exchange): void {
    const { status } = answer
    if (status === undefined) return
    if (status >= 300 && status < 500 && number !== undefined) this.#options.journal?.refused(number)
    if (status >= 300) return
    const listed = count === undefined ? [answer.json] : (itemsOf(answer) ?? [])
    const ids = listed.map((resource) => memberOf(resource, 'id')).filter(isUsableId)
    // After a 5xx, or a 2xx without an id for each that can be used, more may be there.
    const isAll = ids.length >= (count ?? 1)
    for (const [index, id] of ids.entries())
      this.#made({ kind, id }, isAll && index === ids.length - 1 ? number : undefined)
  }

  /** Learns from an exchange which things were removed. */
  saw({ status, request }: Exchange, operation: OperationId): void {
    if (status === undefined || status >= 300) return
    if (operation === 'deleteWebhook') this.#removed(`webhook ${pathPart(request.url, -1)}`)
    if (operation === 'cancelEmail') this.#removed(`email ${pathPart(request.url, -2)}`)
  }

  /** Removes all remaining things, except those that `isKept` names. Never rejects: things that cannot be removed stay in the journal. */
  async remove(api: Api, isKept: (id: string) => boolean): Promise<void> {
    await Promise.allSettled(this.#underWay)
    await Promise.all(
      [...this.#things.values()]
        .filter(({ id }) => !isKept(id))
        .map((thing) =>
          removeResource(api, thing).then(
            (removal) => (isGone(removal) ? this.#removed(`${thing.kind} ${thing.id}`) : undefined),
            () => undefined,
          ),
        ),
    )
  }

  #made(thing: CreatedResource, intent?: number): void {
    this.#things.set(`${thing.kind} ${thing.id}`, thing)
    if (this.#mayBeWritten(thing)) this.#options.journal?.made(thing, intent)
  }

  /** An id that is a secret is not written: the thing is found by the mark, if it must be. */
  #mayBeWritten({ id }: CreatedResource): boolean {
    return this.#options.secrets.redact(id) === id
  }

  #removed(key: string): void {
    const thing = this.#things.get(key)
    if (thing === undefined) return
    this.#things.delete(key)
    if (this.#mayBeWritten(thing)) this.#options.journal?.removed(thing)
  }
}

/** The result of a removal, and the target's answer. */
export interface Removal {
  /**
   * `over`: an email that was sent meanwhile waits no more. `unknown`: the target knows none by that id, which proves that it is gone only
   * if the key sees the org it was made in.
   */
  readonly outcome: 'removed' | 'over' | 'unknown' | 'stays'
  readonly answer: string
}

/** Whether a thing is gone, as the key sees it that made it. */
export function isGone({ outcome }: Removal): boolean {
  return outcome !== 'stays'
}

/** Statuses of a refusal that are unrelated to the email. */
const notAboutEmail: readonly number[] = [401, 403, 429]

/** Deletes a webhook or cancels an email. */
export async function removeResource(api: Api, { kind, id }: CreatedResource): Promise<Removal> {
  if (!isUsableId(id)) return { outcome: 'stays', answer: 'its id cannot be part of a path' }
  const { status } = await (kind === 'email' ? api.cancelEmail(id) : api.deleteWebhook(id))
  if (status === undefined) return { outcome: 'stays', answer: 'no answer' }
  const answer = `answered ${status}`
  if (status < 300) return { outcome: 'removed', answer }
  if (status === 404 || status === 410) return { outcome: 'unknown', answer }
  const isOver = kind === 'email' && status < 500 && !notAboutEmail.includes(status)
  return { outcome: isOver ? 'over' : 'stays', answer }
}

/** What a request wants to make. */
interface Wanted extends Intent {
  /** Emails of a batch that are to wait for their time. */
  readonly count?: number
}

/** Undefined for emails that are to be sent at once, which nothing can call back. */
function wantedBy(request: Creating, body: string): Wanted | undefined {
  const isMarked = containsMark(body, runMark)
  const fields = body.length > maxBodyLength ? undefined : parseJson(body)
  if (request === 'POST /v1/webhooks') return { kind: 'webhook', isMarked, ...nameOf(memberOf(fields, 'url')) }
  if (fields === undefined) return body.includes('"scheduled_at"') ? { kind: 'email', isMarked } : undefined
  const isBatch = request === 'POST /v1/emails/batch'
  const waiting = (isBatch ? (itemsOf({ json: fields }) ?? []) : [fields]).filter(isScheduled)
  if (waiting.length === 0) return undefined
  const name = nameOf(memberOf(waiting[0], 'subject'))
  return { kind: 'email', isMarked, ...name, ...(isBatch ? { count: waiting.length } : {}) }
}

function isScheduled(email: unknown): boolean {
  return (memberOf(email, 'scheduled_at') ?? memberOf(email, 'scheduledAt') ?? null) !== null
}

function nameOf(value: unknown): Pick<Intent, 'name'> {
  return typeof value === 'string' ? { name: value.slice(0, maxNameLength) } : {}
}

function pathPart(url: string, index: number): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(index) ?? '')
}
