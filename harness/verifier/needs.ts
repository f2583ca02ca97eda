import type { RequirementId } from '../../spec/index.js'
import { inapplicable, type MissingCapability } from '../missing-capability.js'
import { Delivery } from '../receiver/delivery.js'
import { freshSecret } from '../schemes/key.js'
import { findMissingFeature, ownScheme, type SchemeFeature, type SignatureScheme } from '../schemes/scheme.js'
import type { VerifierNeed } from './context.js'

/** Undefined when a verifier case can be run. */
export function findMissingOfVerifier(
  need: string,
  scheme: SignatureScheme = ownScheme,
): MissingCapability | undefined {
  const known = need as VerifierNeed
  if (known === 'interface-scheme')
    return scheme === ownScheme
      ? undefined
      : inapplicable.scheme(`is about the signature of the interface: leave out --scheme`)
  const reason = findMissingFeature(known, scheme)
  return reason === undefined ? undefined : inapplicable.scheme(reason)
}

/** Requirements that the forgeries of a scheme decide, and what the scheme must have room for. */
const decided: Partial<Record<RequirementId, readonly SchemeFeature[]>> = {
  'VFY-001': [],
  'VFY-002': [],
  'VFY-003': [],
  'VFY-004': [],
  'VFY-006': ['past'],
  'VFY-007': ['future'],
  'VFY-008': [],
  'VFY-009': [],
  'VFY-010': ['entry-prefix'],
  'VFY-012': ['timestamp-header', 'past'],
  'VFY-021': [],
}

/** Returns whether a scheme has the features that a requirement needs. */
export function bindsVerifier(scheme: SignatureScheme, id: RequirementId): boolean {
  return decided[id]?.every((feature) => scheme.has(feature)) === true
}

/** A valid delivery of a sample of the scheme with a fresh secret. */
export function sampleDelivery(
  scheme: SignatureScheme,
  { timestamp, mark }: { readonly timestamp: number; readonly mark: string },
): Delivery {
  const sample = scheme.data.samples?.[0]
  const body = sample?.body ?? { id: `evt_${mark}`, data: {} }
  return new Delivery(
    {
      id: `evt_${mark}`,
      timestamp,
      secret: freshSecret(scheme.data),
      body: Buffer.from(JSON.stringify(body)),
      ...(sample?.headers === undefined ? {} : { eventHeaders: sample.headers }),
    },
    { scheme },
  )
}
