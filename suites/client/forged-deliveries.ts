// CLI-048  "`verifyWebhook` checks the signature and returns the parsed event."
// CLI-050  "`verifyWebhook` throws `WebhookVerificationError` for a delivery it refuses."
// CLI-051  "`webhooks.verify` is the same function."
//
// Reading: the rules for a signature are those of every verifier in the interface (#webhook-signature), so the catalogue of forgeries is that
// of every kind of subject.

import { clientCase } from '../../harness/authoring.js'
import type { ForgeryGroup } from '../shared/forgeries/index.js'
import { valueOf } from './shared/expectations.js'
import { checkForgeries } from './shared/forgery-checks.js'
import { signed, verificationWays, type VerificationWay } from './shared/signed-deliveries.js'

/** Cases of the catalogue: each checks some groups of forgeries. */
const ofCatalogue: readonly (readonly [
  name: string,
  level: 'must' | 'should',
  does: string,
  groups: readonly ForgeryGroup[],
])[] = [
  [
    'refuses-what-is-not-signed',
    'must',
    'refuses incomplete deliveries, and those of another secret, with an error that has code and message',
    ['missing-id', 'missing-timestamp', 'missing-signature', 'other-key'],
  ],
  [
    'takes-any-entry-that-matches',
    'must',
    'accepts a delivery if any one of several entries matches',
    ['several', 'beside-malformed'],
  ],
  [
    'ignores-entries-of-other-versions',
    'must',
    'refuses a matching signature under another version',
    ['version', 'beside'],
  ],
  [
    'refuses-what-is-nearly-signed',
    'must',
    'refuses altered signatures and malformed timestamps, even if signed',
    ['wrong-value', 'part-of-value', 'malformed-signature', 'malformed-timestamp'],
  ],
  [
    'refuses-what-is-signed-otherwise',
    'must',
    'refuses a MAC of another hash or input',
    ['other-hash', 'other-content'],
  ],
  // Another spelling lets no attacker forge or replay a delivery: refusing it is advice.
  [
    'refuses-another-spelling-of-the-timestamp',
    'should',
    'refuses the signed timestamp in another spelling',
    ['respelled-timestamp'],
  ],
]

/** The requirements of a refusal. */
const refusedBy = ({ requirement }: VerificationWay): readonly ['CLI-048' | 'CLI-051', ...'CLI-050'[]] =>
  requirement === 'CLI-048' ? ['CLI-048', 'CLI-050'] : ['CLI-051']

function casesOf(way: VerificationWay) {
  const { name, title, requirement, verifyWith } = way
  return ofCatalogue.map(([slug, level, does, groups]) =>
    clientCase({
      id: `client/verification/${name}-${slug}`,
      requirements: slug === 'refuses-what-is-not-signed' ? refusedBy(way) : [requirement],
      level,
      title: `${title} ${does}`,
      async run(context) {
        const verify = await verifyWith(context)
        valueOf(context.require, title, await verify(signed(context.unique())))
        for (const group of groups) await checkForgeries(context, verify, { group, requirement })
      },
    }),
  )
}

export const forgedDeliveries = verificationWays.flatMap(casesOf)
