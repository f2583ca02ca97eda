// How cases judge an error: its three fields, and whether it is a fault of the server.

import { errorOf, itemsOf, mayBeOfGateway, ofGateways, type Checks, type Exchange } from '../../../harness/authoring.js'

/** Times a request is put before a 5xx is taken for the service's own answer: a gateway may answer one in its place. */
const maxRequests = 3

/** Checks that each of the three fields is a text. */
export function expectError(check: Checks, answer: Exchange): void {
  const error = errorOf(answer)
  for (const name of ['code', 'message', 'fix'] as const)
    check.ok(
      `${name} in the error of ${answer.label}`,
      typeof error[name] === 'string' && error[name] !== '',
      'a string',
      error[name],
    )
}

/** Checks the three fields of a refusal's error, unless a gateway may have refused. */
export function expectErrorOfRefusal(check: Checks, answer: Exchange): void {
  const { status = 0 } = answer
  if (status >= 400 && status < 500 && !ofGateways.includes(status)) expectError(check, answer)
}

/** Resolves to the answer to a repeatable request; to a 5xx that a gateway may have given only if it was the answer every time. */
export async function requestUntilAnswered(send: () => Promise<Exchange>): Promise<Exchange> {
  for (let count = 1; ; count++) {
    const answer = await send()
    const isAnswered = answer.status !== undefined && !mayBeOfGateway(answer.status)
    if (isAnswered || count >= maxRequests) return answer
  }
}

/**
 * Statuses for a thing that does not exist, or is not the caller's: the interface shows none (open points foreign-id and
 * malformed-id-status).
 */
export const absent = [404, 403, 400, 401, 410, 422]

/** A mismatch unless the list is refused, or empty (open point unknown-webhook-list). */
export function expectNothingListed(check: Checks, list: Exchange): void {
  const isEmpty = list.status === 200 && itemsOf(list)?.length === 0
  if (!isEmpty) check.refused(list, absent)
}

/** A mismatch where the answer has no error status. */
export function expectErrorStatus(check: Checks, answer: Exchange): void {
  const { status } = answer
  if (status === undefined) check.status(answer, '4xx')
  else check.ok(`status of ${answer.label}`, status >= 400, 'an error status', status)
}

/** A mismatch where the answer is a 5xx. */
export function expectNoServerError(check: Checks, answer: Exchange, what: string): void {
  const { status } = answer
  if (status === undefined) check.status(answer, '4xx')
  else check.ok(`answer to ${what}`, status < 500, 'no 5xx', status)
}
