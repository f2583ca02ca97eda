import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isUsableId, runMarkForm, type CreatedResource, type Intent } from '../../harness/service-calls.js'
import { asText, memberOf, parseJson, unreadable } from '../../harness/parsing.js'
import { UsageError } from '../cli/usage.js'
import { isOwn, journalFolders } from './journal-folder.js'
import { isAlive, type ProcessIdentity } from './process-identity.js'

/** Largest journal that is written; a larger one is not read. */
export const maxJournalBytes = 8 * 1024 * 1024

/** The journal of one run, or of several that went on from each other, as read from its file. */
export interface JournalContent {
  readonly path: string
  readonly baseUrl: string
  /** Marks of the runs, by which what they made is found without an id. */
  readonly marks: readonly string[]
  /** Identifies the API key of each of these runs; see `keyMark`. */
  readonly keyMarks: readonly { readonly mark: string; readonly key: string }[]
  /** Control interfaces of these runs. */
  readonly controlUrls: readonly string[]
  /** When it was last written, in milliseconds since the epoch. */
  readonly wroteAt: number
  readonly isUnderWay: boolean
  /** Things that were made and not removed. */
  readonly left: readonly CreatedResource[]
  /** Whether the runs made emails, removed or not. */
  readonly hasEmails: boolean
  /** Requests that were never answered. */
  readonly openIntents: readonly Intent[]
  /** Lines that were written after the file was full are missing. */
  readonly isFull: boolean
}

/** A file that is not a journal, or is unreadable, and why. */
export interface UnreadJournal {
  readonly path: string
  readonly problem: string
}

/** The journals of the user's folders that speak of this target, and the files there that could not be read. */
export function findJournals(baseUrl: string): { journals: JournalContent[]; unread: UnreadJournal[] } {
  const journals: JournalContent[] = []
  const unread: UnreadJournal[] = []
  for (const path of journalFolders().flatMap(filesOf)) {
    try {
      const journal = readJournal(path)
      if (journal.baseUrl === baseUrl) journals.push(journal)
    } catch (error) {
      unread.push({ path, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return { journals, unread }
}

function filesOf(folder: string): string[] {
  try {
    const names = isOwn(folder) ? readdirSync(folder) : []
    return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** How much of what a journal speaks of is left on the target, and may be, in words; undefined where nothing is or may be. */
export function describeLeftovers(path: string): string | undefined {
  try {
    const { left, openIntents, isFull } = readJournal(path)
    const count = openIntents.length
    const perhaps = [
      ...(count === 0
        ? []
        : [
            count === 1
              ? 'what 1 request made whose answer was not read'
              : `what ${count} requests made whose answers were not read`,
          ]),
      ...(isFull ? ['what no longer fitted into the journal'] : []),
    ].join(' and ')
    if (perhaps === '') return left.length === 0 ? undefined : String(left.length)
    return `${left.length}, and perhaps ${perhaps}`
  } catch {
    return 'unknown'
  }
}

/** Reads a journal. Throws {@link UsageError} if the file is unreadable or not a journal. Skips unknown lines. */
export function readJournal(path: string): JournalContent {
  const { text, wroteAt } = readLimited(path)
  const state: State = {
    marks: [],
    keyMarks: [],
    controlUrls: [],
    left: new Map(),
    openIntents: new Map(),
    process: undefined,
    baseUrl: '',
    isFull: false,
    hasEmails: false,
  }
  // A damaged line, or one that a kill cut short, is skipped.
  for (const line of text.split('\n')) if (line !== '') take(state, parseJson(line))
  const { baseUrl, marks, keyMarks, controlUrls, process } = state
  const mark = marks.at(-1)
  if (baseUrl === '' || mark === undefined || process === undefined)
    throw new UsageError(
      `--journal ${path}: this is not the journal of a run; name the file that a run was given as --journal`,
    )
  return {
    path,
    baseUrl,
    marks,
    keyMarks,
    controlUrls,
    wroteAt,
    isUnderWay: isAlive(process, wroteAt),
    left: [...state.left.values()],
    hasEmails: state.hasEmails,
    openIntents: [...state.openIntents.values()],
    isFull: state.isFull,
  }
}

function readLimited(path: string): { text: string; wroteAt: number } {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) throw new UsageError(`--journal ${path}: this is not a file; name one`)
    if (stat.size > maxJournalBytes * 2) throw new UsageError(`--journal ${path}: this is too large for a journal`)
    return { text: readFileSync(path, 'utf8'), wroteAt: stat.mtimeMs }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--journal ${path}: ${unreadable(path, error)}`)
  }
}

interface State {
  baseUrl: string
  readonly marks: string[]
  readonly keyMarks: { readonly mark: string; readonly key: string }[]
  readonly controlUrls: string[]
  process: ProcessIdentity | undefined
  readonly left: Map<string, CreatedResource>
  /** By the mark of their run and their number in it. */
  readonly openIntents: Map<string, Intent>
  isFull: boolean
  hasEmails: boolean
}

function take(state: State, entry: unknown): void {
  if (memberOf(entry, 'journal') === 2) return takeHead(state, entry)
  const mark = state.marks.at(-1) ?? ''
  const made = belongingOf(memberOf(entry, 'made'))
  const removed = belongingOf(memberOf(entry, 'removed'))
  const intent = intentOf(entry)
  if (made !== undefined) state.left.set(`${made.kind} ${made.id}`, made)
  if (made?.kind === 'email') state.hasEmails = true
  if (removed !== undefined) state.left.delete(`${removed.kind} ${removed.id}`)
  if (intent !== undefined) state.openIntents.set(`${mark} ${asText(memberOf(entry, 'intends'))}`, intent)
  const settled = memberOf(entry, 'refused') ?? (made === undefined ? undefined : memberOf(entry, 'intent'))
  if (settled !== undefined) state.openIntents.delete(`${mark} ${asText(settled)}`)
  if (memberOf(entry, 'searched') === true)
    for (const [key, { isMarked }] of state.openIntents)
      if (isMarked && key.startsWith(`${mark} `)) state.openIntents.delete(key)
  if (memberOf(entry, 'full') === true) state.isFull = true
}

function takeHead(state: State, entry: unknown): void {
  const [baseUrl, mark, process] = ['base_url', 'mark', 'process'].map((name) => memberOf(entry, name))
  const pid = memberOf(process, 'pid')
  const place = memberOf(process, 'place')
  const started = memberOf(process, 'started')
  if (typeof baseUrl !== 'string' || typeof mark !== 'string' || !runMarkForm.test(mark)) return
  if (typeof pid !== 'number' || typeof place !== 'string') return
  state.baseUrl = baseUrl
  state.marks.push(mark)
  const [key, controlUrl] = [memberOf(entry, 'key'), memberOf(entry, 'control_url')]
  if (typeof key === 'string') state.keyMarks.push({ mark, key })
  if (typeof controlUrl === 'string') state.controlUrls.push(controlUrl)
  state.process = { pid, place, started: typeof started === 'number' ? started : undefined }
}

function belongingOf(value: unknown): CreatedResource | undefined {
  const [kind, id] = [memberOf(value, 'kind'), memberOf(value, 'id')]
  return isKind(kind) && isUsableId(id) ? { kind, id } : undefined
}

function intentOf(entry: unknown): Intent | undefined {
  const [kind, name] = [memberOf(entry, 'kind'), memberOf(entry, 'name')]
  if (typeof memberOf(entry, 'intends') !== 'number' || !isKind(kind)) return undefined
  const isMarked = memberOf(entry, 'isMarked') === true
  return { kind, isMarked, ...(typeof name === 'string' ? { name } : {}) }
}

function isKind(value: unknown): value is CreatedResource['kind'] {
  return value === 'webhook' || value === 'email' || value === 'workspace'
}
