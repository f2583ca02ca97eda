// Gives each test run the same inputs, so that a failure is about the tested change; `npm run lab -- fuzz` searches for new and more inputs.
import fc from 'fast-check'

const isFuzzing = process.env['FUZZ'] !== undefined
if (!isFuzzing) fc.configureGlobal({ seed: 1 })

/** How often a property is tried: `usual` times, and twenty times as often in `npm run lab -- fuzz`. */
export function tries(usual: number): { readonly numRuns: number } {
  return { numRuns: isFuzzing ? 20 * usual : usual }
}
