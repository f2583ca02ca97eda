import type { Delivery } from '../../../harness/authoring.js'
import type { Forgery } from './forgery.js'

/** A forgery of a group in which every delivery is refused. */
export type Row = Omit<Forgery, 'group' | 'expected'>

/** The rows of such a group. */
export function refused(group: Forgery['group'], rows: readonly Row[]): readonly Forgery[] {
  return rows.map((row) => ({ ...row, group, expected: 'refused' }))
}

/** The label before a signature. */
export function ownPrefix(good: Delivery): string {
  return good.scheme.entryOf('|').split('|')[0] ?? ''
}
