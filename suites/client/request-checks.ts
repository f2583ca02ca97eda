import type { RequirementId } from '../../spec/index.js'
import type { Checks, ReceivedRequest } from '../../harness/authoring.js'
import { credentialOf } from './expectations.js'
import type { Method } from './methods.js'

/** What every request of a client carries, whatever it is for. */
export interface CommonParts {
  readonly apiKey: string
  /** The value of the extra header `x-probe` that the client was given. */
  readonly probe: string
}

/** What an argument that is absent looks like where a program makes a text of it. */
const absentTexts: readonly string[] = ['undefined', 'null', 'None', 'nil']

/**
 * Mismatches where a request of `method` lacks the key or the extra header of its client, has a JSON body under another type
 * ("JSON request bodies use `Content-Type: application/json`"), or a parameter for an argument that was not given.
 */
export function checkCommonParts(
  check: Checks,
  method: Method,
  requests: readonly ReceivedRequest[],
  carried: CommonParts,
): void {
  const on = (id: RequirementId) => check.of(method.reportedUnder ?? id)
  for (const [index, request] of requests.entries()) {
    const { method: verb, headers, json } = request
    const what = `request ${index + 1} of ${method.name}, a ${verb}`
    on('CLI-001').equal(`header authorization of ${what}`, credentialOf(request), `Bearer ${carried.apiKey}`)
    on('CLI-012').equal(`header x-probe of ${what}, an extra header of the client`, headers['x-probe'], carried.probe)
    if (json !== undefined)
      on('CLI-037').matches(`header content-type of ${what}`, headers['content-type'], /^application\/json\b/i)
  }
  checkNoAbsentArgument(on('CLI-040'), method.name, requests)
}

/** Mismatches where a request of method `name` has a parameter for an argument that was not given. */
export function checkNoAbsentArgument(check: Checks, name: string, requests: readonly ReceivedRequest[]): void {
  for (const [index, { query }] of requests.entries())
    for (const [parameter, value] of query)
      check.ok(
        `query ${parameter} of request ${index + 1} of ${name}`,
        !absentTexts.includes(value),
        'left out, or the given value',
        value,
      )
}

/**
 * Checks that later attempts of `method` repeat the first request. Headers may differ: a library may number its attempts. For a method with
 * requests of several kinds each kind is compared by itself.
 */
export function checkRepeats(check: Checks, method: Method, requests: readonly ReceivedRequest[]): void {
  const first = new Map<string, string>()
  for (const [index, request] of requests.entries()) {
    const kind = `${request.method} ${request.path}`
    const content = JSON.stringify([[...request.query].toSorted(), request.json ?? request.body])
    const expected = first.get(kind) ?? content
    first.set(kind, expected)
    check
      .of(method.reportedUnder ?? 'CLI-014')
      .equal(`query and body of attempt ${index + 1} of ${method.name}, ${kind}`, content, expected)
  }
}
