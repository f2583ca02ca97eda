import { rmSync } from 'node:fs'
import {
  Control,
  HttpClient,
  removeResource,
  type CreatedResource,
  type Listed,
  type Removal,
} from '../../harness/service-calls.js'
import { accessOfControl, type ServiceTarget } from '../../harness/service/index.js'
import { print, printError } from '../cli/output.js'
import { readSettings, type Settings } from '../cli/settings.js'
import { exitCodes, UsageError } from '../cli/usage.js'
import { withControlCommand } from '../control/command.js'
import { keyMark } from '../run/journal.js'
import { LeftoverSearch, orgApi } from '../run/leftover-search.js'
import { findJournals, readJournal, type JournalContent } from '../run/read-journal.js'
import { serviceTarget } from '../run/service-target.js'

/** `conformance cleanup`: removes what runs that were killed have left on a target. Exit code 3 when something stays, or may. */
export async function cleanup(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('cleanup', flags, { isService: true })
  return withControlCommand(settings, (control) => {
    if (settings.text('base-url') === undefined)
      throw new UsageError(
        'cleanup needs a target: --base-url <url> (or CONFORMANCE_BASE_URL, or base_url in the configuration; an empty variable is none)',
      )
    return cleanUp(settings, serviceTarget(settings, control))
  })
}

async function cleanUp(settings: Settings, target: ServiceTarget): Promise<number> {
  const journals = journalsOf(target.baseUrl, settings.path('journal'))
  const http = new HttpClient(target.access === undefined ? {} : { access: target.access })
  const controlHttp = new HttpClient({ access: accessOfControl(target) })
  let isClean = true
  try {
    for (const journal of journals) {
      const isSettled = await new JournalCleanup(journal, target, { http, controlHttp }).run()
      if (isSettled) rmSync(journal.path, { force: true })
      else isClean = false
    }
  } finally {
    await Promise.all([http.close(), controlHttp.close()])
  }
  if (journals.length === 0)
    print(`No finished run has left a journal for ${target.baseUrl}, so nothing was looked for.`)
  else
    print('Not looked for: sent emails, events and deliveries, which cannot be taken back; streams end with their run.')
  return isClean ? exitCodes.conformant : exitCodes.noVerdict
}

/** Returns the journals of ended runs. Other files are reported and skipped. */
function journalsOf(baseUrl: string, path: string | undefined): JournalContent[] {
  if (path === undefined) {
    const { journals, unread } = findJournals(baseUrl)
    for (const { problem } of unread) printError(`passed over: ${problem}`)
    for (const journal of journals.filter(({ isUnderWay }) => isUnderWay))
      print(`${journal.path}: its run is still under way; left alone`)
    return journals.filter(({ isUnderWay }) => !isUnderWay)
  }
  const journal = readJournal(path)
  if (journal.baseUrl !== baseUrl)
    throw new UsageError(`--journal ${path}: it belongs to a run on ${journal.baseUrl}, not on ${baseUrl}`)
  if (journal.isUnderWay) throw new UsageError(`--journal ${path}: its run is under way; end it first`)
  return [journal]
}

/** One thing, and the result of its removal. */
interface Tried extends Removal {
  readonly thing: CreatedResource
}

/** The clean-up of what one journal speaks of. */
class JournalCleanup {
  readonly #journal: JournalContent
  readonly #target: ServiceTarget
  readonly #http: HttpClient
  readonly #controlHttp: HttpClient
  /** What stays, or may, one line each. */
  readonly #doubts: string[] = []

  constructor(
    journal: JournalContent,
    target: ServiceTarget,
    { http, controlHttp }: { readonly http: HttpClient; readonly controlHttp: HttpClient },
  ) {
    this.#journal = journal
    this.#target = target
    this.#http = http
    this.#controlHttp = controlHttp
  }

  /** Removes as much as possible and reports it; resolves to whether nothing known or possible is left. */
  async run(): Promise<boolean> {
    const { path, left, openIntents, isFull } = this.#journal
    const byId = await this.#removeAll(left)
    const search = new LeftoverSearch(this.#journal, orgApi(this.#target, this.#http))
    const found = await search.run()
    const byMark = await this.#removeAll(found)
    const all = [...byId, ...byMark]
    this.#doubtWhatStays(all)
    const isAsked = left.some(isOfOrg) || openIntents.some(isOfOrg)
    if (isAsked && !this.#seesOrg(all)) this.#doubtKey(all)
    this.#doubts.push(...search.gaps.map((gap) => `not found out: ${gap}`))
    this.#doubts.push(...search.candidates.map((candidate) => `left alone: ${candidateText(candidate)}`))
    if (openIntents.some(({ kind }) => kind === 'workspace'))
      this.#doubts.push(
        'not found out: whether a workspace was created whose id never arrived: the control interface cannot list them',
      )
    if (isFull)
      this.#doubts.push('not found out: the journal was full, so ids are missing; look on the target yourself')
    const count = (outcome: Removal['outcome']) => all.filter((removal) => removal.outcome === outcome).length
    print(
      `${path}: removed ${count('removed')} of ${all.length} (${byMark.length} found by the mark of the run)` +
        `; gone already: ${count('unknown') + count('over')}`,
    )
    for (const doubt of this.#doubts) printError(doubt)
    if (this.#doubts.length > 0)
      print(`Kept for another cleanup; remove it once nothing of it is left on the target: ${path}`)
    return this.#doubts.length === 0
  }

  #removeAll(things: readonly CreatedResource[]): Promise<Tried[]> {
    return Promise.all(things.map(async (thing) => ({ thing, ...(await this.#remove(thing)) })))
  }

  async #remove(thing: CreatedResource): Promise<Removal> {
    try {
      if (thing.kind !== 'workspace') return await removeResource(orgApi(this.#target, this.#http), thing)
      const { control } = this.#target
      if (control === undefined) return { outcome: 'stays', answer: 'needs --control-url' }
      const wasThere = await (await Control.connect(this.#controlHttp, control)).deleteWorkspace(thing.id)
      if (wasThere) return { outcome: 'removed', answer: 'dropped' }
      if (this.#journal.controlUrls.includes(control.url)) return { outcome: 'unknown', answer: 'answered 404' }
      return { outcome: 'stays', answer: `unknown at ${control.url}, which is not the control interface the run had` }
    } catch (error) {
      return { outcome: 'stays', answer: error instanceof Error ? error.message : String(error) }
    }
  }

  #doubtWhatStays(all: readonly Tried[]): void {
    for (const { thing, outcome, answer } of all)
      if (outcome === 'stays') this.#doubts.push(`not removed: ${thing.kind} ${thing.id} (${answer})`)
  }

  /** Returns whether the key is the run's, or found something of the run: only then does a 404 prove that a thing is gone. */
  #seesOrg(all: readonly Tried[]): boolean {
    const { apiKey } = this.#target
    if (apiKey === undefined) return false
    const isSame = this.#journal.keyMarks.some(({ mark, key }) => key === keyMark(apiKey, mark))
    return isSame || all.some(({ thing, outcome }) => isOfOrg(thing) && (outcome === 'removed' || outcome === 'over'))
  }

  #doubtKey(all: readonly Tried[]): void {
    const count = all.filter(({ thing, outcome }) => isOfOrg(thing) && outcome === 'unknown').length
    const what = count === 0 ? 'a list without the mark of the run' : `404 for ${count} things of the run`
    this.#doubts.push(
      `not found out: whether everything is gone: ${what} proves nothing with a key other than that of the run (--api-key)`,
    )
  }
}

function isOfOrg({ kind }: Pick<CreatedResource, 'kind'>): boolean {
  return kind !== 'workspace'
}

/** What may be of the run and bears no mark of any. */
function candidateText({ thing, name }: Listed): string {
  const where = thing.kind === 'webhook' ? 'on' : 'with the subject'
  return `${thing.kind} ${thing.id} ${where} ${JSON.stringify(name ?? null)} has no mark, and may belong to this run: remove it if you do not know it`
}
