// Reads the answer to a batch: its good and its bad items.
import { errorOf, memberOf, type Checks, type Exchange } from '../../../harness/authoring.js'
import { isEmailAccepted } from './sent-mail.js'

export interface Batch {
  readonly items: readonly Record<string, unknown>[]
  /** Subjects of the items that nothing is wrong with. */
  readonly good: readonly string[]
  /** The places of the others, in order. */
  readonly bad: readonly number[]
}

/**
 * Checks how many emails an answer accepted. What an entry of `data` holds is not shown (open point batch-entries): where
 * entries have ids, one for each email that was taken; where none has one, an entry for each of these or for each item.
 */
export function checkAccepted(check: Checks, answer: Exchange, { good, items }: Pick<Batch, 'good' | 'items'>): void {
  const data = answer.field('data')
  const entries: readonly unknown[] = Array.isArray(data) ? data : []
  const ids = entries
    .map((entry) => (typeof entry === 'string' ? entry : memberOf(entry, 'id')))
    .filter((id) => typeof id === 'string' && id !== '')
  if (ids.length === 0 && entries.length === items.length) return
  check.equal('items accepted', ids.length === 0 ? entries.length : ids.length, good.length)
}

/** Checks that `errors` has one entry for each bad item; what an entry holds is not shown. */
export function checkErrors(check: Checks, errors: unknown, bad: readonly number[]): void {
  check.ok('errors', Array.isArray(errors) && errors.length === bad.length, `an array of ${bad.length}`, errors)
}

/** Checks the answer to a batch with bad items, by whichever validation; the subjects it accepted. */
export function checkMixed(check: Checks, answer: Exchange, { items, good, bad }: Batch): readonly string[] {
  if (!isEmailAccepted(answer)) {
    check.refused(answer)
    if (bad.length === 0) return []
    const error = errorOf(answer)
    check.equal('code', error.code, 'invalid_batch')
    checkErrors(check, error.errors, bad)
    return []
  }
  checkErrors(check, bad.length === 0 ? (answer.field('errors') ?? []) : answer.field('errors'), bad)
  checkAccepted(check, answer, { good, items })
  return good
}
