import { defineMutant, type Mutant } from '../define.js'

/** Mistakes in a single cell: one method, one kind of failure, one attempt. */
export const narrowMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/repeats-creations-after-a-501',
    title: 'a create is retried after a 501',
    breaks: ['CLI-027', 'CLI-061'],
    policy: { retriedCreation: (code) => code === 429 || code === 501 },
  }),
  defineMutant({
    id: 'client/begins-to-retry-at-once',
    title: 'makes the first retry without a wait',
    breaks: ['CLI-016'],
    policy: { waitMs: ({ askedMs, backoffMs, attempt }) => askedMs ?? (attempt === 1 ? 0 : backoffMs) },
  }),
  defineMutant({
    id: 'client/has-no-jitter-before-the-first-retry',
    title: 'the wait before the first retry has no jitter',
    breaks: ['CLI-017'],
    policy: { waitMs: ({ askedMs, backoffMs, attempt }) => askedMs ?? (attempt === 1 ? 500 : backoffMs) },
  }),
]
