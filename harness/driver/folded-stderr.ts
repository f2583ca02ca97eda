/** Lines and characters of standard error that are shown of all drivers of a run. */
const limits = { lines: 200, characters: 256 * 1024 } as const

/** Shows what drivers write to standard error: of lines that differ in numbers alone the first, and how many were folded. */
export class FoldedStderr {
  readonly #show: (line: string) => void
  readonly #seen = new Set<string>()
  #characters = 0
  #folded = 0
  #nextCount = 10

  constructor(show: (line: string) => void = () => {}) {
    this.#show = show
  }

  add(line: string): void {
    if (line.trim() === '') return
    const shape = line.replace(/[0-9a-f]*\d[0-9a-f]*/gi, '0')
    if (this.#seen.has(shape) || this.#seen.size >= limits.lines || this.#characters > limits.characters) {
      this.#fold()
      return
    }
    this.#seen.add(shape)
    this.#characters += line.length
    this.#show(line)
  }

  #fold(): void {
    this.#folded++
    if (this.#folded < this.#nextCount) return
    this.#show(`(${this.#folded} lines of standard error folded: they repeat lines above)`)
    this.#nextCount *= 10
  }
}
