import type { Patch } from '../../patching/patch.js'
import { Random } from '../../../harness/vectors/index.js'
import type { RequirementId, SubjectKind } from '../../../spec/index.js'
import { clientVariants } from '../../variants/client.js'
import { receiverVariants } from '../../variants/receiver.js'
import { senderVariants } from '../../variants/sender.js'
import { serverVariants } from '../../variants/server.js'
import { verifierVariants } from '../../variants/verifier.js'
import type { StartedSubject } from './started-subject.js'
import { withVariants } from '../../../bin/reference/deviations.js'
import { startClient, startReceiver, startSender, startService, startVerifier } from './trials.js'
import { ignoredByIndependent, startIndependentTrial, type IndependentTrial } from './independent.js'

/** A conforming subject: a reference, or one with other decisions on open points. */
export interface ConformingTrial {
  readonly kind: SubjectKind
  /** Ids of the variants that are put together; empty is the reference as it is. */
  readonly variants: readonly string[]
  readonly seed: number
  /** Used instead of a reference: a service or a client that shares no code with it. */
  readonly independent?: IndependentTrial
}

export interface FalsePositive {
  readonly caseId: string
  readonly message: string
}

/** Puts every case to a conforming subject; what did not pass, though it should. */
export async function tryConforming(trial: ConformingTrial): Promise<readonly FalsePositive[]> {
  const { kind, variants, seed, independent } = trial
  const started = await (independent === undefined
    ? start(kind, variants, seed)
    : startIndependentTrial(independent, seed))
  try {
    const results = await started.runCases(started.catalogue.map((testCase) => testCase.id))
    const ignored = independent === undefined ? ignoredBy(kind, variants) : ignoredByIndependent(independent)
    return results
      .filter((result) => result.status === 'failed' || result.status === 'errored')
      .filter(({ level, violates = [] }) => level === 'must' || !violates.some((id) => ignored.has(id)))
      .map((result) => ({ caseId: result.id, message: result.message ?? result.reason ?? '' }))
  } finally {
    await started.close()
  }
}

async function start(kind: SubjectKind, ids: readonly string[], seed: number): Promise<StartedSubject> {
  const chosen = <Each extends { readonly id: string }>(variants: readonly Each[]) =>
    variants.filter((variant) => ids.includes(variant.id))
  switch (kind) {
    case 'service':
      return startService(await withVariants('server', chosen(serverVariants)), seed)
    case 'receiver':
      return startReceiver(await withVariants('receiver', chosen(receiverVariants)), seed, {
        reportsHandled: ids.length === 0 || ids.some((id) => reportHandled.has(id)),
      })
    case 'verifier':
      return startVerifier(await withVariants('verifier', chosen(verifierVariants)), seed)
    case 'sender':
      return startSender(await withVariants('sender', chosen(senderVariants)), seed)
    case 'client':
      return startClient(await withVariants('client', chosen(clientVariants)), seed)
  }
}

/** Receivers that conform only if they report their handled events: those that answer a forgery with a 2xx. */
const reportHandled: ReadonlySet<string> = new Set(['receiver/drops-forgeries'])

/** The advice that some variants do not follow. */
function ignoredBy(kind: SubjectKind, ids: readonly string[]): ReadonlySet<RequirementId> {
  return new Set(variantsOf[kind].flatMap((variant) => (ids.includes(variant.id) ? (variant.ignores ?? []) : [])))
}

/** A variant of any kind, and what it replaces. */
interface AnyVariant {
  readonly id: string
  readonly ignores?: readonly RequirementId[]
  readonly isAlone?: true
  readonly hidesCases?: true
  readonly policy: object
  readonly patch?: readonly Patch[]
}

const variantsOf: Readonly<Record<SubjectKind, readonly AnyVariant[]>> = {
  service: serverVariants,
  receiver: receiverVariants,
  verifier: verifierVariants,
  client: clientVariants,
  sender: senderVariants,
}

/** The ids of the variants of a kind. */
export function variantIds(kind: SubjectKind): readonly string[] {
  return variantsOf[kind].map((variant) => variant.id)
}

/**
 * Returns combinations that contain every variant at least once, each as large as possible: two variants that replace the same entry of the
 * policy, or the same place of the code, are never together. The seed shuffles the pairs. A variant that hides cases is in one alone; those
 * that are judged alone are last.
 */
export function combinations(kind: SubjectKind, seed: number): readonly (readonly string[])[] {
  const variants = variantsOf[kind].filter((variant) => variant.isAlone !== true)
  const shuffled = shuffle(variants, seed)
  const groups: AnyVariant[][] = []
  for (const variant of shuffled) {
    const group = groups.find((candidate) => fits(variant, candidate))
    if (group === undefined) groups.push([variant])
    else group.push(variant)
  }
  for (const group of groups)
    for (const variant of shuffle(variants, seed + groups.indexOf(group) + 1))
      if (variant.hidesCases !== true && !group.includes(variant) && fits(variant, group)) group.push(variant)
  const alone = variantsOf[kind].filter((variant) => variant.isAlone === true).map((variant) => [variant])
  return [...groups, ...alone].map((group) => group.map((variant) => variant.id))
}

/** One random combination: each variant with even odds, where it fits. */
export function randomCombination(kind: SubjectKind, seed: number): readonly string[] {
  const random = new Random(seed)
  const group: AnyVariant[] = []
  for (const variant of shuffle(variantsOf[kind], seed))
    if (variant.isAlone !== true && random.fraction() < 0.5 && fits(variant, group)) group.push(variant)
  return group.map((variant) => variant.id)
}

function fits(variant: AnyVariant, group: readonly AnyVariant[]): boolean {
  const places = replacedBy(variant)
  return group.every((variant) => replacedBy(variant).every((place) => !places.includes(place)))
}

/** The entries of the policy and the places of the code that a variant replaces. */
export function replacedBy({ policy, patch = [] }: Pick<AnyVariant, 'policy' | 'patch'>): readonly string[] {
  return [...Object.keys(policy), ...patch.map(({ file, find }) => `${file}: ${find}`)]
}

function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const random = new Random(seed)
  return items
    .map((item) => ({ item, at: random.fraction() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
