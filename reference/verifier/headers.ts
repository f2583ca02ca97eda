/** Headers in any of the forms a runtime hands them out: names in any case, values as text or lists of text. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>

type Plain = Readonly<Record<string, unknown>>

/**
 * Returns the value of a header, its name in lower case; several values are joined by a blank. Undefined when it is missing or not a text.
 * Throws a `TypeError` for anything but headers.
 */
export function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) throw new TypeError('headers is not an object of headers')
  const direct = Object.hasOwn(headers, name) ? (headers as Plain)[name] : undefined
  if (typeof direct === 'string') return direct
  if (typeof Headers === 'function' && headers instanceof Headers) return headers.get(name) ?? undefined
  if (Symbol.iterator in headers) return valuesOf(name, headers as Iterable<readonly [string, string]>)
  if ('get' in headers && typeof headers.get === 'function') return textOf((headers.get as Getter)(name))
  return valuesOf(name, Object.entries(headers))
}

type Getter = (name: string) => unknown

/** The values of all headers of that name, joined: neither the first nor the last one alone counts. */
function valuesOf(name: string, entries: Iterable<readonly [string, unknown]>): string | undefined {
  const values: string[] = []
  for (const [header, value] of entries) {
    const text = header.toLowerCase() === name ? textOf(value) : undefined
    if (text !== undefined) values.push(text)
  }
  return values.length === 0 ? undefined : values.join(' ')
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.every((element) => typeof element === 'string') ? value.join(' ') : undefined
  return typeof value === 'string' ? value : undefined
}
