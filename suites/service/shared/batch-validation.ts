// Requests permissive validation of a batch: the interface does not show how (open point batch-validation), so the usual ways are tried.

import type { Api, Exchange, RawRequest } from '../../../harness/authoring.js'

/** Possible requests for permissive validation. */
export const permissiveRequests: readonly { readonly name: string; request(items: unknown): RawRequest }[] = [
  ...['batch_validation', 'batchValidation'].map((name) => ({
    name: `query ${name}`,
    request: (items: unknown): RawRequest => ({ query: { [name]: 'permissive' }, json: items }),
  })),
  ...['batch-validation', 'x-batch-validation'].map((name) => ({
    name: `header ${name}`,
    request: (items: unknown): RawRequest => ({ headers: { [name]: 'permissive' }, json: items }),
  })),
  ...['batch_validation', 'batchValidation'].map((name) => ({
    name: `member ${name} beside emails`,
    request: (items: unknown): RawRequest => ({ json: { emails: items, [name]: 'permissive' } }),
  })),
]

/** Places of more than half of a large batch, the first and the last among them. */
export const twoThirdsOfAHundred = Array.from({ length: 100 }, (_, index) => index).filter((index) => index % 3 !== 1)

export function requestBatch(api: Api, request: RawRequest): Promise<Exchange> {
  return api.request('POST', '/v1/emails/batch', { ...request, operation: 'sendBatch' })
}

/** Whether a batch was refused for its bytes, which no limit is shown for: so is one email of that length, and not for their number. */
export async function isRefusedForSize(
  api: Api,
  answer: Exchange,
  items: readonly Record<string, unknown>[],
): Promise<boolean> {
  if (answer.status !== 413) return false
  const one = { ...items[0], subject: 'One long email', text: 'x'.repeat(JSON.stringify(items).length) }
  return (await api.sendBatch([one])).status === 413
}
