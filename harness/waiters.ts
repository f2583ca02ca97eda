/** Waits for conditions that change by themselves: each wait checks its condition again after {@link wake}. */
export class Waiters {
  readonly #looks = new Set<() => void>()

  /** Rechecks the conditions after a change. */
  wake(): void {
    for (const look of this.#looks) look()
  }

  /** Resolves to whether `condition` held within `withinMs`; at once to false when `isOver` returns true. */
  async until(condition: () => boolean, withinMs: number, isOver: () => boolean = () => false): Promise<boolean> {
    if (condition()) return true
    if (isOver()) return false
    return new Promise((resolve) => {
      const end = (held: boolean) => {
        clearTimeout(timer)
        this.#looks.delete(look)
        resolve(held)
      }
      const look = () => {
        if (condition()) end(true)
        else if (isOver()) end(false)
      }
      const timer = setTimeout(() => end(condition()), withinMs)
      this.#looks.add(look)
    })
  }
}
