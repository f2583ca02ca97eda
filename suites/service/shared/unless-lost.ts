import { AnswerLost } from '../../../harness/authoring.js'

/** For `catch` on one of many requests, of which a few may be missing: nothing where its answer was lost; throws any other error. */
export function unlessLost(error: unknown): readonly never[] {
  if (error instanceof AnswerLost) return []
  throw error
}
