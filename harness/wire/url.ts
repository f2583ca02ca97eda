/**
 * Parses a URL; undefined if it is invalid. Used instead of `URL.canParse`, which in Node 20 rejects a URL with a letter of Latin-1 (`ü`, a
 * soft hyphen) after some thousand calls.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** A host without the brackets that a URL has around an IPv6 address. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** Returns the place that a URL leads to, whatever the scheme: a tunnel may end TLS. */
export function placeOf(url: string): string {
  const parsed = parsedUrl(url)
  return parsed === undefined ? url : `${parsed.host}${parsed.pathname}${parsed.search}`
}
