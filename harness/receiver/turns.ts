/** Deliveries that an endpoint refused because of others, before each case waits for its turn. */
const enough = 3

/** The deliveries under way. Once an endpoint accepts only some at once, the cases send in turns; a case may still send several at once. */
export class Turns {
  #underWay = 0
  #refused = 0
  #owner: object | undefined
  readonly #waiting: (() => void)[] = []
  readonly #refusedOf = new WeakSet()

  get underWay(): number {
    return this.#underWay
  }

  /** Resolves when the case `owner` may send; to whether others were under way then. {@link end} must follow. */
  async begin(owner: object): Promise<boolean> {
    while (this.#refused >= enough && this.#underWay > 0 && this.#owner !== owner)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#owner = owner
    return this.#underWay++ > 0
  }

  /** Whether a delivery of the case was refused because of others. */
  wasRefused(owner: object): boolean {
    return this.#refusedOf.has(owner)
  }

  /** Ends a delivery; `isRefused` if the endpoint refused it because of others. */
  end(owner: object, isRefused = false): void {
    if (isRefused) {
      this.#refused++
      this.#refusedOf.add(owner)
    }
    this.#underWay--
    if (this.#underWay > 0) return
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
