import jsTokens from 'js-tokens'

/** One replaced place of the source. */
export interface Patch {
  /** Below `reference/`, as it is written: `server/engine/delivery-engine.ts`. */
  readonly file: string
  /**
   * Code that occurs in the file exactly once. Blanks, comments, quotes, semicolons and trailing commas do not matter. It is searched for
   * in the built file, so it must not contain types.
   */
  readonly find: string
  /** JavaScript that takes its place. What it keeps between requests is a member of `ownState`. */
  readonly replace: string
}

/** Part of a text: from `start` up to `end`. */
export interface Place {
  readonly start: number
  readonly end: number
}

interface PlacedToken extends Place {
  readonly value: string
}

const unwritten: ReadonlySet<string> = new Set([
  'WhiteSpace',
  'LineTerminatorSequence',
  'SingleLineComment',
  'MultiLineComment',
  'HashbangComment',
])

/**
 * Returns the places of `find` in a source. Tokens are compared, so that it matches the TypeScript source and the output of any compiler:
 * blanks, comments, semicolons, the kind of quotes, the form of a number or undefined and a comma at the end do not matter.
 */
export function placesOf(find: string, source: string): readonly Place[] {
  const wanted = tokensOf(find)
  const tokens = tokensOf(source)
  const places: Place[] = []
  for (let at = 0; wanted.length > 0 && at + wanted.length <= tokens.length; at++) {
    if (!wanted.every(({ value }, index) => tokens[at + index]?.value === value)) continue
    places.push({ start: tokens[at]?.start ?? 0, end: tokens[at + wanted.length - 1]?.end ?? 0 })
  }
  return places
}

/** Applies every patch to a source, one after the other. Throws if a `find` does not occur in it exactly once. */
export function patched(source: string, patches: readonly Patch[]): string {
  return patches.reduce((text, { file, find, replace }) => {
    const places = placesOf(find, text)
    const [place] = places
    if (place === undefined || places.length > 1)
      throw new Error(`found ${places.length} times in ${file}, expected once: ${find}`)
    return text.slice(0, place.start) + replace + text.slice(place.end)
  }, source)
}

/** Returns whether patches keep something between requests, so that no two loaded copies may share it. */
export const keepsState = (patches: readonly Patch[]): boolean =>
  patches.some(({ replace }) => /\bownState\b/.test(replace))

function tokensOf(source: string): readonly PlacedToken[] {
  const tokens: PlacedToken[] = []
  let start = 0
  for (const { type, value } of jsTokens(source)) {
    const end = start + value.length
    if (!unwritten.has(type) && value !== ';') {
      const isClosing = value === ')' || value === ']' || value === '}'
      if (isClosing && tokens.at(-1)?.value === ',') tokens.pop()
      const isVoid = value === '0' && tokens.at(-1)?.value === 'void'
      if (isVoid) tokens.push({ value: 'undefined', start: tokens.pop()?.start ?? start, end })
      else tokens.push({ value: normalised(type, value), start, end })
    }
    start = end
  }
  return tokens
}

function normalised(type: string, value: string): string {
  if (type === 'StringLiteral') return `'${value.slice(1, -1).replaceAll(/\\(['"])/g, '$1')}'`
  if (type === 'NumericLiteral' && !value.endsWith('n')) return String(Number(value.replaceAll('_', '')))
  return value
}
