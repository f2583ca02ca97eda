import type { SignatureScheme } from '../../harness/schemes/index.js'
import type { SchemeVectors } from '../../harness/vectors/index.js'
import { requirements } from '../../spec/index.js'
import { forgeries, reasonToSkip, requirementsOfGroups, type Forgery } from '../../suites/shared/forgeries/index.js'

/** What vectors of a scheme are made of: the forgeries that it has room for. */
export function schemeVectorsOf(
  scheme: SignatureScheme,
  { count, seed }: { readonly count: number; readonly seed: number },
): SchemeVectors {
  const usable = forgeries.filter(({ needs = [] }) => needs.every((feature) => scheme.has(feature)))
  const groups = [...new Set(usable.map(({ group }) => group))]
  const flags = groups.map((group) => {
    const requirement = requirementsOfGroups[group].verifier
    return [flagOf(group), { description: requirements[requirement].text, requirement }] as const
  })
  const plain = { description: requirements['VFY-004'].text, requirement: 'VFY-004' }
  return {
    scheme,
    count,
    seed,
    flags: { Plain: plain, ...Object.fromEntries(flags) },
    variations: usable.map((forgery) => ({
      comment: forgery.title,
      flag: flagOf(forgery.group),
      result: resultOf(forgery, scheme),
      make: forgery.make,
    })),
  }
}

/** Of advice, and of what the official library decides differently, both answers conform. */
function resultOf(forgery: Forgery, scheme: SignatureScheme): 'valid' | 'invalid' | 'acceptable' {
  const isAdvice = requirements[requirementsOfGroups[forgery.group].verifier].level === 'should'
  if (isAdvice || forgery.expected === 'either' || reasonToSkip(forgery, scheme) !== undefined) return 'acceptable'
  return forgery.expected === 'accepted' ? 'valid' : 'invalid'
}

/** `wrong-value` as `WrongValue`. */
function flagOf(group: string): string {
  return group.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
