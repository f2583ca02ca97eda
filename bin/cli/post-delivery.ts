// What `send` does with each delivery.
import type { HttpClient } from '../../harness/service-calls.js'
import { shortened, visible, type Secrets } from '../../harness/safe-text.js'
import { writeOutput } from './output.js'
import { exitCodes } from './usage.js'

/** Longest part of an answer that is shown, in characters. */
const maxShown = 500
/** Longest wait for an answer, in milliseconds: by then a sender has given up the attempt. */
const answersWithinMs = 15_000

export interface PostedDelivery {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Second lines of headers. */
  readonly repeatedHeaders?: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Its name in the output. */
  readonly id: string
  /** What the output must not show. */
  readonly secrets: Secrets
}

/** Posts a delivery, prints the answer, and resolves to the exit code. */
export async function postDelivery(http: HttpClient, delivery: PostedDelivery): Promise<number> {
  const { id, secrets, ...request } = delivery
  const { status, failure, text, durationMs } = await http.send({
    ...request,
    method: 'POST',
    timeoutMs: answersWithinMs,
    kind: 'receiver',
    statusOnly: true,
  })
  const answer = status === undefined ? (failure ?? 'no answer') : String(status)
  const body = text.trim() === '' ? '' : `\n${shortened(text.trim(), maxShown)}`
  writeOutput(`${visible(secrets.redact(`${id}  ${answer} after ${Math.round(durationMs)} ms${body}`))}\n`)
  if (status === undefined) return exitCodes.noVerdict
  return status >= 200 && status < 300 ? exitCodes.conformant : exitCodes.nonconformant
}
