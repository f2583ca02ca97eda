/** Those who wait for something that comes by itself: each looks again whenever {@link wake} is called. */
export class Waiters {
  readonly #looks = new Set<() => void>()

  /** Something has come. */
  wake(): void {
    for (const look of this.#looks) look()
  }

  /** Resolves to whether `condition` held within `withinMs`; at once to false where `isOver` says that nothing more comes. */
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
