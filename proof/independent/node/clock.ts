// The clock of a workspace: real time plus an offset, and the tasks due at times of this clock.

interface Task {
  readonly dueAt: number
  readonly run: () => void
}

/** An attempt that waits for its answer. */
export interface Flight {
  readonly startedAt: number
  readonly startedReal: number
  readonly ended: Promise<void>
  readonly timeOut: () => void
}

/** Real time that an attempt gets for its answer while the clock is moved, in milliseconds. */
const graceMs = 500
const answerMs = 10_000
const longestTimerMs = 2_000_000_000

export class WorkspaceClock {
  #offset = 0
  #standsAt: number | undefined
  #tasks: Task[] = []
  readonly #flights = new Set<Flight>()
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #isStopped = false

  now(): number {
    return this.#standsAt ?? Date.now() + this.#offset
  }

  /** Runs a task at a time of this clock; returns a function that cancels it. */
  at(dueAt: number, run: () => void): () => void {
    const task = { dueAt, run }
    this.#tasks.push(task)
    this.#arm()
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task)
    }
  }

  /** Watches an attempt until it ends: ten seconds of this clock at most. */
  watch(flight: Flight): void {
    this.#flights.add(flight)
    const timer = setTimeout(() => flight.timeOut(), answerMs)
    void flight.ended.then(() => {
      clearTimeout(timer)
      this.#flights.delete(flight)
    })
  }

  /** Moves the clock forward; resolves to the new time once every attempt due by then has ended. */
  advance(ms: number): Promise<number> {
    const done = this.#turn.then(() => this.#move(ms))
    this.#turn = done.catch(() => {})
    return done
  }

  stop(): void {
    this.#isStopped = true
    this.#tasks = []
    clearTimeout(this.#timer)
    for (const flight of this.#flights) flight.timeOut()
  }

  async #move(ms: number): Promise<number> {
    const target = this.now() + ms
    this.#standsAt = this.now()
    clearTimeout(this.#timer)
    for (;;) {
      this.#runDue(this.#standsAt)
      await this.#giveGrace()
      const overdue = [...this.#flights].sort((one, other) => one.startedAt - other.startedAt)[0]
      const timeOutAt = overdue === undefined ? Number.POSITIVE_INFINITY : overdue.startedAt + answerMs
      const next = Math.min(timeOutAt, ...this.#tasks.map((task) => task.dueAt))
      if (next > target || this.#isStopped) break
      this.#standsAt = Math.max(this.#standsAt, next)
      if (overdue !== undefined && timeOutAt === next) {
        overdue.timeOut()
        await overdue.ended
      }
    }
    this.#standsAt = undefined
    // The clock pauses while it is moved: the real time of the move has not passed for the workspace.
    this.#offset = target - Date.now()
    this.#arm()
    while ([...this.#flights].some((flight) => flight.startedAt <= target))
      await Promise.race([...this.#flights].map((flight) => flight.ended))
    return this.now()
  }

  /** Until every attempt under way has ended, or has had its grace. */
  async #giveGrace(): Promise<void> {
    while (this.#flights.size > 0) {
      const youngest = Math.max(...[...this.#flights].map((flight) => flight.startedReal))
      const left = youngest + graceMs - Date.now()
      if (left <= 0) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        void Promise.all([...this.#flights].map((flight) => flight.ended)).then(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  #runDue(time: number): void {
    const due = this.#tasks.filter((task) => task.dueAt <= time).sort((one, other) => one.dueAt - other.dueAt)
    this.#tasks = this.#tasks.filter((task) => task.dueAt > time)
    for (const task of due) task.run()
  }

  #arm(): void {
    if (this.#standsAt !== undefined || this.#isStopped) return
    clearTimeout(this.#timer)
    if (this.#tasks.length === 0) return
    const next = Math.min(...this.#tasks.map((task) => task.dueAt))
    this.#timer = setTimeout(
      () => {
        this.#runDue(this.now())
        this.#arm()
      },
      Math.min(Math.max(0, next - this.now()), longestTimerMs),
    )
  }
}
