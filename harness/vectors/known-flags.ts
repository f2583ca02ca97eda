import { createHash } from 'node:crypto'
import type { Vector } from './vector.js'

type Test = Vector & { readonly secret: string }

/**
 * The flags that tests of the kit's own have. A test that stands by itself, on a line, says no seed to make it again from; but its contents tell a
 * curated one, and its comment one that was made.
 */
export class KnownFlags {
  readonly #byContents = new Map<string, Set<string>>()
  readonly #byComment = new Map<string, Set<string>>()
  readonly #resultsByContents = new Map<string, Set<string>>()
  readonly #resultsByComment = new Map<string, Set<string>>()

  constructor(curated: Iterable<Test>, made: Iterable<Test>) {
    for (const test of curated) {
      note(this.#byContents, contentsOf(test), namesOf(test))
      note(this.#resultsByContents, contentsOf(test), test.result)
    }
    for (const test of made) {
      note(this.#byComment, commentOf(test), namesOf(test))
      note(this.#resultsByComment, test.comment, test.result)
    }
  }

  /** The result that such a test has in place of its own; undefined where it is right, or it is none of these. */
  resultInsteadOf(test: Test): string | undefined {
    const known = this.#resultsByContents.get(contentsOf(test)) ?? this.#resultsByComment.get(test.comment)
    return known === undefined || known.has(test.result) ? undefined : [...known].join(' or ')
  }

  /** The flags that such a test has in place of its own; undefined where they are right, or it is none of these. */
  insteadOf(test: Test): string | undefined {
    const known = this.#byContents.get(contentsOf(test)) ?? this.#byComment.get(commentOf(test))
    return known === undefined || known.has(namesOf(test)) ? undefined : [...known].join(' or ')
  }
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
