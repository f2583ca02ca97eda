import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openPoints, requirementIds } from '../index.js'
import { sentencesOf, unaccounted } from './index.js'

const text = readFileSync(new URL('../interface.md', import.meta.url), 'utf8')
const sentences = sentencesOf(text)

// Requirements quote it, so it is never reworded: no rule of wording or line length applies to this file.
it('interface.md is the text as it was given, apart from the padding of tables', () => {
  const unpadded = text.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---')
  expect(createHash('sha256').update(unpadded).digest('hex')).toBe(
    '690e8f66e12736e58fa5086c99cf370ba39ffb298178a227ef64ab456c5565a5',
  )
})

describe('the sentences of the interface', () => {
  it('are each accounted for, and no account is of a sentence that is not there', () => {
    expect(unaccounted(text)).toEqual([])
  })

  it.each([
    ['a sentence', text.replace('Newest first.', 'Newest first. Failed ones stand at the end.'), 'Failed ones stand'],
    ['a part of one', text.replace('maximum 100.', 'maximum 100; minimum 1.'), 'minimum 1.'],
    ['a row', text.replace('| thr_   | thread   |', '| thr_   | thread   |\n| em_ | email |'), 'em_ | email'],
    ['a sentence in a row', text.replace('Prefix `whk_`.', 'Prefix `whk_`. Never changes.'), 'id | Never changes.'],
    ['a list item', text.replace('2. Streamed', '2. Sent by pigeon.\n3. Streamed'), 'Sent by pigeon.'],
    ['a paragraph at the end', `${text}\nThe service sings.\n`, 'The service sings.'],
  ])('%s that is new is found', (_, changed, added) => {
    expect(unaccounted(changed).filter((fault) => fault.includes(`nothing accounts for: ${added}`))).toHaveLength(1)
  })

  it('one that is taken away is missed', () => {
    expect(unaccounted(text.replace('Answers `202`. ', ''))).toEqual([
      'not in the interface: #replay-a-delivery Answers `202`.',
    ])
  })

  it('name every requirement and every open point: for a new entry, add the sentence it is from to spec/sentences', () => {
    const named = new Set<string>(sentences.flatMap((sentence) => [...sentence.requirements, ...sentence.openPoints]))
    expect([...requirementIds, ...Object.keys(openPoints)].filter((id) => !named.has(id))).toEqual([])
  })

  it('are cut where they end, and nowhere else', () => {
    const texts = sentences.map((sentence) => sentence.text)
    expect(texts).toContain('event_types | string[] | Events to send, e.g. `message.received`.')
    expect(texts).toContain('Message: `id`, `codes` (array; the first element is the code extracted from the message).')
    expect(texts).toContain('`limit` defaults to 50')
    const [first] = sentences.filter((sentence) => sentence.text === 'Oldest first.')
    expect(first).toMatchObject({
      source: '#poll-events',
      line: text.split('\n').findIndex((line) => line.startsWith('- Oldest first.')) + 1,
    })
  })
})
