import type { Checks, Delivery, ReceiverContext } from '../../harness/authoring.js'
import { wrongEntryFor } from '../shared/forgeries/forgery.js'
import { forgeriesOf, reasonToSkip, type ForgeryGroup } from '../shared/forgeries/index.js'

/** The delivery with a signature that matches nothing. */
export function forged(delivery: Delivery): Delivery {
  return delivery.with({ signature: wrongEntryFor(delivery) })
}

/** Each forgery of a group, made of a fresh delivery, which the scheme has room for and whose official library refuses it. */
export function forgedOf(
  { delivery, scheme }: Pick<ReceiverContext, 'delivery' | 'scheme'>,
  group: ForgeryGroup,
): readonly { readonly bad: Delivery; readonly title: string }[] {
  return forgeriesOf(group).flatMap((forgery) => {
    if (reasonToSkip(forgery, scheme) !== undefined) return []
    const bad = forgery.make(delivery())
    return bad === undefined ? [] : [{ bad, title: forgery.title }]
  })
}

/** Sends the forgeries of a group; skips the case where the scheme has room for none. */
export async function refusesForgeries(
  context: ReceiverContext,
  group: ForgeryGroup,
  check: Checks = context.check,
): Promise<void> {
  const all = forgedOf(context, group)
  if (all.length === 0) {
    const [forgery] = forgeriesOf(group)
    const why = forgery === undefined ? undefined : reasonToSkip(forgery, context.scheme)
    context.leaveToOthers(why ?? `the scheme ${context.scheme.name} has no room for this`)
  }
  await context.forEach(all, ({ bad, title }) => context.refuses(bad, check, title))
}
