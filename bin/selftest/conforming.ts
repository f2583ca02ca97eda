import type { SubjectKind } from '../../spec/index.js'
import { clientVariants } from '../../reference/variants/client.js'
import { receiverVariants } from '../../reference/variants/receiver.js'
import { serverVariants } from '../../reference/variants/server.js'
import type { Variant } from '../../reference/variants/variant.js'
import { verifierVariants } from '../../reference/variants/verifier.js'
import type { Bench } from './bench.js'
import { clientBench, receiverBench, serviceBench, verifierBench } from './trials.js'

/** A subject that conforms: a reference, or one that decides open points otherwise. */
export interface ConformingTrial {
  readonly kind: SubjectKind
  /** Ids of the variants that are put together; empty is the reference as it is. */
  readonly variants: readonly string[]
  readonly seed: number
}

export interface Conviction {
  readonly caseId: string
  readonly message: string
}

/** Puts every case to a conforming subject; what did not pass, though it should. */
export async function tryConforming({ kind, variants, seed }: ConformingTrial): Promise<readonly Conviction[]> {
  const bench = await start(kind, variants, seed)
  try {
    const results = await bench.ask(bench.catalogue.map((each) => each.id))
    return results
      .filter((each) => each.status === 'failed' || each.status === 'errored')
      .map((each) => ({ caseId: each.id, message: each.message ?? each.reason ?? '' }))
  } finally {
    await bench.close()
  }
}

function start(kind: SubjectKind, ids: readonly string[], seed: number): Promise<Bench> {
  switch (kind) {
    case 'service':
      return serviceBench(policyOf(serverVariants, ids), seed)
    case 'receiver':
      return receiverBench(policyOf(receiverVariants, ids), seed)
    case 'verifier':
      return verifierBench(policyOf(verifierVariants, ids), seed)
    case 'client':
      return clientBench(policyOf(clientVariants, ids), seed)
  }
}

/** The policies of some variants in one. */
function policyOf<Policy>(variants: readonly Variant<Policy>[], ids: readonly string[]): Partial<Policy> {
  const chosen = variants.filter((each) => ids.includes(each.id))
  return Object.assign({}, ...chosen.map((each) => each.policy)) as Partial<Policy>
}

/** A variant of any kind: its id, and the entries of the policy that it replaces. */
type AnyVariant = Pick<Variant<object>, 'id' | 'policy'>

const variantsOf: Readonly<Record<SubjectKind, readonly AnyVariant[]>> = {
  service: serverVariants,
  receiver: receiverVariants,
  verifier: verifierVariants,
  client: clientVariants,
}

/** The ids of the variants of a kind. */
export function variantIds(kind: SubjectKind): readonly string[] {
  return variantsOf[kind].map((each) => each.id)
}

/**
 * Combinations in which every variant stands at least once, each as large as can be: two variants that replace the same
 * entry of the policy never stand together. The seed shuffles who meets whom.
 */
export function combinations(kind: SubjectKind, seed: number): readonly (readonly string[])[] {
  const variants = variantsOf[kind]
  const shuffled = shuffle(variants, seed)
  const groups: AnyVariant[][] = []
  for (const variant of shuffled) {
    const group = groups.find((each) => fits(variant, each))
    if (group === undefined) groups.push([variant])
    else group.push(variant)
  }
  for (const group of groups)
    for (const variant of shuffle(variants, seed + groups.indexOf(group) + 1))
      if (!group.includes(variant) && fits(variant, group)) group.push(variant)
  return groups.map((group) => group.map((each) => each.id))
}

/** One random combination: each variant with even odds, where it fits. */
export function randomCombination(kind: SubjectKind, seed: number): readonly string[] {
  const random = numbers(seed)
  const group: AnyVariant[] = []
  for (const variant of shuffle(variantsOf[kind], seed)) if (random() < 0.5 && fits(variant, group)) group.push(variant)
  return group.map((each) => each.id)
}

function fits(variant: AnyVariant, group: readonly AnyVariant[]): boolean {
  const entries = Object.keys(variant.policy)
  return group.every((each) => Object.keys(each.policy).every((entry) => !entries.includes(entry)))
}

function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const random = numbers(seed)
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

/** Random numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
