import { defaultClientPolicy } from '../../../reference/client/policy.js'
import { defineMutant, type Mutant } from '../define.js'

const { retriedStatus } = defaultClientPolicy

/** What holds for the first attempt of a call, and for no later one. */
export const attemptsMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/retries-reads-after-a-401',
    title: 'emails.get is retried after a 401',
    breaks: ['CLI-020'],
    policy: {
      retriedStatus: (status, name) => (status === 401 && name === 'emails.get') || retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/gives-up-lists-after-a-500',
    title: 'emails.list is not retried after a 500',
    breaks: ['CLI-014'],
    policy: {
      retriedStatus: (status, name) => !(status === 500 && name === 'emails.list') && retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/retries-at-once-after-an-unreadable-retry-after',
    title: 'after an unreadable Retry-After the call is retried at once',
    breaks: ['CLI-016'],
    policy: {
      askedWaitMs: (header, nowMs) => {
        const requested = defaultClientPolicy.askedWaitMs(header, nowMs)
        return requested ?? (header === null ? undefined : 0)
      },
    },
  }),
]
