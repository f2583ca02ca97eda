import { defaultClientPolicy } from '../../reference/client/policy.js'
import * as helpers from './client/helpers.js'
import { defineMutant, type Mutant } from './define.js'
import { mutantsOf } from './read.js'

/** Deviations of client libraries that real teams have shipped. */
export const clientMutants: readonly Mutant<'client'>[] = [
  ...mutantsOf('client', { policy: defaultClientPolicy, ...helpers }),
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
]
