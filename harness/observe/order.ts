// The interface does not show how ids compare after their prefix, so the lists must show it: a comparison that agrees with every pair
// seen so far is used as that of the service. If none agrees, the order is not checked.

interface Comparator {
  readonly compare: (a: string, b: string) => number
  agreed: number
  isWrong: boolean
}

/** Pairs that must have agreed before a comparison counts. */
const fewest = 2

/** How the ids of one org follow each other, as far as the lists have shown. */
export class IdOrder {
  readonly #comparators: readonly Comparator[] = [plain, shortFirst, natural].map((compare) => ({
    compare,
    agreed: 0,
    isWrong: false,
  }))

  /** Learns that `a` was before `b`, and not newer. */
  learn(a: string, b: string): void {
    for (const comparator of this.#comparators) {
      if (comparator.isWrong) continue
      if (comparator.compare(a, b) < 0) comparator.agreed++
      else comparator.isWrong = true
    }
  }

  /** Returns a number below 0 if `a` is before `b` in every comparison that agreed so far; undefined if they differ. */
  compare(a: string, b: string): number | undefined {
    if (a === b) return 0
    let sign: number | undefined
    for (const { compare, agreed, isWrong } of this.#comparators) {
      if (isWrong || agreed < fewest) continue
      const own = Math.sign(compare(a, b))
      if (sign !== undefined && own !== sign) return undefined
      sign = own
    }
    return sign
  }

  /** Whether `a` is after `b` in every comparison. */
  isSurelyAfter(a: string, b: string): boolean {
    return this.#comparators.every(({ compare }) => compare(a, b) > 0)
  }
}

function plain(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function shortFirst(a: string, b: string): number {
  return a.length - b.length || plain(a, b)
}

function natural(a: string, b: string): number {
  const [one, other] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []]
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const [x = '', y = ''] = [one[index], other[index]]
    if (x === y) continue
    const areNumbers = /^\d/.test(x) && /^\d/.test(y)
    const [p, q] = [x.replace(/^0+(?=\d)/, ''), y.replace(/^0+(?=\d)/, '')]
    const difference = areNumbers ? shortFirst(p, q) : plain(x, y)
    if (difference !== 0) return difference
  }
  return one.length - other.length || plain(a, b)
}
