/** Shorter values are not searched for: they would redact ordinary words. */
const shortest = 6

/** Knows every secret of a run, and takes them out of whatever is about to be kept or printed. */
export class Secrets {
  readonly #values = new Set<string>()
  #ordered: string[] | undefined

  /** Registers a secret value, and its URL-encoded and base64 forms. */
  add(value: string | undefined): void {
    if (value === undefined || value.length < shortest || this.#values.has(value)) return
    this.#values.add(value)
    const bare = value.startsWith('whsec_') ? value.slice('whsec_'.length) : undefined
    if (bare !== undefined && bare.length >= shortest) this.#values.add(bare)
    this.#values.add(encodeURIComponent(value))
    this.#values.add(JSON.stringify(value).slice(1, -1))
    this.#values.add(Buffer.from(value).toString('base64').replace(/=+$/, ''))
    this.#ordered = undefined
  }

  /** `text` with every known secret, and anything shaped like a webhook secret or a bearer credential, replaced. */
  redact(text: string): string {
    this.#ordered ??= [...this.#values].sort((a, b) => b.length - a.length)
    let clean = text
    for (const value of this.#ordered) if (clean.includes(value)) clean = clean.replaceAll(value, '[redacted]')
    return clean
      .replace(/whsec_[A-Za-z0-9+/=_-]+/g, 'whsec_[redacted]')
      .replace(/(bearer\s+)(?!\[redacted\])[^\s"',;]+/gi, '$1[redacted]')
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
