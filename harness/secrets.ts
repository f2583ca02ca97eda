/** Shorter values are not searched for: they would redact ordinary words. */
const shortest = 6

/** Knows every secret of a run, and takes them out of whatever is about to be kept or printed. */
export class Secrets {
  readonly #values = new Set<string>()
  /** The values by their first characters, longest first: a text is gone through once, however many secrets a run has. */
  readonly #byStart = new Map<string, string[]>()

  /** Registers a secret value, and its URL-encoded and base64 forms. */
  add(value: string | undefined): void {
    if (value === undefined || value.length < shortest || this.#values.has(value)) return
    this.#know(value)
    const bare = value.startsWith('whsec_') ? value.slice('whsec_'.length) : undefined
    if (bare !== undefined && bare.length >= shortest) this.#know(bare)
    this.#know(encodeURIComponent(value))
    this.#know(JSON.stringify(value).slice(1, -1))
    this.#know(Buffer.from(value).toString('base64').replace(/=+$/, ''))
  }

  #know(value: string): void {
    if (this.#values.has(value)) return
    this.#values.add(value)
    const start = value.slice(0, shortest)
    const others = this.#byStart.get(start) ?? []
    this.#byStart.set(
      start,
      [...others, value].sort((a, b) => b.length - a.length),
    )
  }

  /** `text` with every known secret, and anything shaped like a webhook secret or a bearer credential, replaced. */
  redact(text: string): string {
    return this.#withoutValues(text)
      .replace(/whsec_[A-Za-z0-9+/=_-]+/g, 'whsec_[redacted]')
      .replace(/(bearer\s+)(?!\[redacted\])[^\s"',;]+/gi, '$1[redacted]')
  }

  /** Values that overlap are taken out together, so that no part of one is left. */
  #withoutValues(text: string): string {
    let clean = ''
    let kept = 0
    let secretEnd = 0
    for (let at = 0; at + shortest <= text.length; at++) {
      const found = this.#byStart.get(text.slice(at, at + shortest))?.find((value) => text.startsWith(value, at))
      if (found === undefined) continue
      if (at >= secretEnd) clean += `${text.slice(kept, at)}[redacted]`
      secretEnd = Math.max(secretEnd, at + found.length)
      kept = secretEnd
    }
    return kept === 0 ? text : clean + text.slice(kept)
  }

  /** The same value with every string in it redacted. */
  redactDeep<T>(value: T): T {
    return this.#walk(value, new WeakSet()) as T
  }

  #walk(value: unknown, seen: WeakSet<object>): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (typeof value !== 'object' || value === null) return value
    if (seen.has(value)) return '[circular]'
    seen.add(value)
    if (Array.isArray(value)) return value.map((each) => this.#walk(each, seen))
    if (value instanceof Uint8Array) return `${value.length} bytes`
    const entries = Object.entries(value).map(([key, each]) => [this.redact(key), this.#walk(each, seen)])
    return Object.fromEntries(entries)
  }
}
