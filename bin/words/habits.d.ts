/** Returns the first habit in a text, if any: the words that match, and what to write instead. */
export function findHabit(text: string): { readonly words: string; readonly advice: string } | undefined
