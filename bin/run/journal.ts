import { createHmac } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { runMark, type CreatedResource, type Intent, type Journal } from '../../harness/service-calls.js'
import type { ServiceTarget } from '../../harness/service/index.js'
import { printError } from '../cli/output.js'
import { writePrivate } from '../cli/private-file.js'
import { quoted } from '../cli/command-line.js'
import { systemReason } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import { makeJournalFolder } from './journal-folder.js'
import { describeLeftovers, maxJournalBytes, readJournal } from './read-journal.js'
import { beatEveryMs, ownIdentity } from './process-identity.js'

export interface JournalFile extends Journal {
  /** Removes the file if nothing is left on the target; else prints how to remove it. */
  end(): void
}

/** Identifies an API key without revealing it: eight digits of a keyed hash. */
export function keyMark(apiKey: string, mark: string): string {
  return createHmac('sha256', apiKey).update(mark).digest('hex').slice(0, 8)
}

/**
 * Opens a journal that is written line by line, each before its request, so that a kill loses nothing. It contains ids, URLs and subjects,
 * and no secret. Undefined if no file was named and none can be made: a run continues without. Things made with the second key have a
 * journal next to the first, since each is cleaned up with its own key.
 */
export function openJournal(
  path: string | undefined,
  target: Pick<ServiceTarget, 'baseUrl' | 'apiKey' | 'control'>,
  { isSecond = false }: { readonly isSecond?: boolean } = {},
): JournalFile | undefined {
  const folder = path === undefined ? makeJournalFolder() : ''
  if (folder === undefined) {
    if (isSecond) return undefined
    printError(
      'no folder can be made for the journal of this run, so nothing could be cleaned up after a kill: name a file with --journal <file>',
    )
    return undefined
  }
  const second = isSecond ? '-second' : ''
  const file = path === undefined ? unusedFile(folder, second) : `${path}${second}`
  const writer = new Writer(file)
  const { baseUrl, apiKey, control } = target
  writer.begin({
    journal: 2,
    base_url: baseUrl,
    mark: runMark,
    process: ownIdentity(),
    began_at: Date.now(),
    ...(apiKey === undefined ? {} : { key: keyMark(apiKey, runMark) }),
    ...(control === undefined ? {} : { control_url: control.url }),
  })
  const beat = setInterval(() => writer.touch(), beatEveryMs).unref()
  const openIntents = new Map<number, Intent>()
  let count = 0
  let isOpen = true
  const end = () => {
    if (!isOpen) return
    isOpen = false
    process.off('exit', end)
    clearInterval(beat)
    const left = describeLeftovers(file)
    if (left === undefined) rmSync(file, { force: true })
    else
      printError(
        `left on the target: ${left}; conformance cleanup --journal ${quoted(file)}${isSecond ? ', with the second key as --api-key' : ''}`,
      )
  }
  process.once('exit', end)
  return {
    intends: (intent) => {
      openIntents.set(++count, intent)
      writer.write({ intends: count, ...intent })
      return count
    },
    refused: (intent) => {
      if (openIntents.delete(intent)) writer.write({ refused: intent })
    },
    made: (thing, intent) => {
      if (intent !== undefined) openIntents.delete(intent)
      writer.write({ made: lineOf(thing), ...(intent === undefined ? {} : { intent }) })
    },
    removed: (thing) => writer.write({ removed: lineOf(thing) }),
    get openIntents() {
      return [...openIntents.values()]
    },
    searched: () => {
      for (const [number, { isMarked }] of openIntents) if (isMarked) openIntents.delete(number)
      writer.write({ searched: true })
    },
    end,
  }
}

/** A new name in the folder; runs that begin in the same millisecond of one process have different ones. */
function unusedFile(folder: string, suffix: string): string {
  const name = `${Date.now()}-${runMark}`
  for (let count = 0; ; count++) {
    const file = join(folder, `${name}${count === 0 ? '' : `-${count}`}${suffix}.jsonl`)
    if (!existsSync(file)) return file
  }
}

function lineOf({ kind, id }: CreatedResource): CreatedResource {
  return { kind, id }
}

/** Appends lines to a file of a limited size; a line is on its way to the disk when {@link write} returns. */
class Writer {
  readonly #file: string
  #size = 0

  constructor(file: string) {
    this.#file = file
  }

  /** The first line of this process. A new file gets its name only when it has that line, so that no empty one is ever found. */
  begin(line: object): void {
    const text = `${JSON.stringify(line)}\n`
    this.#try(() => {
      if (existsSync(this.#file)) {
        if (readJournal(this.#file).isUnderWay)
          throw new UsageError(`--journal ${this.#file}: another run is writing it; name one file for each run`)
        // The earlier text may end in half a line.
        writePrivate(this.#file, `\n${text}`, { append: true })
        this.#size = statSync(this.#file).size
        return
      }
      const draft = `${this.#file}.${runMark}.tmp`
      const descriptor = openSync(draft, 'wx', 0o600)
      writeSync(descriptor, text)
      closeSync(descriptor)
      renameSync(draft, this.#file)
      this.#size = text.length
    })
  }

  write(line: object): void {
    if (this.#size > maxJournalBytes) return
    const text = `${JSON.stringify(line)}\n`
    this.#size += text.length
    this.#try(() =>
      appendFileSync(this.#file, this.#size > maxJournalBytes ? '{"full":true}\n' : text, { mode: 0o600 }),
    )
  }

  /** Shows other processes that this one is still there. */
  touch(): void {
    try {
      utimesSync(this.#file, new Date(), new Date())
    } catch {
      // A file that a user removed must not end a run.
    }
  }

  #try(action: () => void): void {
    try {
      action()
    } catch (error) {
      if (error instanceof UsageError) throw error
      throw new UsageError(`--journal ${this.#file}: cannot be written (${systemReason(error)})`)
    }
  }
}
