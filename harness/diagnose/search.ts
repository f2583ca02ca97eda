import type { BodyCandidate, ComposedBody } from './bodies.js'
import type { Candidate, Cause, Fault } from './finding.js'
import { withFrameworks } from './remedies.js'

/** Puts the parts of a message together as they are signed. */
export type Layout = (message: {
  readonly id: string
  readonly timestamp: string
  readonly body: Uint8Array
}) => readonly (string | Uint8Array)[]

/** Whether the request holds the signature of these parts; with the fault of its form, if it has one. */
export type Matcher = (
  key: Uint8Array,
  parts: readonly (string | Uint8Array)[],
) => { readonly fault?: Fault | undefined } | undefined

/** The dimensions of the search; the first value of each is the right one. */
export interface Space {
  readonly keys: readonly Candidate<Uint8Array>[]
  readonly layouts: readonly Candidate<Layout>[]
  readonly timestamps: readonly Candidate<string>[]
  readonly ids: readonly Candidate<string>[]
  readonly matchers: readonly Candidate<Matcher>[]
  /** Tried with nothing else changed. */
  readonly rareTimestamps: readonly Candidate<string>[]
  readonly body: Uint8Array
  /** The body first, then what it may have been. */
  readonly bodies: () => readonly BodyCandidate[]
  readonly composed: () => Iterable<ComposedBody>
  /** Tried with nothing else changed, one at a time: there may be thousands. */
  readonly rareBodies: () => Iterable<Candidate<Uint8Array>>
}

/** One value of each dimension. */
interface Attempt {
  readonly body: Candidate<Uint8Array> | ComposedBody
  readonly key: Candidate<Uint8Array>
  readonly layout: Candidate<Layout>
  readonly timestamp: Candidate<string>
  readonly id: Candidate<string>
  readonly matcher: Candidate<Matcher>
}

/** Fixed cost of a hash, in bytes of input. */
const bytesOfHash = 2_000

/** How hard a cause is looked for. */
export interface Budget {
  /** Bytes that may be hashed; with 0 the right values alone are tried. */
  readonly bytes: number
  /** Two things may have happened to the body in addition to another mistake. */
  readonly isDeep?: boolean
}

/** The part of a budget that rare values may use up: two usual mistakes at once are likelier. */
const shareOfRare = 1 / 3

/**
 * What must be wrong for the signature to be what it is: the fewest faults, at most two, or three of a deep search; the likeliest first.
 * Undefined when nothing known explains it, or when the budget is used up; empty where nothing is wrong.
 */
export function search(space: Space, { bytes, isDeep = false }: Budget): readonly Fault[] | undefined {
  const right = rightAttempt(space)
  if (right === undefined) return undefined
  const direct = faultsOf(right)
  if (direct !== undefined || bytes <= 0) return direct
  let left = bytes
  for (const { attempts, share } of phases(space, right, isDeep)) {
    const kept = left - bytes * share
    for (const attempt of attempts) {
      left -= bytesOfHash + attempt.body.value.length
      const found = faultsOf(attempt)
      if (found !== undefined) return found
      if (left <= Math.max(kept, 0)) break
    }
    if (left <= 0) return undefined
  }
  return undefined
}

function rightAttempt(space: Space): Attempt | undefined {
  const [[key], [layout], [timestamp], [id], [matcher]] = [
    space.keys,
    space.layouts,
    space.timestamps,
    space.ids,
    space.matchers,
  ]
  if (!key || !layout || !timestamp || !id || !matcher) return undefined
  return { body: { value: space.body }, key, layout, timestamp, id, matcher }
}

/** The attempts, the likeliest first, each group with the part of the budget that it may use up. */
function* phases(
  space: Space,
  right: Attempt,
  isDeep: boolean,
): Generator<{ readonly attempts: Iterable<Attempt>; readonly share: number }> {
  const changed = space.bodies().filter(({ fault }) => fault !== undefined)
  const usual = changed.filter(({ weight }) => weight <= 1)
  const restyled = changed.filter(({ weight }) => weight > 1)
  const others = otherDimensions(space)
  yield { attempts: singles(right, { body: usual, ...others }), share: 1 }
  yield { attempts: singles(right, { body: restyled }), share: 1 }
  yield { attempts: singles(right, { timestamp: space.rareTimestamps }), share: shareOfRare }
  yield { attempts: singles(right, { body: space.rareBodies() }), share: shareOfRare }
  yield { attempts: pairs(right, { body: usual, ...others }), share: 1 }
  yield { attempts: singles(right, { body: space.composed() }), share: 1 }
  yield { attempts: pairs(right, { body: restyled, ...others }), share: isDeep ? 1 / 2 : 1 }
  if (isDeep) yield { attempts: besideComposed(right, { body: space.composed(), ...others }), share: 1 }
}

type Dimension = keyof Attempt
type Alternatives = Readonly<Partial<Record<Dimension, Iterable<Candidate<unknown>>>>>

/** The likely mistakes of each dimension but the body. */
function otherDimensions(space: Space) {
  return {
    key: space.keys.slice(1),
    layout: space.layouts.slice(1),
    timestamp: space.timestamps.slice(1),
    id: space.ids.slice(1),
    matcher: space.matchers.slice(1),
  }
}

function* singles(right: Attempt, alternatives: Alternatives): Generator<Attempt> {
  for (const [dimension, candidates] of Object.entries(alternatives))
    for (const candidate of candidates) yield { ...right, [dimension]: candidate }
}

function* pairs(right: Attempt, { body = [], ...alternatives }: Alternatives): Generator<Attempt> {
  const dimensions = Object.entries(alternatives)
  for (const [at, [dimension, candidates]] of dimensions.entries())
    for (const attempt of singles(right, { [dimension]: candidates }))
      yield* singles(attempt, { ...Object.fromEntries(dimensions.slice(at + 1)), body })
}

/** Each body with each other mistake; a body is made once, which costs more than its hashes. */
function* besideComposed(right: Attempt, { body = [], ...others }: Alternatives): Generator<Attempt> {
  for (const attempt of singles(right, { body })) yield* singles(attempt, others)
}

function faultsOf({ body, key, layout, timestamp, id, matcher }: Attempt): readonly Fault[] | undefined {
  const parts = layout.value({ id: id.value, timestamp: timestamp.value, body: body.value })
  const match = matcher.value(key.value, parts)
  if (match === undefined) return undefined
  const earlier = 'earlier' in body ? body.earlier : undefined
  return [match.fault, body.fault, earlier, key.fault, layout.fault, timestamp.fault, id.fault, matcher.fault].filter(
    (fault) => fault !== undefined,
  )
}

/** The keys that a secret may mean, and the repair that it needed. */
export interface ReadSpace {
  readonly space: Space
  readonly repair?: Cause | undefined
}

/** The secret that explains the signature with the fewest faults. */
export interface Match {
  /** Index among the secrets that were given. */
  readonly secret: number
  readonly causes: readonly Cause[]
}

/** Searches with each secret in turn; every one is tried unchanged before any is searched, so that the correct one is found at once. */
export function bestMatch(spaces: readonly ReadSpace[], budget: Budget): Match | undefined {
  let best: Match | undefined
  for (const depth of [{ bytes: 0 }, budget]) {
    for (const [secret, { space, repair }] of spaces.entries()) {
      const faults = search(space, depth)
      if (faults === undefined) continue
      const which = spaces.length > 1 ? ` (secret ${secret + 1} of ${spaces.length})` : ''
      const causes = [...(repair === undefined ? [] : [repair]), ...provenCauses(faults, which)]
      if (causes.length === 0) return { secret, causes }
      if (best === undefined || causes.length < best.causes.length) best = { secret, causes }
    }
    if (best !== undefined) return best
  }
  return undefined
}

function provenCauses(faults: readonly Fault[], which: string): Cause[] {
  const evidence =
    faults.length > 1
      ? `tried: with ${faults.length === 2 ? 'both' : `all ${faults.length}`} of these undone together, the computed signature is the one that was sent${which}`
      : `tried: with this undone and nothing else, the computed signature is the one that was sent${which}`
  return faults.map((fault) => ({ ...withFrameworks(fault), evidence }))
}
