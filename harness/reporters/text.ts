// Text that a stranger wrote, as it may be shown: in terminals, build logs, XML, HTML and pages. It imports nothing, since pages load it too.

/** Control characters, marks that turn the direction of text, invisible characters, lone surrogates; not tab and line feed. */
const unsafeCharacters =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text of a target: what would turn or hide other text becomes visible. */
export function unhidden(text: string): string {
  return text.replace(unsafeCharacters, codeOf)
}

/** {@link unhidden}, and harmless: whatever a terminal or a build log would obey becomes visible too. */
export function visible(text: string): string {
  // Build logs read `##[…]`, `##vso[…]` and `##teamcity[…]` as commands anywhere in a line.
  return unhidden(text).replace(/##(?=\w*\[)/g, `#${codeOf('#')}`)
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One line: {@link visible}, with line breaks shown. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', ' ')
}

/** Cuts after this many characters, never within a surrogate pair. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most
  return `${text.slice(0, end)}…`
}

/** Cuts after this many characters. If the first of `words` that occurs is after the cut, half of them are the text around it. */
export function shortenedAround(text: string, most: number, words: readonly string[]): string {
  const word = words.find((candidate) => text.includes(candidate)) ?? ''
  const at = text.indexOf(word)
  if (text.length <= most || at + word.length < most) return shortened(text, most)
  const half = Math.floor(most / 2)
  const around = text.slice(Math.max(half, at - Math.floor(half / 4))).replace(/^[\udc00-\udfff]/, '')
  return `${shortened(text, half)} ${shortened(around, half)}`
}

/** Characters that XML and HTML would read, as entities; those XML cannot hold are dropped. */
export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** `a, b or c`. */
export function listed(names: readonly string[], word: 'and' | 'or'): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1) ?? ''}`
}
