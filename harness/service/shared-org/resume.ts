import type { CaseResult } from '../../result.js'
import type { AttemptRecord } from '../../sink/attempt.js'
import type { RaisedEvent } from '../raise.js'
import type { ObservationsRecord } from '../watch.js'

/** A webhook that is watched for longer than one run may live. */
export interface WatchedWebhook {
  readonly path: string
  readonly id: string
  readonly secret: string
  readonly attempts: AttemptRecord[]
}

/** What one case that waits for long has made and seen. */
export interface WatchRecord {
  readonly webhooks: WatchedWebhook[]
  readonly events: RaisedEvent[]
}

/** Everything a run keeps so that it can be resumed; plain data. */
export interface CheckpointRecord {
  readonly results: Record<string, CaseResult>
  readonly watches: Record<string, WatchRecord>
  observations: ObservationsRecord
  /** Times without a listening sink, in milliseconds since the epoch. */
  readonly absences: { readonly from: number; readonly to: number }[]
  /** Port of the sink, which must be the same again. */
  sinkPort: number | undefined
}

/** A record of nothing yet. */
export function emptyCheckpoint(): CheckpointRecord {
  return { results: {}, watches: {}, observations: { counts: {}, sightings: [] }, absences: [], sinkPort: undefined }
}

/** What a run remembers over a stop. `save` is called after each change that must outlive the process. */
export class Checkpoint {
  readonly record: CheckpointRecord
  readonly #resumable: ReadonlySet<string>
  readonly #save: () => void
  #isInterrupted = false

  constructor(options: { record: CheckpointRecord; resumable: ReadonlySet<string>; save: () => void }) {
    this.record = options.record
    this.#resumable = options.resumable
    this.#save = options.save
  }

  save(): void {
    this.#save()
  }

  /** From here on nothing that is watched is taken down: the run will be resumed. */
  interrupt(): void {
    this.#isInterrupted = true
    this.#save()
  }

  /** Returns the result of a case that was finished before; undefined for one that must run. */
  finished(caseId: string): CaseResult | undefined {
    return this.record.results[caseId]
  }

  /** Keeps the result of a case; skipped and errored ones run again after a stop. */
  keep(result: CaseResult): void {
    if (this.#isInterrupted) return
    delete this.record.watches[result.id]
    if (result.status === 'passed' || result.status === 'failed') this.record.results[result.id] = result
    this.#save()
  }

  /** Whether a webhook must outlive this process: it is watched again after the stop. */
  isKept(webhookId: string): boolean {
    if (!this.#isInterrupted) return false
    return Object.values(this.record.watches).some(({ webhooks }) => webhooks.some(({ id }) => id === webhookId))
  }

  /** The webhooks a case had before the stop. */
  webhooksOf(caseId: string): readonly string[] {
    return this.record.watches[caseId]?.webhooks.map(({ id }) => id) ?? []
  }

  /** What a case made and saw before the stop, to be gone through again in the same order; undefined for a short case. */
  watch(caseId: string): CaseCheckpoint | undefined {
    if (!this.#resumable.has(caseId)) return undefined
    const record = (this.record.watches[caseId] ??= { webhooks: [], events: [] })
    return new CaseCheckpoint(record, this)
  }
}

/** The checkpoint of one case. A resumed case runs again from its start; what it made and saw is handed to it again. */
export class CaseCheckpoint {
  readonly #record: WatchRecord
  readonly #checkpoint: Checkpoint
  #webhooks = 0
  #events = 0

  constructor(record: WatchRecord, checkpoint: Checkpoint) {
    this.#record = record
    this.#checkpoint = checkpoint
  }

  /** The events of the case so far. */
  get events(): readonly RaisedEvent[] {
    return this.#record.events
  }

  /** The next webhook of the case: the one it had before, or the one `make` makes. */
  async createWebhook(make: () => Promise<WatchedWebhook>): Promise<WatchedWebhook> {
    return (this.#record.webhooks[this.#webhooks++] ??= await this.#saved(make))
  }

  /** The next event of the case: the one it raised before, or the one `raise` raises. */
  async event(raise: () => Promise<RaisedEvent>): Promise<RaisedEvent> {
    return (this.#record.events[this.#events++] ??= await this.#saved(raise))
  }

  /** Keeps an attempt that reached a watched webhook. */
  seen(webhook: WatchedWebhook, attempt: AttemptRecord): void {
    webhook.attempts.push(attempt)
    this.#checkpoint.save()
  }

  /** Whether the run was not listening at some time from `from` to `to`, in milliseconds since the epoch. */
  wasAbsent(from: number, to: number): boolean {
    return this.#checkpoint.record.absences.some((absence) => absence.from <= to && absence.to >= from)
  }

  async #saved<T>(make: () => Promise<T>): Promise<T> {
    const made = await make()
    setImmediate(() => this.#checkpoint.save())
    return made
  }
}
