import { defineMutant, type Mutant } from '../define.js'
import { unshownPaths } from './support.js'

/** Time-outs and aborts. */
export const timeMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/takes-the-timeout-for-seconds',
    title: 'timeoutMs is treated as seconds',
    breaks: ['CLI-009', 'CLI-035'],
    policy: {
      timeoutMs: (given) => (given ?? 60) * 1_000,
    },
  }),
  defineMutant({
    id: 'client/ignores-the-timeout-of-a-call',
    title: 'timeoutMs of a call is ignored',
    breaks: ['CLI-030'],
    policy: {
      callTimeoutMs: ({ ofClient }) => ofClient,
    },
  }),
  defineMutant({
    id: 'client/takes-the-shorter-timeout',
    title: 'timeoutMs of a call can only shorten that of the client',
    breaks: ['CLI-030'],
    policy: {
      callTimeoutMs: ({ ofClient, ofCall }) => Math.min(ofClient, ofCall ?? ofClient),
    },
  }),
  defineMutant({
    id: 'client/has-half-a-minute',
    title: 'the default time-out is 30 seconds',
    breaks: ['CLI-010'],
    policy: { timeoutMs: (given) => given ?? 30_000 },
  }),
  defineMutant({
    id: 'client/has-two-minutes',
    title: 'the default time-out is 120 seconds',
    breaks: ['CLI-010'],
    policy: { timeoutMs: (given) => given ?? 120_000 },
  }),
  defineMutant({
    id: 'client/knows-no-time-out-of-a-call-in-any-method',
    title: 'timeoutMs of a call is ignored in all methods',
    breaks: ['CLI-060', 'CLI-059', 'CLI-030'],
    policy: { unshownPaths, callTimeoutMs: ({ ofClient }) => ofClient },
  }),
]
