import type { Candidate, Fault } from './finding.js'

/** The entries of a signature header: each possible MAC, as hexadecimal, with the fault of its form. */
export type Entries = ReadonlyMap<string, Fault | undefined>

/** Reads every entry in every way; the right way first. */
export function readEntries(signatures: readonly Candidate<string>[]): Entries {
  const entries = new Map<string, Fault | undefined>()
  const add = (mac: string, fault: Fault | undefined) => {
    if (!entries.has(mac)) entries.set(mac, fault)
  }
  for (const { value, fault } of signatures)
    for (const entry of value.split(' ')) {
      const mac = Buffer.from(entry.slice(3), 'base64')
      if (entry === `v1,${mac.toString('base64')}` && mac.length > 0) add(mac.toString('hex'), fault)
    }
  for (const { value } of signatures) {
    const joined = value.replace(blankAfterVersion, '$1')
    if (joined === value) continue
    for (const entry of joined.split(' '))
      for (const [mac, faults] of readings(entry))
        add(mac, format(['a blank follows the comma after the version', ...(entry.startsWith('v1,') ? [] : faults)]))
  }
  for (const { value } of signatures)
    for (const entry of value.split(/[\s;|]+/)) for (const [mac, what] of readings(entry)) add(mac, format(what))
  for (const { value } of signatures)
    for (const [text, what] of throughUrl(value))
      for (const entry of text.split(' ')) for (const [mac] of readings(entry)) add(mac, format([what]))
  return entries
}

/** A version and its separator, with blanks before the signature. */
export const blankAfterVersion = /((?:^|[\s;|])[A-Za-z]\w*[,=:])[ \t]+(?=\S)/g

/** Yields the header before code treated it as a part of a URL. */
function* throughUrl(value: string): Generator<readonly [text: string, what: string]> {
  if (/%[0-9a-f]{2}/i.test(value))
    yield [
      value.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
      'it is percent-encoded',
    ]
  const joined = value.replace(/ (?!\w{1,10},)/g, '+')
  if (joined !== value) yield [joined, 'each + of its base64 became a blank, as if it were part of a URL']
}

function format(what: readonly string[]): Fault {
  return {
    cause: 'signature-format',
    explanation: `The signature header contains the right value, but ${what.join(', and ')}.`,
    remedy:
      'Write each entry as v1, a comma, and the standard base64 (with padding) of the 32 bytes; separate entries by one space.',
  }
}

/** Longer entries hold no MAC, in any writing. */
const maxEntryLength = 1_000

/** Yields each possible MAC of an entry, with its faults. */
function* readings(given: string): Generator<readonly [mac: string, what: readonly string[]]> {
  if (given.length > maxEntryLength) return
  const entry = given.replace(/^["',]+|["',]+$/g, '')
  const [, label, separator, rest] = /^([A-Za-z][A-Za-z0-9_.-]*?)([,=:])(.+)$/.exec(entry) ?? []
  const what: string[] = []
  const value = label === undefined || separator === undefined || rest === undefined ? entry : rest
  if (value === entry) what.push('the entry has no version prefix')
  else if (label !== 'v1') what.push(`its version is ${label?.slice(0, 20) ?? ''}, which a verifier ignores`)
  else if (separator !== ',') what.push(`the version is followed by ${separator ?? ''}, not a comma`)
  if (entry !== given) what.push('the entry is in quotes or commas')
  for (const text of value === entry ? [entry] : [rest ?? '', entry]) {
    const own = text === entry && value !== entry ? ['the entry has no version prefix'] : what
    if (/^[0-9a-f]+$/i.test(text) && text.length % 2 === 0)
      yield [text.toLowerCase(), [...own, 'it is written as hex, not as base64']]
    const bytes = Buffer.from(text, 'base64')
    const canonical = bytes.toString('base64')
    const isUrl = /[-_]/.test(text)
    const wrong = isUrl ? 'it is written as base64url, not as base64' : 'its base64 is not written as it should be'
    yield [
      bytes.toString('hex'),
      text === canonical
        ? own.length === 0
          ? ['the entries are not separated by one space']
          : own
        : [...own, text === canonical.replace(/=+$/, '') ? 'the padding of its base64 is missing' : wrong],
    ]
    const inner = bytes.toString('latin1')
    if (/^[0-9a-f]{40,}$/i.test(inner))
      yield [inner.toLowerCase(), [...own, 'it is the base64 of the hexadecimal text, not of the bytes']]
  }
}
