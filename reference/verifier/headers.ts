/** Headers in any of the forms a runtime hands them out: names in any case, values as text or lists of text. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>

/** The value of a header, its name in lower case; several values are joined by a blank. Undefined when it is missing. */
export function headerOf(headers: HeaderSource, name: string): string | undefined {
  if ('get' in headers && typeof headers.get === 'function')
    return (headers as { get(name: string): string | null }).get(name) ?? undefined
  if (Symbol.iterator in headers) {
    for (const [each, value] of headers as Iterable<readonly [string, string]>)
      if (each.toLowerCase() === name) return value
    return undefined
  }
  const plain = headers as Readonly<Record<string, string | readonly string[] | undefined>>
  const direct = Object.hasOwn(plain, name) ? plain[name] : undefined
  if (typeof direct === 'string') return direct
  for (const each in plain)
    if (each.toLowerCase() === name && Object.hasOwn(plain, each)) {
      const value = plain[each]
      return typeof value === 'string' || value === undefined ? value : value.join(' ')
    }
  return undefined
}
