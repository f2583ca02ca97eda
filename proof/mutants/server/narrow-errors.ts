import { patchesOfServer } from '../define.js'

/** Deviations in one detail of refusals: for things that existed once, that were refused before, that are empty. */
export const narrowErrorMutants = patchesOfServer([
  [
    'deletes-again-without-a-code',
    'the error of a second delete of a webhook has no code',
    ['ERR-001'],
    {
      file: 'server/api/routes-webhooks.ts',
      find: "if (webhook.isDeleted) throw notFound('webhook', policy.foreignIdStatus)",
      replace:
        "if (webhook.isDeleted) throw Object.assign(notFound('webhook', policy.foreignIdStatus), { code: null })",
    },
  ],
  [
    'cancels-again-without-a-fix',
    'gives no fix in the error of a second cancel',
    ['ERR-001'],
    {
      file: 'server/api/routes-emails.ts',
      find: 'const email = find(c)\n    mail.cancel(email)',
      replace: `const email = find(c)
    try {
      mail.cancel(email)
    } catch (error) {
      throw email.status === 'canceled' ? Object.assign(error, { fix: undefined }) : error
    }`,
    },
  ],
  [
    'forces-no-inbox-where-an-empty-one-is-asked',
    'creates a webhook for the whole org if an inbox key requests an empty inbox id',
    ['SCOPE-004'],
    {
      file: 'server/api/routes-webhooks.ts',
      find: 'const inboxId = policy.webhookInbox(key.inboxId, inbox)',
      replace: "const inboxId = inbox === '' ? null : policy.webhookInbox(key.inboxId, inbox)",
    },
  ],
  [
    'refuses-a-repeated-batch-without-errors',
    'what a batch was refused with is kept for its key, but not its errors',
    ['SND-006'],
    {
      file: 'server/api/routes-emails.ts',
      find: "if (errors.length > 0 && mode === 'strict') throw invalidBatch(errors, inputs.length + errors.length, policy)",
      replace: `if (errors.length > 0 && mode === 'strict') {
        const refusals = (firstResults.refusals ??= new Set())
        const refusal = invalidBatch(errors, inputs.length + errors.length, policy)
        if (request !== undefined && refusals.has(asked.key)) throw Object.assign(refusal, { errors: undefined })
        refusals.add(asked.key)
        throw refusal
      }`,
    },
  ],
])
