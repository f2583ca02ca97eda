// The same inputs in every run of the tests, so that a red run says something of the change it is for; `npm run fuzz` looks
// for new ones, and for more of them.
import fc from 'fast-check'

const isFuzzing = process.env['FUZZ'] !== undefined
if (!isFuzzing) fc.configureGlobal({ seed: 1 })

/** How often a property is tried: `usual` times, and twenty times as often in `npm run fuzz`. */
export function tries(usual: number): { readonly numRuns: number } {
  return { numRuns: isFuzzing ? 20 * usual : usual }
}
