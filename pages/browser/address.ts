import { useEffect, useState } from 'preact/hooks'

/** The names and values in the fragment of the address, each name once. */
export type Address = ReadonlyMap<string, string>

/** The fragments of reports before this one: a case, or a requirement. */
function readOlder(fragment: string): Address | undefined {
  const [, caseId] = /^case-(.+)$/.exec(fragment) ?? []
  if (caseId !== undefined) return new Map([['case', caseId]])
  if (/^[A-Z]{3,5}-\d{3}$/.test(fragment))
    return new Map([
      ['tab', 'requirements'],
      ['at', fragment],
    ])
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function readAddress(): Address {
  const fragment = location.hash.slice(1)
  return readOlder(decoded(fragment)) ?? new Map(new URLSearchParams(fragment))
}

/** The address with some names changed; an empty value takes a name away. */
export function addressWith(address: Address, change: Readonly<Record<string, string>>): string {
  const next = new Map([...address, ...Object.entries(change)])
  const words = [...next].filter(([, value]) => value !== '')
  const fragment = words
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%2C', ',')}`)
    .join('&')
  return `#${fragment}`
}

/** What `read` makes of the fragment of the address, followed; the function reads it again. */
export function useHash<Value>(read: () => Value): readonly [Value, () => void] {
  const [value, setValue] = useState(read)
  const follow = () => setValue(read)
  useEffect(() => {
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return [value, follow]
}

/** The address, followed; `go` leaves a step in the history, `put` does not. */
export function useAddress(): {
  readonly address: Address
  go(change: Readonly<Record<string, string>>): void
  put(change: Readonly<Record<string, string>>): void
} {
  const [address, follow] = useHash(readAddress)
  return {
    address,
    go(change) {
      location.hash = addressWith(readAddress(), change)
    },
    put(change) {
      history.replaceState(null, '', addressWith(readAddress(), change))
      follow()
    },
  }
}
