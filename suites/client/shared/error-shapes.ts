// The shapes that an error body may have (open point error-shape).

import { json, type CallResult, type Reply } from '../../../harness/authoring.js'

/** The two shapes an error body may have. */
export function shapes(status: number, error: Readonly<Record<string, unknown>>): readonly Reply[] {
  return [json(status, error), json(status, { error })]
}

/** The first result whose error has the code, else the first one: the shape the client reads. */
export function clearerResult(results: readonly CallResult[], code: string): CallResult {
  const read = results.find((result) => result.kind === 'error' && result.error.code === code)
  return read ?? results[0] ?? { kind: 'broken', how: 'nothing was asked' }
}
