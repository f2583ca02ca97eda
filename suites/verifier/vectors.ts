// One case for each signature vector of fixtures/vectors/signature.json. Its requirement is that of its flags; its result is `valid`,
// `invalid`, or `acceptable` if the interface is silent: then only a crash is a mismatch, and not even that if a header contains characters
// that no HTTP field has (a driver may use its language's class of headers), or if the signed body is invalid UTF-8; for a forged one a
// driver that died may have accepted it and failed to write it down, so the case is skipped. If the body contains an unpaired surrogate, a
// missing answer skips the case: many JSON parsers cannot represent it, so a driver cannot report it; only the holder of the secret can
// sign such a body. A class of headers may trim a value, as HTTP does: a delivery that is valid after trimming may be accepted.

import { isUtf8 } from 'node:buffer'
import { loadSignatureVectors } from '../../fixtures/index.js'
import { requirements, type RequirementId } from '../../spec/index.js'
import { show, sign, verifierCase, type VerifierVerdict } from '../../harness/authoring.js'
import { decides } from './deliveries.js'

const { flags, groups } = loadSignatureVectors()

/** Ids that cases had before their vector got another flag. */
const formerly: Readonly<Partial<Record<number, string>>> = { 1345: 'verifier/vectors/1345-plain' }

export const vectors = groups.flatMap(({ secret, tests }) =>
  tests.map((vector) =>
    verifierCase({
      id: `verifier/vectors/${String(vector.id).padStart(4, '0')}-${nameOf(vector.flags)}`,
      requirements: requirementsOf(vector.flags, vector.result),
      level: levelOf(vector),
      title: `${vector.comment} (${vector.result})`,
      ...(formerly[vector.id] === undefined ? {} : { formerly: [formerly[vector.id] ?? ''] }),
      async run({ verify, check, skip }) {
        const payload = Buffer.from(vector.payload_base64, 'base64')
        const verdict = await verify({ secret, headers: vector.headers, payload, now: vector.now })
        const isOrdinary = canBeSent(vector.headers) && isUtf8(payload)
        if (verdict.kind === 'broken' && vector.result === 'invalid' && !isUtf8(payload))
          skip(`the driver cannot report the result for a forged body with invalid UTF-8: ${verdict.how}`)
        if (verdict.kind === 'broken' && vector.result !== 'valid' && !isOrdinary) return
        if (verdict.kind === 'broken' && vector.result === 'acceptable' && !isWellFormed(payload))
          skip(`the driver cannot represent a lone surrogate: ${verdict.how}`)
        if (verdict.kind === 'accepted' && isRightOnceTrimmed({ ...vector, secret, payload })) return
        if (verdict.kind === 'broken')
          check.of('VFY-013').fatal.fail('answer of the verifier', 'accepted or refused', verdict.how)
        else if (vector.result === 'valid')
          decides(check, verdict, { due: 'accepted', what: whatOf(vector.flags), got: inWords(verdict) })
        else if (vector.result === 'invalid') decides(check, verdict, { due: 'refused', what: whatOf(vector.flags) })
      },
    }),
  ),
)

/** Names the check, with the sentence on its first flag: the mistake it finds, and what a wrong verdict costs. */
function whatOf([flag = '']: readonly string[]): string {
  const about = flags[flag]?.description.replace(/\.$/, '')
  return about === undefined ? 'verdict' : `verdict (${about})`
}

/** Returns whether no text of a JSON body contains an unpaired surrogate. */
function isWellFormed(payload: Buffer): boolean {
  let isWell = true
  const look = (key: string, value: unknown) => {
    if ([key, value].some((text) => typeof text === 'string' && /\p{Surrogate}/u.test(text))) isWell = false
    return value
  }
  try {
    JSON.parse(payload.toString(), look)
  } catch {
    return true
  }
  return isWell
}

/** Describes the verdict, with the reason of a refusal. */
function inWords(verdict: Exclude<VerifierVerdict, { kind: 'broken' }>): string {
  if (verdict.kind === 'accepted') return verdict.kind
  const why = [verdict.code, verdict.message].map((part) => (typeof part === 'string' ? part : show(part)))
  return `refused (${why.join(': ')})`
}

/** Whether every value is text that any container of headers takes. */
function canBeSent(headers: Readonly<Record<string, string>>): boolean {
  return Object.values(headers).every((value) => /^[\t\x20-\x7e]*$/.test(value))
}

/** Returns whether a delivery is correctly signed except for blanks around the values of its headers. */
function isRightOnceTrimmed({ secret, headers, payload }: TrimmedVector): boolean {
  const isTouched = Object.values(headers).some((value) => value !== value.trim())
  const value = (name: string) => (headers[name] ?? '').trim()
  const message = { id: value('webhook-id'), timestamp: value('webhook-timestamp'), body: payload }
  return isTouched && value('webhook-signature').split(' ').includes(sign(secret, message))
}

interface TrimmedVector {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Uint8Array
}

/**
 * Returns the level of its first requirement. A valid header over an unpaired surrogate is not among the things to refuse without a crash,
 * so a driver that cannot report it leaves no sentence open.
 */
function levelOf({ flags: names, result, payload_base64: payload }: Vector): 'must' | 'should' {
  if (result === 'acceptable' && !isWellFormed(Buffer.from(payload, 'base64'))) return 'should'
  return requirements[requirementsOf(names, result)[0]].level === 'should' ? 'should' : 'must'
}

type Vector = (typeof groups)[number]['tests'][number]

/** The first flag in kebab case. */
function nameOf(names: readonly string[]): string {
  return (names[0] ?? 'plain').replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
}

function requirementsOf(names: readonly string[], result: string): [RequirementId, ...RequirementId[]] {
  if (result === 'acceptable') return ['VFY-013']
  const ids = names
    .map((name) => flags[name]?.requirement)
    .filter((id): id is RequirementId => id !== undefined && id in requirements && id !== 'VFY-013')
  const [first, ...rest] = new Set(ids)
  return first === undefined ? ['VFY-004'] : [first, ...rest]
}
