// The table of options against what else speaks of options: the schema of the configuration, the reporters, the page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describe, expect, it } from 'vitest'
import { loadSchema } from '../../fixtures/index.js'
import { reporters } from '../../harness/reporters/index.js'
import { optionsPage } from '../testing/options-page.js'
import { root } from '../testing/source-tree.js'
import { examples } from './examples.js'
import { hasGroups, optionGroups, shownOptions, type CommandEntry } from './option.js'
import { commands } from './options.js'
import { reporterNames } from './option-values.js'

const entries: readonly (readonly [string, CommandEntry])[] = Object.entries(commands)

/** Keys of the file that no option can express. */
const targetKeys = [
  '$schema',
  'from',
  'inboxes',
  'receiver',
  'triggers',
  'dns',
  'recipient',
  'public_host',
  'verifier',
  'client',
]

it.each(entries)('%s has no option twice', (_, { options }) => {
  const names = options.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

it('every key of the file is an option, or describes the target', () => {
  const { properties } = loadSchema('config') as { properties: object }
  const keys = entries.flatMap(([, { options }]) => options.flatMap(({ fileKey }) => fileKey?.split('.')[0] ?? []))
  expect([...new Set([...keys, ...targetKeys])].toSorted()).toEqual(Object.keys(properties).toSorted())
})

it('the reporters of the help are those there are', () => {
  expect(reporterNames).toEqual(Object.keys(reporters))
})

it.each(['run', 'receiver', 'sender', 'verifier', 'client', 'cleanup', 'observe', 'control check'] as const)(
  '%s has its options in groups, in their order',
  (path) => {
    expect(hasGroups(commands[path].options)).toBe(true)
    const ranks = shownOptions(commands[path]).map(({ group }) => optionGroups.findIndex((name) => name === group))
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other))
  },
)

describe.each([...examples])('the examples of %s', (path, lines) => {
  it.each(lines)('%s has options of this command', (line) => {
    expect(lines).toHaveLength(2)
    const [ours = ''] = line.split(' -- ')
    const options = entries.find(([name]) => name === path)?.[1].options ?? []
    const known = path === 'ui' ? [...commands.run.options, ...commands.receiver.options] : options
    const given = [...ours.matchAll(/ --([a-z-]+)/g)].map(([, name]) => name)
    expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(given))
    expect(ours).toContain(`conformance ${path}`)
  })
})

describe('docs/options.md', () => {
  it('is made of the table (npx vitest run bin/cli/options.test.ts -u)', async () => {
    const path = join(root, 'docs/options.md')
    const page = await format(optionsPage(), { ...(await resolveConfig(path)), filepath: path })
    await expect(page).toMatchFileSnapshot(path)
  })

  it('is what the README leads to', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(docs/options.md)')
  })
})
