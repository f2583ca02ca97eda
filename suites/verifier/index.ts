import type { VerifierCase } from '../../harness/authoring.js'
import { forgeryCases } from './forgeries.js'
import { hashes } from './hashes.js'
import { largeBodies } from './large-bodies.js'
import { properties } from './properties.js'
import { secrets } from './secrets.js'
import { signing } from './signing.js'
import { spellings } from './spellings.js'
import { state } from './state.js'
import { values } from './values.js'
import { timestampSpellings } from './timestamp-spellings.js'
import { vectors } from './vectors.js'

/** Cases about the signature of the interface alone. */
const ofInterface: readonly VerifierCase[] = [
  ...vectors,
  ...properties,
  ...spellings,
  ...timestampSpellings,
  ...hashes,
  ...largeBodies,
  ...state,
  ...values,
  ...secrets,
  ...signing,
]

/** Every case for signature verification libraries, in run order. */
export const verifierCases: readonly VerifierCase[] = [
  ...ofInterface.map((testCase) => ({ ...testCase, needs: [...testCase.needs, 'interface-scheme'] as const })),
  ...forgeryCases,
]
