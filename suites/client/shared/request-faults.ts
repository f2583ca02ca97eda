// CLI-001, CLI-012, CLI-037: the parts of every request.
// CLI-021 to CLI-026, CLI-052, CLI-058, CLI-067: idempotency keys.
//
// Later attempts repeat the first request; their headers may differ, since a library may number its attempts. The key of a caller goes with
// every method: with GET, PATCH and DELETE that is advice, so it is found only where a script gives one.

import type { RequirementId } from '../../../spec/index.js'
import type { ReceivedRequest } from '../../../harness/authoring.js'
import { credentialOf } from './expectations.js'
import { isPost, type Method } from './methods.js'
import { findAbsentArguments, findContentFaults, requirementsOfRequest } from './request-model.js'
import { describeCall, hasOpenRequests, type Exchange, type Fault, type ObservedCall, type Script } from './script.js'

/** What every request of a client carries, whatever it is for. */
export interface CommonParts {
  readonly apiKey: string
  /** The value of the extra header `x-probe` of the client. */
  readonly probe: string
}

/** The requirement of the automatic key, by method. */
const ofAutomaticKey: Readonly<Record<string, RequirementId>> = {
  'emails.send': 'CLI-021',
  'emails.batch': 'CLI-022',
  'messages.send': 'CLI-023',
  'messages.reply': 'CLI-024',
}

/** Returns the faults in the content of the requests of a call. */
export function findRequestFaults(script: Script, call: ObservedCall, carried: CommonParts): readonly Fault[] {
  const requests = call.exchanges.map(({ request }) => request)
  return [
    ...requests.flatMap((request, index) => {
      const what = `request ${index + 1} of ${describeCall(script)}`
      return [
        ...findCommonFaults(what, request, { method: script.method, carried }),
        ...findAbsentArguments(what, request, script.method),
      ]
    }),
    ...findContentFaults(script, call),
    ...findRepeatFaults(script, call.exchanges),
    ...findKeyFaults(script, call, requests),
  ]
}

function findCommonFaults(
  what: string,
  { headers, json }: ReceivedRequest,
  { method, carried }: { readonly method: Method; readonly carried: CommonParts },
): readonly Fault[] {
  const faults: Fault[] = []
  const due = (blames: readonly RequirementId[], part: string, got: unknown, value: unknown) => {
    if (got !== value) faults.push({ blames, what: `${part} of ${what}`, expected: { value }, got })
  }
  due(['CLI-001'], 'header authorization', credentialOf({ headers }), `Bearer ${carried.apiKey}`)
  due(['CLI-012'], 'header x-probe, an extra header of the client,', headers['x-probe'], carried.probe)
  const type = headers['content-type']?.toLowerCase().split(';')[0]?.trim()
  const ofType: readonly RequirementId[] = [...requirementsOfRequest(method), 'CLI-037']
  if (json !== undefined) due(ofType, 'header content-type', type, 'application/json')
  return faults
}

/** Differences of later attempts; of a method with requests of several kinds each kind is compared by itself. */
function findRepeatFaults(script: Script, exchanges: readonly Exchange[]): readonly Fault[] {
  const first = new Map<string, string>()
  return exchanges.flatMap(({ request }, index) => {
    const kind = `${request.method} ${hasOpenRequests(script.method) ? request.path : ''}`
    const content = JSON.stringify([request.path, [...request.query].toSorted(), request.json ?? request.body])
    const value = first.get(kind) ?? content
    first.set(kind, value)
    if (content === value) return []
    const what = `path, query and body of attempt ${index + 1} of ${describeCall(script)}`
    return [{ blames: ['CLI-014', 'CLI-013', 'CLI-015'] as const, what, expected: { value }, got: content }]
  })
}

function findKeyFaults(
  script: Script,
  { ownKey }: ObservedCall,
  requests: readonly ReceivedRequest[],
): readonly Fault[] {
  const { method } = script
  const what = `header idempotency-key of each attempt of ${describeCall(script)}`
  if (ownKey !== undefined) {
    // A method without a shown path may make other requests too.
    const carrying = requests.find((request) => keyOf(request) === ownKey)
    const isAttempt = (request: ReceivedRequest) =>
      request.method === carrying?.method && request.path === carrying.path
    const keys = (hasOpenRequests(method) && carrying !== undefined ? requests.filter(isAttempt) : requests).map(keyOf)
    const isCarried = keys.length > 0 && keys.every((key) => key === ownKey)
    return isCarried ? [] : [{ blames: blamesOfOwnKey(method), what, expected: ownKey, got: keys }]
  }
  const blames = ofAutomaticKey[method.name]
  if (blames === undefined || requests.length === 0) return []
  const [first, ...others] = requests.map(keyOf)
  if (first === undefined || first === '') return [{ blames: [blames], what, expected: 'a string', got: first }]
  if (others.every((key) => key === first)) return []
  const ofLater: readonly RequirementId[] = method.name.startsWith('emails.') ? ['CLI-025'] : [blames]
  return [{ blames: ofLater, what, expected: 'the same key', got: [first, ...others] }]
}

function blamesOfOwnKey(method: Method): readonly RequirementId[] {
  const ofMessages = ofAutomaticKey[method.name]
  const ofSends: readonly RequirementId[] = ofMessages === undefined ? [] : ['CLI-026', ofMessages]
  return isPost(method) ? [...ofSends, 'CLI-058'] : ['CLI-067']
}

/** Returns the key of a request. */
function keyOf({ headers }: ReceivedRequest): string | undefined {
  return headers['idempotency-key']
}

/** Returns the faults in the keys of several calls: each has its own key, and none has one that a caller gave before. */
export function findSharedKeys(
  calls: readonly { readonly script: Script; readonly call: ObservedCall }[],
): readonly Fault[] {
  const seen = new Set<string>()
  return calls.flatMap(({ script, call }) => {
    const [exchange] = call.exchanges
    const key = exchange === undefined ? undefined : keyOf(exchange.request)
    const isShared = key !== undefined && seen.has(key)
    if (key !== undefined) seen.add(key)
    if (!isShared || ofAutomaticKey[script.method.name] === undefined || call.ownKey !== undefined) return []
    const blames = ['CLI-052', 'CLI-026', ofAutomaticKey[script.method.name] ?? 'CLI-052'] as const
    return [
      {
        blames,
        what: `header idempotency-key of ${describeCall(script)}`,
        expected: 'one that no other call had',
        got: key,
      },
    ]
  })
}
