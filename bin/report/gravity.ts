import type { Outcome } from '../../harness/index.js'

/** Of several outcomes of one case the one further to the left counts. */
const worstFirst: readonly Outcome[] = ['failed', 'errored', 'passed', 'skipped']

/** Orders outcomes of one case, the one that counts first. */
export function byGravity(a: { readonly status: Outcome }, b: { readonly status: Outcome }): number {
  return worstFirst.indexOf(a.status) - worstFirst.indexOf(b.status)
}
