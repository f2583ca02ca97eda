// Captures as tools write them, each with the one requirement that its traffic breaks, or none.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { judgeFiles, TrafficJudge } from './index.js'

const folder = fileURLToPath(new URL('../../fixtures/traffic/', import.meta.url))

const captures: Readonly<Record<string, { readonly breaks: readonly string[]; readonly notes?: readonly RegExp[] }>> = {
  'gzip-left-compressed.har': { breaks: [] },
  'next-attempt-in-the-past.har': { breaks: ['DLV-020'] },
  'poll-lost-last-of-page.har': { breaks: ['POL-008'] },
  'redirect-followed.har': { breaks: ['DLV-009'] },
  'response-code-contradicts.har': { breaks: ['DLV-018'] },
  'truncated-bodies.har': { breaks: [], notes: [/^bodies that were not evaluated: 4 cut off$/] },
}

test.each(Object.entries(captures))('%s is judged for what it holds', async (name, { breaks, notes = [] }) => {
  const judge = new TrafficJudge()
  const reported: string[] = []
  const onNote = (note: string) => void reported.push(note)
  await judgeFiles(judge, { paths: [`${folder}${name}`], address: undefined, secrets: [], onNote })
  judge.finish()
  expect([...judge.ledger.findings.keys()]).toEqual(breaks)
  for (const note of notes) expect([...reported, ...judge.ledger.notes]).toContainEqual(expect.stringMatching(note))
})

test('every capture of the folder is in the table', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(captures).sort())
})
