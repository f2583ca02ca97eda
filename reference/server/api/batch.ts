import { ApiError, invalidRequest } from './api-error.js'
import type { EmailInput } from './email-input.js'
import type { BatchError, Policy } from '../policy.js'

/** The valid items of a batch, and the errors of the others. Errors: `ApiError` for an invalid batch. */
export function readBatch(
  body: unknown,
  { policy, read }: { readonly policy: Policy; readonly read: (item: unknown) => EmailInput },
): { inputs: EmailInput[]; errors: BatchError[] } {
  if (!Array.isArray(body)) throw invalidRequest('The body is not an array.', 'Send an array of emails.')
  const isEmpty = body.length === 0 && policy.emptyBatch === 'refuse'
  if (isEmpty || body.length > policy.maxBatchSize) {
    throw new ApiError({
      status: policy.batchErrorStatus,
      code: 'batch_size',
      message: `A batch of ${body.length} emails is not possible.`,
      fix: `Send 1 to ${policy.maxBatchSize} emails.`,
    })
  }
  const inputs: EmailInput[] = []
  const errors: BatchError[] = []
  for (const [index, item] of body.entries()) {
    try {
      inputs.push(read(item))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      errors.push({ index, code: error.code, message: error.message })
    }
  }
  return { inputs, errors }
}

/** What a batch is refused with as a whole. */
export function invalidBatch(errors: readonly BatchError[], size: number, policy: Policy): ApiError {
  return new ApiError({
    status: policy.batchErrorStatus,
    code: 'invalid_batch',
    message: `${errors.length} of ${size} emails are invalid; nothing was sent.`,
    fix: 'Correct the items that errors names, or use permissive validation.',
    errors,
  })
}
