import { createHash } from 'node:crypto'
import type { Vector } from './vector.js'

type Test = Vector & { readonly secret: string }

/**
 * The flags and results of the kit's own tests. A single test, on a line, has no seed to generate it again; but its contents identify a
 * curated one, and its comment a generated one.
 */
export class KnownFlags {
  readonly #curated = new Map<string, Known>()
  readonly #flagsMade = new Map<string, Set<string>>()
  readonly #resultsMade = new Map<string, Set<string>>()

  constructor(curated: Iterable<Test>, made: Iterable<Test>) {
    for (const test of curated) {
      const key = contentsOf(test)
      const reported = this.#curated.get(key) ?? { flags: new Set(), results: new Set() }
      reported.flags.add(namesOf(test))
      reported.results.add(test.result)
      this.#curated.set(key, reported)
    }
    for (const test of made) {
      note(this.#flagsMade, commentOf(test), namesOf(test))
      note(this.#resultsMade, test.comment, test.result)
    }
  }

  /** Returns the flags and the result that such a test should have; each undefined if it is correct, or for an unknown test. */
  instead(test: Test): { readonly flags: string | undefined; readonly result: string | undefined } {
    const reported = this.#curated.get(contentsOf(test))
    return {
      flags: otherThan(namesOf(test), reported?.flags ?? this.#flagsMade.get(commentOf(test))),
      result: otherThan(test.result, reported?.results ?? this.#resultsMade.get(test.comment)),
    }
  }
}

/** What the tests of the same contents have. */
interface Known {
  readonly flags: Set<string>
  readonly results: Set<string>
}

function otherThan(own: string, known: ReadonlySet<string> | undefined): string | undefined {
  return known === undefined || known.has(own) ? undefined : [...known].join(' or ')
}

function note(map: Map<string, Set<string>>, key: string, text: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(text))
}

function namesOf({ flags }: Pick<Vector, 'flags'>): string {
  return flags.toSorted().join(', ')
}

/** All that a verifier is given, but for the names of the headers: those of another family are the same test. */
function contentsOf({ secret, headers, payload_base64, now }: Test): string {
  const given = JSON.stringify([secret, Object.values(headers), payload_base64, now])
  return createHash('sha256').update(given).digest('base64')
}

function commentOf({ comment, result }: Vector): string {
  return `${result}: ${comment}`
}
