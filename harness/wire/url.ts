/**
 * The parsed URL; undefined where it is none. In place of `URL.canParse`, which in Node 20 denies a URL with a letter of Latin-1
 * (`ü`, a soft hyphen) once it has run some thousand times.
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

/** Where what is sent to a url arrives, whatever the scheme: a tunnel may end TLS. */
export function placeOf(url: string): string {
  const parsed = parsedUrl(url)
  return parsed === undefined ? url : `${parsed.host}${parsed.pathname}${parsed.search}`
}
