import { closeSync, writeSync } from 'node:fs'
import { captureFormat, type TrafficLine } from '../../harness/observe/index.js'
import { tool } from '../cli/package.js'
import { openPrivate } from '../cli/private-file.js'

/** Characters that are written at once. */
const pieceLength = 64 * 1024
/** Time after which less than that is written too. */
const flushMs = 100

/**
 * A capture that is written as traffic passes. It writes at once and waits for the disk; waiting lines are counted in their queue.
 */
export class CaptureFile {
  readonly #descriptor: number
  #text = ''
  #timer: NodeJS.Timeout | undefined
  /** Why it could not be written. */
  failure: Error | undefined

  /** Throws the system's error where the file cannot be opened. */
  constructor(path: string) {
    this.#descriptor = openPrivate(path)
    this.#add({ capture: captureFormat, tool: tool(), started_at: new Date().toISOString() })
  }

  write(line: TrafficLine): void {
    this.#add(line)
  }

  close(): void {
    this.#add({ end: true, at: new Date().toISOString() })
    this.#flush()
    closeSync(this.#descriptor)
  }

  #add(line: object): void {
    this.#text += `${JSON.stringify(line)}\n`
    if (this.#text.length >= pieceLength) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.failure !== undefined) return
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at)
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error))
    }
  }
}
