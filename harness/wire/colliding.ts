const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Returns another base64 text of the length of `value` that differs in two neighbouring characters and has the same hash `factor * hash +
 * character` (31 in the `hashCode` of Java, 33 in many others). Undefined if there is none.
 */
export function collidingWith(value: string, factor: number): string | undefined {
  // Bits of the last character may mean nothing, so that it is left as it is.
  for (let at = 0; at < value.replace(/=+$/, '').length - 2; at++)
    for (const step of [1, -1]) {
      const pair = [value.charCodeAt(at) + step, value.charCodeAt(at + 1) - step * factor]
      const changed = pair.map((code) => String.fromCharCode(code))
      if (changed.every((character) => alphabet.includes(character)))
        return `${value.slice(0, at)}${changed.join('')}${value.slice(at + 2)}`
    }
  return undefined
}
