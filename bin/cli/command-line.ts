/** A word as a POSIX shell reads it back. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Returns the variable with a secret for a line to copy, never the value. */
export function secretWord(variable: string): string {
  return `"$${variable}"`
}
