import type { Case, CaseResult, Report, RequirementResult } from '../../harness/index.js'
import { suiteOf } from '../../harness/parsing.js'
import { historyOf, pageResult, type RecordedRun, type Reporter } from '../../harness/reporters/index.js'
import type { PlannedCase, RunNews, RunPhase, RunSnapshot } from '../../pages/data.js'

/** Characters that the exchanges of one case may take on the page. */
const roomOfCase = 1_000_000

/** The state for the page of a run: kept here, and sent to each follower. */
export class RunState {
  readonly #cases: readonly PlannedCase[]
  readonly #results = new Map<string, CaseResult>()
  readonly #left = new Map<string, number>()
  readonly #waiting = new Set<string>()
  readonly #running = new Set<string>()
  readonly #unconfirmed = new Map<string, CaseResult>()
  readonly #followers = new Set<(news: RunNews) => void>()
  #subject: RunSnapshot['subject']
  #phase: RunPhase = 'connecting'
  #seed: number
  #selected = 0
  #requirements: readonly RequirementResult[]
  #report: Report | undefined
  readonly #earlier: readonly RecordedRun[]

  constructor(options: {
    readonly cases: readonly Pick<Case, 'id' | 'title' | 'level' | 'requirements'>[]
    readonly subject: RunSnapshot['subject']
    readonly seed: number
    readonly requirements: readonly RequirementResult[]
    /** Known runs on the target, the newest first. */
    readonly earlier?: readonly RecordedRun[]
  }) {
    this.#cases = options.cases.map(({ id, title, level, requirements }) => ({
      id,
      suite: suiteOf(id),
      title,
      level,
      requirements,
    }))
    this.#subject = options.subject
    this.#seed = options.seed
    this.#requirements = options.requirements
    this.#earlier = options.earlier ?? []
  }

  get isRunning(): boolean {
    return this.#phase === 'connecting' || this.#phase === 'running'
  }

  /** Cases that failed or errored in their last run. */
  get failed(): readonly string[] {
    return [...this.#results.values()]
      .filter((result) => result.status === 'failed' || result.status === 'errored')
      .map((result) => result.id)
  }

  knows(id: string): boolean {
    return this.#cases.some((testCase) => testCase.id === id)
  }

  /** The last report, if a round has ended. */
  get report(): Report | undefined {
    return this.#report
  }

  /** A round begins, of these cases. */
  begin(ids: readonly string[] | undefined): void {
    const selected = ids ?? this.#cases.map((testCase) => testCase.id)
    this.#phase = 'connecting'
    this.#selected = selected.length
    this.#waiting.clear()
    this.#running.clear()
    this.#unconfirmed.clear()
    for (const id of selected) {
      this.#waiting.add(id)
      this.#results.delete(id)
    }
    this.#notifyAll()
  }

  /** Returns a reporter that records a round. `isStopped` returns whether the user ended it. */
  reporter(isStopped: () => boolean): Reporter {
    return {
      onRunStart: ({ subject }) => {
        this.#subject = subject
        this.#phase = 'running'
        this.#notifyAll()
      },
      onCaseStart: (id) => {
        this.#waiting.delete(id)
        this.#running.add(id)
        this.#notify({ kind: 'started', id })
      },
      onCaseHeld: (result) => {
        this.#running.delete(result.id)
        const { result: cut, left } = pageResult(result, roomOfCase)
        this.#unconfirmed.set(result.id, cut)
        this.#left.set(result.id, left)
        this.#notify({ kind: 'unconfirmed', result: cut, left })
      },
      onCaseEnd: (result) => {
        this.#waiting.delete(result.id)
        this.#running.delete(result.id)
        this.#unconfirmed.delete(result.id)
        this.#notify({ kind: 'ended', ...this.#keep(result) })
      },
      onRunEnd: (report) => {
        const isCut = this.#waiting.size + this.#running.size + this.#unconfirmed.size > 0
        for (const result of report.cases) this.#keep(result)
        this.#report = report
        this.#seed = report.seed
        this.#subject = report.subject
        this.#requirements = report.requirements
        this.#phase = isStopped() ? 'stopped' : isCut && report.note !== undefined ? 'lost' : 'done'
        this.#waiting.clear()
        this.#running.clear()
        this.#unconfirmed.clear()
        this.#notifyAll()
      },
    }
  }

  /** Sends a follower the present state, and then each change, until the returned function is called. */
  follow(follower: (news: RunNews) => void): () => void {
    this.#followers.add(follower)
    follower({ kind: 'snapshot', snapshot: this.#snapshot() })
    return () => void this.#followers.delete(follower)
  }

  #keep(result: CaseResult): { readonly result: CaseResult; readonly left: number } {
    const { result: cut, left } = pageResult(result, roomOfCase)
    this.#results.set(result.id, cut)
    this.#left.set(result.id, left)
    return { result: cut, left }
  }

  #snapshot(): RunSnapshot {
    const report = this.#report
    const history = report === undefined ? undefined : historyOf(report, this.#earlier)
    return {
      subject: this.#subject,
      seed: this.#seed,
      phase: this.#phase,
      selected: this.#selected,
      ended: this.#selected - this.#waiting.size - this.#running.size - this.#unconfirmed.size,
      cases: this.#cases,
      waiting: [...this.#waiting],
      running: [...this.#running],
      unconfirmed: [...this.#unconfirmed.values()],
      results: [...this.#results.values()],
      left: Object.fromEntries([...this.#left].filter(([, count]) => count > 0)),
      requirements: this.#requirements,
      ...(report === undefined ? {} : { report: { ...report, cases: [], requirements: [] } }),
      ...(history === undefined ? {} : { history }),
    }
  }

  #notifyAll(): void {
    this.#notify({ kind: 'snapshot', snapshot: this.#snapshot() })
  }

  #notify(news: RunNews): void {
    for (const follower of this.#followers) follower(news)
  }
}
