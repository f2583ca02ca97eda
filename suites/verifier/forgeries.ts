// VFY-001 to VFY-013, quoted in the registry; the catalogue names the one that a group of forgeries breaks.
//
// Reading: the catalogue is the same for every kind of subject and every signature scheme. A verifier decides within a millisecond, so it
// gets each of its forgeries. Documented differences of a scheme's official library are left out.

import { requirements } from '../../spec/index.js'
import { verifierCase } from '../../harness/authoring.js'
import {
  forgeries,
  forgeriesOf,
  reasonToSkip,
  requirementsOfGroups,
  type ForgeryGroup,
} from '../shared/forgeries/index.js'
import { decides } from './deliveries.js'

const groups = [...new Set(forgeries.map(({ group }) => group))]

const titles: Readonly<Record<ForgeryGroup, string>> = {
  'missing-id': 'a delivery without its id is refused',
  'missing-timestamp': 'a delivery without its timestamp is refused',
  'missing-signature': 'a delivery without its signature is refused',
  'wrong-value': 'a signature of the right form that does not match is refused',
  'part-of-value': 'parts of the right signature, and changed ones, are refused',
  'other-key': 'a delivery signed with another, an empty or an undecoded secret is refused',
  'other-hash': 'a signature of any other algorithm is refused',
  'other-content': 'a signature over other parts of the delivery is refused',
  changed: 'a delivery with a changed id, timestamp or body is refused',
  'hostile-body': 'a body that breaks parsers is refused because of its signature',
  version: 'the right value under another label is refused',
  'loose-entry': 'an entry that only a lenient decoder accepts is refused',
  'malformed-signature': 'a malformed signature is refused',
  'respelled-timestamp': 'the signed timestamp in another spelling is refused',
  'malformed-timestamp': 'a timestamp that is not a number is refused',
  stale: 'a delivery of days ago is refused',
  future: 'a delivery of days ahead is refused',
  several: 'the right entry among several is enough, wherever it is',
  beside: 'entries of other versions do not spoil the right one',
  'beside-malformed': 'malformed entries do not spoil the right one',
}

export const forgeryCases = groups.map((group) => {
  const requirement = requirementsOfGroups[group].verifier
  return verifierCase({
    id: `verifier/forgeries/${group}`,
    requirements: [requirement],
    level: requirements[requirement].level === 'should' ? 'should' : 'must',
    title: titles[group],
    timeoutMs: 120_000,
    async run({ scheme, delivery, clock, verifyDelivery, check, require, leaveToOthers }) {
      const at = await clock()
      const control = await verifyDelivery(delivery(at.now), at)
      if (control.kind === 'broken') require.of('VFY-004').fail('answer to a valid delivery', 'accepted', control.how)
      else require.of('VFY-004').equal('verdict on a valid delivery', control.kind, 'accepted')
      const all = forgeriesOf(group, { isDense: true })
      const usable = all.filter((forgery) => reasonToSkip(forgery, scheme) === undefined)
      const [first] = all
      if (usable.length === 0 && first !== undefined) leaveToOthers(reasonToSkip(first, scheme) ?? 'no room for it')
      for (const { title, expected, make } of usable) {
        const bad = make(delivery(at.now))
        if (bad === undefined || expected === 'either') continue
        const verdict = await verifyDelivery(bad, at)
        if (verdict.kind === 'broken') check.of('VFY-013').fail(`answer to ${title}`, expected, verdict.how)
        else decides(check, verdict, { due: expected, what: `verdict on ${title}` })
      }
    },
  })
})
