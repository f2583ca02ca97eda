import type { RequirementId } from '../../spec/index.js'
import type { LikelyCause } from '../result.js'
import type { Facts } from './named-causes.js'

/** A library that many programs verify with, and the advice that a program with it does not follow. */
interface KnownLibrary {
  readonly name: string
  readonly receiver: readonly RequirementId[]
  readonly verifier: readonly RequirementId[]
}

/** As `npm run lab -- libraries` found them: docs/libraries.md shows the versions. */
const knownLibraries: readonly KnownLibrary[] = [
  {
    name: 'standardwebhooks',
    receiver: ['RCV-027', 'RCV-030', 'RCV-031'],
    verifier: ['VFY-021', 'VFY-023', 'VFY-024'],
  },
  {
    name: 'svix',
    receiver: ['RCV-027', 'RCV-029', 'RCV-030', 'RCV-031'],
    verifier: ['VFY-021', 'VFY-023', 'VFY-024', 'VFY-025'],
  },
]

/** The name of {@link knownLibrary} in data. */
export const knownLibraryCause = 'known-library'

/** A run whose failures are the advice that one known library does not follow, all of it and nothing else. */
export function knownLibrary({ kind, failed }: Facts): LikelyCause | undefined {
  if (kind !== 'receiver' && kind !== 'verifier') return undefined
  if (failed.some(({ level }) => level === 'must')) return undefined
  const broken = [...new Set(failed.flatMap(({ violates = [] }) => violates))]
  const library = knownLibraries.find(({ [kind]: differences }) => {
    return differences.length === broken.length && differences.every((id) => broken.includes(id))
  })
  if (library === undefined) return undefined
  return {
    cause: knownLibraryCause,
    text: `These are the known differences of ${library.name}, and of packages built on it: you can release with them.`,
    remedy:
      'None of them accepts a forgery made without the secret, so you need not change anything. --level must leaves advice out.',
    cases: failed.map(({ id }) => id),
  }
}
