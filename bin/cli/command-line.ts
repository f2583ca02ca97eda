/** A word as a POSIX shell reads it back. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A secret as it stands in a line to copy: the variable that holds it, never the value. */
export function secretWord(variable: string): string {
  return `"$${variable}"`
}
