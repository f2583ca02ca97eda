import { defineMutant, type Mutant } from './define.js'
import { mutantsOf } from './read.js'

/** Deviations of signature verification that real libraries have shipped. */
export const verifierMutants: readonly Mutant<'verifier'>[] = [
  ...mutantsOf('verifier'),
  defineMutant({
    id: 'verifier/refuses-after-a-refusal',
    title: 'after one refusal everything is refused',
    breaks: ['VFY-014', 'VFY-013'],
    wrap: (entry) => {
      let refusal: unknown
      return {
        ...entry,
        verifyWebhook(options) {
          if (refusal !== undefined) throw refusal
          try {
            return entry.verifyWebhook(options)
          } catch (error) {
            refusal = error
            throw error
          }
        },
      }
    },
  }),
  defineMutant({
    id: 'verifier/mixes-deliveries-up',
    title: 'of deliveries that are verified side by side the latest is verified each time',
    breaks: ['VFY-014'],
    wrap: (entry) => {
      let latest: Parameters<typeof entry.verifyWebhook>[0]
      return {
        ...entry,
        async verifyWebhook(options) {
          latest = options
          await new Promise((resolve) => setImmediate(resolve))
          return entry.verifyWebhook(latest)
        },
      }
    },
  }),
  defineMutant({
    id: 'verifier/returns-the-first-event-of-an-id',
    title: 'the event that was parsed first is returned for each delivery of its id',
    breaks: ['VFY-016'],
    wrap: (entry) => {
      const parsed = new Map<string, unknown>()
      return {
        ...entry,
        verifyWebhook(options) {
          const event = entry.verifyWebhook(options)
          const id = String((event as { readonly id?: unknown } | null)?.id)
          if (!parsed.has(id)) parsed.set(id, event)
          return parsed.get(id)
        },
      }
    },
  }),
]
