import { requirements, type Requirement, type RequirementId } from '../../spec/index.js'
import type { CaseResult, Mismatch } from '../result.js'

/** The requirement of an id; undefined where a report of another version names one that is not known. */
export function findRequirement(id: RequirementId): Requirement | undefined {
  return Object.hasOwn(requirements, id) ? requirements[id] : undefined
}

/** Text without what differs from one case to the next: ids, numbers, times. */
export function plainText(text: string): string {
  return text
    .replace(/^"(.*)"$/, '$1')
    .replace(/\b(?:evt|whk|msg|ibx|thr|org|wsp|eml|dlv)_[\w-]+/g, (id) => `${id.slice(0, 4)}…`)
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/ \(<time>(?: to <time>)?\)/g, '')
    .replace(/\b\d+\.\d+(?= s\b)/g, (measured) => Math.round(Number(measured)).toString())
    .replace(/\b\d{4,}\b/g, 'N')
    .trim()
}

/** The first mismatch of a case without ids and numbers: cases that fail alike have the same. */
export function failureKey({ checks: [first] = [], violates = [] }: CaseResult): string {
  if (first === undefined) return ''
  // All wrongly decided deliveries look alike, so the requirement identifies them.
  const sentence = first.decided === undefined ? '' : `${violates.join(' ')}: `
  return `${sentence}${mismatchInWords(first)}`
}

function mismatchInWords({ what, expected, got }: Mismatch): string {
  return `${plainText(what)}: expected ${plainText(expected)}, got ${plainText(got)}`
}

/** Each text once, the most frequent first. */
export function mostFrequent(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text)
}
