/** The parsed URL, if valid. `URL.canParse` of Node 20 denies those with letters of Latin-1 once it has run often. */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
