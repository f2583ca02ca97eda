import { defineMutant, type Mutant } from '../define.js'
import { unshownPaths } from './support.js'

/** Idempotency keys. */
export const idempotencyMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/sends-no-key-with-emails',
    title: 'emails.send has no Idempotency-Key',
    breaks: ['CLI-021'],
    policy: {
      keyedOperations: ['emails.batch'],
    },
  }),
  defineMutant({
    id: 'client/sends-no-key-with-batches',
    title: 'emails.batch has no Idempotency-Key',
    breaks: ['CLI-022'],
    policy: {
      keyedOperations: ['emails.send'],
    },
  }),
  defineMutant({
    id: 'client/names-the-key-otherwise',
    title: 'the key is sent as X-Idempotency-Key',
    breaks: ['CLI-058', 'CLI-021', 'CLI-022', 'CLI-026'],
    policy: {
      keyHeader: 'x-idempotency-key',
    },
  }),
  defineMutant({
    id: 'client/makes-a-key-for-each-attempt',
    title: 'the key is new at each attempt',
    breaks: ['CLI-025'],
    policy: {
      key: ({ given, newKey }) => given ?? newKey(),
    },
  }),
  defineMutant({
    id: 'client/ignores-the-key-of-the-caller',
    title: "the caller's key is ignored",
    breaks: ['CLI-026'],
    policy: {
      key: ({ isAutomatic, ofCall }) => (isAutomatic ? ofCall : undefined),
    },
  }),
  defineMutant({
    id: 'client/cuts-long-keys',
    title: "a caller's key of more than 255 letters is cut",
    breaks: ['CLI-026', 'CLI-023', 'CLI-024'],
    policy: {
      key: ({ given, ofCall }) => given?.slice(0, 255) ?? ofCall,
    },
  }),
  defineMutant({
    id: 'client/takes-a-key-for-sends-only',
    title: "the caller's key of a create is ignored",
    breaks: ['CLI-058'],
    policy: {
      key: ({ isAutomatic, given, ofCall }) => (isAutomatic ? (given ?? ofCall) : undefined),
    },
  }),
  defineMutant({
    id: 'client/has-one-key',
    title: 'every call has the same key',
    breaks: ['CLI-052'],
    policy: { key: ({ given }) => given ?? 'one-key' },
  }),
  defineMutant({
    id: 'client/makes-the-key-of-the-body',
    title: 'the key is made of the body',
    breaks: ['CLI-052'],
    policy: {
      key: ({ given, body }) => given ?? `k${body?.length ?? 0}`,
    },
  }),
  defineMutant({
    id: 'client/sends-messages-without-a-key',
    title: 'messages are sent without an Idempotency-Key',
    breaks: ['CLI-023', 'CLI-024'],
    policy: {
      unshownPaths,
      keyedOperations: ['emails.send', 'emails.batch'],
    },
  }),
  defineMutant({
    id: 'client/ignores-the-key-of-messages',
    title: "the caller's key of a message is ignored",
    breaks: ['CLI-023', 'CLI-024'],
    policy: {
      unshownPaths,
      key: ({ isAutomatic, ofCall, given, operation }) =>
        isAutomatic && operation.startsWith('messages.') ? ofCall : (given ?? (isAutomatic ? ofCall : undefined)),
    },
  }),
  defineMutant({
    id: 'client/has-one-key-for-messages',
    title: 'every message has the same key',
    breaks: ['CLI-023', 'CLI-024'],
    policy: {
      unshownPaths,
      key: ({ given, ofCall, operation }) => given ?? (operation.startsWith('messages.') ? 'one-key' : ofCall),
    },
  }),
  defineMutant({
    id: 'client/takes-no-key-with-reads',
    title: 'the idempotency key that the caller gives for a read is not sent',
    breaks: ['CLI-067'],
    policy: {
      key: ({ isAutomatic, given, ofCall, body }) =>
        body === undefined ? undefined : (given ?? (isAutomatic ? ofCall : undefined)),
    },
  }),
  defineMutant({
    id: 'client/takes-no-key-with-replays',
    title: "the caller's key of webhooks.replay is ignored",
    breaks: ['CLI-058'],
    policy: {
      key: ({ isAutomatic, given, ofCall, operation: name }) =>
        name === 'webhooks.replay' ? undefined : (given ?? (isAutomatic ? ofCall : undefined)),
    },
  }),
  defineMutant({
    id: 'client/takes-a-key-for-documented-methods-only',
    title: "ignores the caller's key in methods other than emails",
    breaks: ['CLI-060', 'CLI-059', 'CLI-058'],
    policy: {
      unshownPaths,
      key: ({ isAutomatic, given, ofCall, operation: name }) =>
        name.startsWith('emails.') ? (given ?? (isAutomatic ? ofCall : undefined)) : undefined,
    },
  }),
  defineMutant({
    id: 'client/counts-keys-in-a-process',
    title: 'the key is a number that each process counts from one',
    breaks: ['CLI-052'],
    // A driver takes PolicyClient once, when it starts: each has a count of its own.
    wrap: (entry) => ({
      ...entry,
      get PolicyClient() {
        let count = 0
        const newKey = () => `key-${++count}`
        return class extends entry.PolicyClient {
          constructor(...[policy, apiKey, options]: ConstructorParameters<typeof entry.PolicyClient>) {
            super(policy, apiKey, { ...options, runtime: { ...options?.runtime, newKey } })
          }
        }
      },
    }),
  }),
  defineMutant({
    id: 'client/lowers-the-key-of-the-caller',
    title: "the caller's key is sent in small letters",
    breaks: ['CLI-026', 'CLI-058'],
    policy: {
      key: ({ isAutomatic, given, ofCall }) => given?.toLowerCase() ?? (isAutomatic ? ofCall : undefined),
    },
  }),
  defineMutant({
    id: 'client/loses-the-key-of-the-caller-of-a-read',
    title: "a second attempt of a read goes without the caller's key",
    breaks: ['CLI-067'],
    policy: {
      key: ({ isAutomatic, given, ofCall, attempt, body }) =>
        body === undefined && attempt > 1 ? undefined : (given ?? (isAutomatic ? ofCall : undefined)),
    },
  }),
]
