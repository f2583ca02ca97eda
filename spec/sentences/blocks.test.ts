import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blocksOf } from './blocks.js'
import { sentencesOf } from './index.js'

const text = readFileSync(new URL('../interface.md', import.meta.url), 'utf8')
const blocks = blocksOf(text)
const sentences = blocks.flatMap((block) =>
  block.kind === 'heading' ? [] : block.kind === 'table' ? block.rows.flatMap((row) => row.sentences) : block.sentences,
)

/** A text without the marks of Markdown and without blanks. */
const bare = (markdown: string) =>
  markdown
    .split('\n')
    .map((line) => (/^\|[\s|-]+\|$/.test(line) ? '' : line.replace(/^#+ /, '').replaceAll(/\|/g, '')))
    .join('')
    .replaceAll(/\s/g, '')

describe('the blocks of the interface', () => {
  it('are the whole text, in its order', () => {
    const words = blocks.flatMap((block) => {
      if (block.kind === 'heading') return [block.words]
      if (block.kind === 'table')
        return [
          ...block.head,
          ...block.rows.flatMap((row) => [...row.cells, ...row.sentences.map((sentence) => sentence.words)]),
        ]
      return [block.kind === 'item' ? block.mark : '', ...block.sentences.map((sentence) => sentence.words)]
    })
    expect(bare(words.join('\n'))).toBe(bare(text))
  })

  it('hold each sentence once, in its order', () => {
    expect(sentences.map((sentence) => sentence.text)).toEqual(sentencesOf(text).map((sentence) => sentence.text))
  })
})
