import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Api,
  Evidence,
  findMarked,
  findUnmarked,
  type CreatedResource,
  type Found,
  type HttpClient,
  type Listed,
} from '../../harness/service-calls.js'
import type { ServiceTarget } from '../../harness/service/index.js'
import type { JournalContent } from './read-journal.js'

/**
 * Times a list is looked through, and the pause between, in milliseconds: what the killed process had sent may be carried
 * out a while after its end.
 */
const looks = { count: 3, pauseMs: 1_000 } as const
/** Time after which a service has carried out a request, in milliseconds. */
const carriedOutMs = 60_000

/** The API as a clean-up sees it. */
export function orgApi({ baseUrl, apiKey: key }: ServiceTarget, http: HttpClient): Api {
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  return new Api({ http, baseUrl, key, evidence: new Evidence(), signal, observe: () => {} })
}

/** Looks for what the runs of a journal made without its id being read. */
export class LeftoverSearch {
  /** What may have been missed, and why. */
  readonly gaps: string[] = []
  /** What bears no mark, and may be what one of the requests made that had none. */
  readonly candidates: Listed[] = []
  readonly #journal: JournalContent
  readonly #api: Api
  readonly #known: Set<string>

  constructor(journal: JournalContent, api: Api) {
    this.#journal = journal
    this.#api = api
    this.#known = new Set(journal.left.map(({ kind, id }) => `${kind} ${id}`))
  }

  /** Looks again where a request had no answer and may still be carried out. */
  async run(): Promise<CreatedResource[]> {
    const { openIntents, wroteAt, isFull, hasEmails } = this.#journal
    const open = openIntents.filter(({ kind }) => kind !== 'workspace')
    // The journal may lack lines after a crash of the machine, and a target may report removals that never happened.
    const kinds = new Set<CreatedResource['kind']>([
      'webhook',
      ...(isFull || hasEmails ? (['email'] as const) : open.map(({ kind }) => kind)),
    ])
    const isOld = Date.now() - wroteAt > carriedOutMs
    const found: CreatedResource[] = []
    if (this.#api.key === undefined) return found
    for (let look = 0; look < (isOld || open.length === 0 ? 1 : looks.count); look++) {
      if (look > 0) await pause(looks.pauseMs)
      this.gaps.length = 0
      this.candidates.length = 0
      for (const kind of kinds) {
        const wanted = open.filter((intent) => intent.kind === kind)
        const isExtra = kind === 'email' && wanted.length === 0 && !isFull
        const marked = await this.#look(() => findMarked(this.#api, kind, this.#journal.marks), isExtra)
        found.push(...this.#fresh(marked))
        const bare = wanted.filter(({ isMarked }) => !isMarked)
        if (bare.length > 0) this.candidates.push(...(await this.#look(() => findUnmarked(this.#api, kind, bare))))
      }
    }
    return found
  }

  /** `isExtra`: no request of the runs is open, so that an incomplete list is not a gap. */
  async #look(search: () => Promise<Found>, isExtra = false): Promise<readonly Listed[]> {
    try {
      const { things, gap } = await search()
      if (gap !== undefined && !isExtra) this.gaps.push(gap)
      return things
    } catch (error) {
      this.gaps.push(error instanceof Error ? error.message : String(error))
      return []
    }
  }

  #fresh(listed: readonly Listed[]): CreatedResource[] {
    return listed.flatMap(({ thing }) => {
      const key = `${thing.kind} ${thing.id}`
      if (this.#known.has(key)) return []
      this.#known.add(key)
      return [thing]
    })
  }
}
