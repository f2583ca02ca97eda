/** Why a result is not believed before its case was run again. */
export type Doubt = 'lost' | 'late' | 'waited' | 'crowded' | 'control' | 'stale' | 'slow'

/**
 * Which cases may run at the same time as a rerun. `any`: all of them. `few`: as many as leave the target at ease. `none`: no other.
 * `any, then none`: as at first, and without another case where the doubt remains.
 */
export type Concurrency = 'any' | 'few' | 'none' | 'any, then none'

/** How a case in doubt is run again, and what its result is where the doubt remains. */
export interface Rerun {
  /** The observation that makes the result uncertain. */
  readonly evidence: string
  readonly company: Concurrency
  /** `until certain`: as often as the run allows; the others once. */
  readonly times: 'once' | 'until certain'
  /** `gently`: property values one by one. `reading late`: lists are read once nothing in them may lag. */
  readonly how: 'as before' | 'gently' | 'reading late'
  /** `judged`: by what the last rerun found. */
  readonly inTheEnd: 'judged' | 'errored'
}

/** Every reason for a rerun. Only doubt about what other cases did meanwhile needs quiet. */
export const reruns: Readonly<Record<Doubt, Rerun>> = {
  lost: {
    evidence: 'an answer did not arrive, so that it is unknown whether the request was carried out',
    company: 'none',
    times: 'once',
    how: 'gently',
    inTheEnd: 'errored',
  },
  late: {
    evidence: 'this machine was too busy for a while',
    company: 'any, then none',
    times: 'until certain',
    how: 'as before',
    inTheEnd: 'judged',
  },
  waited: {
    evidence: 'something did not arrive in its time',
    company: 'few',
    times: 'once',
    how: 'as before',
    inTheEnd: 'judged',
  },
  crowded: {
    evidence: 'the target or a gateway may have refused only because other cases ran too',
    company: 'none',
    times: 'once',
    how: 'gently',
    inTheEnd: 'judged',
  },
  control: {
    evidence: 'what failed is not what the case checks, but what it depends on',
    company: 'any',
    times: 'once',
    how: 'as before',
    inTheEnd: 'judged',
  },
  stale: {
    evidence: 'an answer was older than one before it',
    company: 'any, then none',
    times: 'until certain',
    how: 'reading late',
    inTheEnd: 'judged',
  },
  slow: {
    evidence: 'an answer took so long that a later step may have happened before it was expected',
    company: 'none',
    times: 'until certain',
    how: 'as before',
    inTheEnd: 'judged',
  },
}

/**
 * Doubts about the surroundings of the case, not about the case: a rerun that ends in one of them, concurrent with other cases, proves
 * nothing.
 */
export const doubtsOfSurroundings: ReadonlySet<Doubt> = new Set(['lost', 'late', 'crowded', 'slow'])
