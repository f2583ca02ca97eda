import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Deviations in idempotency keys. */
export const idempotencyMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/ignores-idempotency-keys',
    title: 'Idempotency-Key is not read',
    breaks: ['IDM-001', 'IDM-002', 'IDM-004', 'IDM-005'],
    policy: {
      idempotencySlot: () => undefined,
    },
  }),
  defineMutant({
    id: 'server/ignores-idempotency-keys-of-batches',
    title: 'Idempotency-Key is not read for batches',
    breaks: ['IDM-005'],
    policy: {
      idempotencySlot: ({ orgId, path, key }) => (path.endsWith('/batch') ? undefined : JSON.stringify([orgId, key])),
    },
  }),
  defineMutant({
    id: 'server/shares-idempotency-keys-between-projects',
    title: 'a key used in one project answers in another',
    breaks: ['IDM-003'],
    policy: {
      idempotencySlot: ({ key }) => key,
    },
  }),
  defineMutant({
    id: 'server/has-one-idempotency-slot',
    title: 'the second key gets the result of the first',
    breaks: ['IDM-003'],
    policy: {
      idempotencySlot: ({ orgId }) => orgId,
    },
  }),
  defineMutant({
    id: 'server/shares-keys-of-batches',
    title: 'the Idempotency-Key of a batch in one project answers in another',
    breaks: ['IDM-003', 'IDM-005'],
    policy: {
      idempotencySlot: ({ orgId, path, key }) =>
        path === '/emails/batch' ? JSON.stringify([key]) : defaultPolicy.idempotencySlot({ orgId, path, key }),
    },
  }),
]
