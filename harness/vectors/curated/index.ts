// The vectors of fixtures/vectors/signature.json, topic by topic.
import { keyOf } from '../../wire/signing.js'
import { vectorFlags } from '../flags.js'
import { vectorSchema, type Vector, type VectorDocument } from '../vector.js'
import { bodies } from './bodies.js'
import { entries } from './entries.js'
import { headers } from './headers.js'
import { macs } from './macs.js'
import { vectorOf, type Topic } from './message.js'
import { plain } from './plain.js'
import { secrets } from './secrets.js'
import { signedString } from './signed-string.js'
import { timestamps } from './timestamps.js'

const topics: readonly Topic[] = [plain, signedString, entries, macs, timestamps, bodies, headers, secrets]

interface Group {
  readonly secret: string
  readonly tests: Vector[]
}

/** The curated document. Ids are permanent: a new test goes to the end of the last part of its topic. */
export function curatedVectors(): VectorDocument {
  const groups: Group[] = []
  const parts = topics.flat().sort((one, other) => one.from - other.from)
  for (const [index, { from, isFirst = false, build }] of parts.entries()) {
    let id = from
    build((secret, key = keyOf(secret)) => {
      const { tests } = (isFirst ? groups.find((group) => group.secret === secret) : undefined) ?? added(groups, secret)
      return (...test) => tests.push(vectorOf({ id: id++, key, isFirst }, ...test))
    })
    const end = parts[index + 1]?.from ?? from + 100
    if (id > end) throw new Error(`the part that begins at ${from} has outgrown its ids`)
  }
  const count = groups.reduce((sum, { tests }) => sum + tests.length, 0)
  return { schema: vectorSchema, seed: 0, count, flags: vectorFlags, groups }
}

function added(groups: Group[], secret: string): Group {
  const group: Group = { secret, tests: [] }
  groups.push(group)
  return group
}
