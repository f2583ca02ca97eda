const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
}

/** Why there was no connection, for people: the system's word, with what it means where that is known. */
export function connectionWords(code: string): string {
  const meaning = meanings[code]
  return meaning === undefined ? code : `${code}: ${meaning}`
}
