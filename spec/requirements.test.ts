import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openPoints, requirementIds, requirements } from './index.js'

const text = readFileSync(new URL('interface.md', import.meta.url), 'utf8')

/** Headings of the interface as the anchors a Markdown reader makes of them. */
const anchors = new Set(
  [...text.matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .trim()
        .replaceAll(' ', '-')}`,
  ),
)

describe('requirements', () => {
  it('have ids of an area and three digits', () => {
    for (const id of requirementIds) expect(id).toMatch(/^[A-Z]{3,5}-\d{3}$/)
  })

  it('are numbered without gaps, so that a withdrawn one is missed', () => {
    const areas = groupByArea()
    for (const [area, ids] of areas)
      expect(ids, String(area)).toEqual(ids.map((_, index) => `${area}-${String(index + 1).padStart(3, '0')}`))
  })

  it('name a heading of the interface as their source', () => {
    for (const id of requirementIds)
      expect(anchors, `${id} ${requirements[id].source}`).toContain(requirements[id].source)
  })

  it('all differ', () => {
    const texts = requirementIds.map((id) => `${requirements[id].subject} ${requirements[id].text}`)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('cover every kind of target', () => {
    for (const subject of ['service', 'receiver', 'verifier', 'client', 'sender'])
      expect(requirementIds.filter((id) => requirements[id].subject === subject).length).toBeGreaterThan(15)
  })
})

describe('open points', () => {
  it('name a heading of the interface as their source', () => {
    for (const [name, { source }] of Object.entries(openPoints)) expect(anchors, `${name} ${source}`).toContain(source)
  })
})

function groupByArea(): Map<string, string[]> {
  const areas = new Map<string, string[]>()
  for (const id of requirementIds)
    areas.set(id.slice(0, id.indexOf('-')), [...(areas.get(id.slice(0, id.indexOf('-'))) ?? []), id])
  return areas
}
