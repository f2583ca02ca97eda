import type { RequirementId } from '../../spec/index.js'
import { inapplicable, missingCapability, type MissingCapability } from '../missing-capability.js'
import type { CoverageForecast } from '../forecast.js'
import {
  findMissingFeature,
  isSchemeNeed,
  ownScheme,
  type SchemeFeature,
  type SignatureScheme,
} from '../schemes/scheme.js'
import type { ReceiverNeed } from './context.js'
import { handshakesOf } from './handshakes.js'
import type { ReceiverTarget } from './target.js'

/** What only a count of handled events shows. */
export const ofEffects = {
  requirements: ['RCV-019', 'RCV-024', 'RCV-025'],
  text: 'answers conform; effects were not judged: give --handled-url',
} as const
/** Why the cases on handled events are skipped. */
const untold = 'needs the endpoint to tell what it handled: --handled-url \'http://…/{id}\', which answers {"count": n}'

type Wanted = Pick<ReceiverTarget, 'load' | 'handledUrl' | 'profile' | 'ownEvents' | 'scheme'>

/** Undefined when a receiver case can be run. */
export function findMissingOfReceiver(need: string, target: Wanted): MissingCapability | undefined {
  const { load, handledUrl, profile, ownEvents = [], scheme = ownScheme } = target
  const known = need as ReceiverNeed
  if (isSchemeNeed(known)) {
    const reason = findMissingFeature(known, scheme)
    return reason === undefined ? undefined : inapplicable.scheme(reason)
  }
  switch (known) {
    case 'load':
      return missingCapability(load === undefined ? 'needs a steady load: --rps and --duration' : undefined)
    case 'handled':
      if (!scheme.has('id')) return inapplicable.scheme(`the scheme ${scheme.name} has no id to count events by`)
      if (handledUrl === undefined) return missingCapability(untold)
      return target.scheme === undefined || ownEvents.length > 0
        ? undefined
        : missingCapability('needs events that the endpoint has work for: --events <file>')
    case 'events':
      return profile === 'standard-webhooks' && ownEvents.length === 0 && !hasSamples(target.scheme)
        ? missingCapability('needs event bodies: --events <file>')
        : undefined
    case 'handshakes:answered-must':
    case 'handshakes:answered-should':
    case 'handshakes:forged-must':
    case 'handshakes:forged-should':
      return findMissingHandshake(known, target.scheme)
    case 'interface-events':
      if (target.scheme !== undefined) return inapplicable.events('leave out --scheme')
      if (ownEvents.length > 0) return inapplicable.events('leave out --events')
      return profile === 'standard-webhooks' ? inapplicable.events('--profile interface') : undefined
    case 'sample-events':
      return ownEvents.length > 0 || hasSamples(target.scheme) ? inapplicable.events('leave out --events') : undefined
    case 'interface-profile':
      return profile === 'standard-webhooks' ? inapplicable.profile('--profile interface') : undefined
    default:
      return known satisfies never
  }
}

function findMissingHandshake(need: string, scheme: SignatureScheme | undefined): MissingCapability | undefined {
  const [, part, level] = /^handshakes:(answered|forged)-(must|should)$/.exec(need) ?? []
  if (handshakesOf(scheme, part === 'forged' ? 'forged' : 'answered', level === 'must' ? 'must' : 'should').length > 0)
    return undefined
  const verb = part === 'forged' ? 'be refused with a wrong signature' : 'be answered'
  return inapplicable.scheme(
    scheme === undefined
      ? 'the interface has no handshake'
      : `the scheme ${scheme.name} has no request with which the provider checks an endpoint that ${level ?? ''} ${verb}`,
  )
}

const hasSamples = (scheme: SignatureScheme | undefined) => (scheme?.data.samples ?? []).length > 0

/** Returns whether a scheme has the features that a requirement needs. */
export function appliesToReceiver({ scheme }: Pick<ReceiverTarget, 'scheme'>, id: RequirementId): boolean {
  const needed: Partial<Record<RequirementId, SchemeFeature>> = {
    'RCV-006': 'past',
    'RCV-007': 'future',
    'RCV-010': 'several',
    'RCV-011': 'entry-prefix',
    'RCV-023': 'past',
  }
  const feature = needed[id]
  if (scheme === undefined || feature === undefined) return true
  if (id === 'RCV-023' && (!scheme.has('timestamp-header') || 'timestamp-malformed' in (scheme.data.leniences ?? {})))
    return false
  return scheme.has(feature)
}

/** Returns the options that would let more cases run. */
export function forecastReceiver(target: Wanted): CoverageForecast {
  const { handledUrl, load } = target
  return {
    additions: [
      ...(handledUrl === undefined ? ['--handled-url'] : []),
      ...(load === undefined ? ['--rps with --duration'] : []),
    ],
    findMissingWith: (added) => (need) =>
      findMissingOfReceiver(need, {
        ...target,
        ...(added.includes('--handled-url') ? { handledUrl: 'http://127.0.0.1/{id}' } : {}),
        ...(added.includes('--rps with --duration') ? { load: { perSecond: 1, seconds: 1 } } : {}),
      }),
  }
}
