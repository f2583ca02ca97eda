/** Ids that were seen, as runs of consecutive numbers: those of a file that counts its tests are one, however many there are. */
export class SeenIds {
  /** First and last number of each run, in order. */
  readonly #runs: [first: number, last: number][] = []

  /** Notes an id; false where it was seen before. */
  add(id: number): boolean {
    const at = this.#firstEndingFrom(id - 1)
    const run = this.#runs[at]
    if (run === undefined || run[0] > id + 1) {
      this.#runs.splice(at, 0, [id, id])
      return true
    }
    if (run[0] <= id && id <= run[1]) return false
    const next = this.#runs[at + 1]
    if (run[1] + 1 === id) {
      if (next?.[0] === id) return false
      run[1] = id
      if (next?.[0] === id + 1) this.#runs.splice(at, 2, [run[0], next[1]])
    } else run[0] = id
    return true
  }

  /** The index of the first run whose last number is not below `number`. */
  #firstEndingFrom(number: number): number {
    let [low, high] = [0, this.#runs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#runs[middle]?.[1] ?? 0) < number) low = middle + 1
      else high = middle
    }
    return low
  }
}
