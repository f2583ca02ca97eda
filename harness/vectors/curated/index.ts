import type { VectorDocument } from '../vector.js'
import { bodies } from './bodies.js'
import { entries } from './entries.js'
import { headers } from './headers.js'
import { macs } from './macs.js'
import { vectorOf, type Topic } from './message.js'
import { secrets } from './secrets.js'
import { signedString } from './signed-string.js'
import { timestamps } from './timestamps.js'

const topics: readonly Topic[] = [signedString, entries, macs, timestamps, bodies, headers, secrets]

/** Groups of further curated vectors, topic by topic; their ids begin at 1001. */
export function furtherGroups(): VectorDocument['groups'] {
  const groups: VectorDocument['groups'][number][] = []
  for (const { from, build } of topics) {
    let id = from
    build((secret, key) => {
      const tests: VectorDocument['groups'][number]['tests'][number][] = []
      groups.push({ secret, tests })
      return (...test) => tests.push(vectorOf(id++, key, ...test))
    })
    if (id > from + 100) throw new Error(`the topic that begins at ${from} has outgrown its hundred ids`)
  }
  return groups
}
