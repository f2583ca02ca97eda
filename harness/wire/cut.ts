/**
 * The first `most` characters of a text, with `…` where something is missing. The mark matters: of a secret that was cut
 * in two, the part in front of it is found by it.
 */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The last `most` characters of a text, with `…` where something is missing. */
export function cutFront(text: string, most: number): string {
  return text.length > most ? `…${text.slice(-most)}` : text
}
