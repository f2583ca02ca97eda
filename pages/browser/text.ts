import { unhidden as visible } from '../../harness/reporters/text.js'

export { counted } from '../../harness/counted.js'
export { shortened, unhidden as visible } from '../../harness/reporters/text.js'

/** One line, for places that have room for one. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', ' ')
}

/** A duration as it is read best. */
export function readableMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Seconds as `18 h 35 min 5 s`. */
export function readableSeconds(seconds: number): string {
  const rounded = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(rounded / 3600), Math.floor((rounded % 3600) / 60), rounded % 60]
  const words = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '', rest > 0 ? `${rest} s` : '']
  return words.filter((word) => word !== '').join(' ') || '0'
}

/** The bytes that a base64 text stands for; none where it stands for nothing. */
export function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** The day and the time of an instant: `2026-01-02 03:04:05 UTC`. */
export function dayAndTime(instant: string): string {
  return visible(instant.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))
}

/** The time of day of an instant, in the reader's format; other text is unchanged. */
export function clock(instant: string | number): string {
  const at = new Date(instant)
  return Number.isNaN(at.getTime()) ? visible(String(instant)) : at.toLocaleTimeString([], { hour12: false })
}

/** A test whether a text contains every word of a search. */
export function searchFor(words: string): (text: string) => boolean {
  const searched = words.toLowerCase().split(/\s+/)
  return (text) => {
    const lower = text.toLowerCase()
    return searched.every((word) => lower.includes(word))
  }
}

/** Items by key, in the order of the first of each. */
export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
