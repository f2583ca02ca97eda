/** A small seeded generator (mulberry32): the same numbers on every machine, which Math.random does not promise. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    return this.next() % count
  }

  /** A number from 0 to 1, 1 left out. */
  fraction(): number {
    return this.next() / 4_294_967_296
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    for (let index = 0; index < length; index++) bytes[index] = this.next() >>> 24
    return bytes
  }
}
