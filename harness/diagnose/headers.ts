import type { HeaderFamily } from '../wire/header-family.js'
import type { Candidate, Cause } from './finding.js'
import { valuesOf, type RawRequest } from './request.js'

const parts = ['id', 'timestamp', 'signature'] as const
type Part = (typeof parts)[number]

/** The three values unchanged, with other possible readings of each. */
export interface ReadSignatureHeaders {
  readonly values: Readonly<Record<Part, readonly Candidate<string>[]>>
  /** The faults of the headers, whatever the signature. */
  readonly causes: readonly Cause[]
}

/** Reads the three headers; undefined values where one is missing. */
export function readSignatureHeaders(headers: RawRequest['headers'], names: HeaderFamily): ReadSignatureHeaders {
  const causes: Cause[] = []
  const renamed: string[] = []
  const read = (part: Part): Candidate<string>[] => {
    const name = `${names}-${part}`
    const own = valuesOf(headers, name).filter((text) => text !== '')
    const [other] = own.length > 0 ? [] : headers.filter(([header, value]) => value !== '' && isKin(header, part))
    if (other !== undefined) renamed.push(other[0])
    const lines = other === undefined ? own : [other[1]]
    if (lines.length === 0) causes.push(missing(name, headers))
    if (lines.length > 1) causes.push(repeated(name, lines.length))
    return candidates(part, lines, name)
  }
  const values = { id: read('id'), timestamp: read('timestamp'), signature: read('signature') }
  if (renamed.length > 0) causes.unshift(otherNames(renamed, names))
  return { values, causes }
}

function candidates(part: Part, lines: readonly string[], name: string): Candidate<string>[] {
  if (lines.length === 0) return []
  const whole = lines.join(', ')
  const fault = {
    cause: 'headers-joined' as const,
    explanation: `A proxy joined two headers: ${name} contains several values with commas between them.`,
    remedy:
      part === 'signature'
        ? 'Send one webhook-signature header, its entries separated by one space.'
        : `Send ${name} once, and keep proxies from joining it.`,
  }
  const pieces = part === 'signature' ? [] : whole.split(',').map((piece) => piece.trim())
  return [
    { value: whole },
    ...(pieces.length > 1 ? [...new Set(pieces)].map((value) => ({ value, fault })) : []),
    ...(part === 'signature' && /,\s|,(?=v\d)/.test(whole)
      ? [
          {
            value: whole
              .split(/,(?=\s|v\d)|\s/)
              .filter((entry) => entry !== '')
              .join(' '),
            fault,
          },
        ]
      : []),
  ]
}

/** The same header under another name: `svix-id`, `x-webhook-id`, `HTTP_WEBHOOK_ID`. */
function isKin(name: string, part: Part): boolean {
  return new RegExp(`^(http-)?(x-)?([a-z0-9]+-)*(webhook|svix)-${part}$`).test(
    name.toLowerCase().replaceAll('_', '-').replaceAll('--', '-'),
  )
}

function otherNames(found: readonly string[], names: HeaderFamily): Cause {
  const isSvix = found.every((name) => /^svix-/i.test(name))
  const list = found.join(', ')
  return {
    cause: 'header-names',
    explanation: `The headers have ${isSvix ? 'svix-* names' : `other names (${list})`}, not ${names}-id, ${names}-timestamp and ${names}-signature.`,
    evidence: `${list} ${found.length === 1 ? 'is' : 'are'} instead of ${names}-*`,
    remedy: `Send ${names}-id, ${names}-timestamp and ${names}-signature, or set the other names in the verifier.`,
  }
}

function missing(name: string, headers: RawRequest['headers']): Cause {
  const isEmpty = valuesOf(headers, name).length > 0
  return {
    cause: 'header-missing',
    explanation: `The header ${name} is ${isEmpty ? 'empty' : 'missing'}.`,
    evidence: `${headers.length} headers were read`,
    remedy: `Send ${name}; where it was sent, look for a proxy, a gateway or a framework that drops it.`,
  }
}

function repeated(name: string, count: number): Cause {
  return {
    cause: 'header-repeated',
    explanation: `The header ${name} is sent ${count} times; a reader joins the values with commas.`,
    evidence: 'the header lines were counted',
    remedy: `Send ${name} once${name.endsWith('-signature') ? ', with a space between its entries' : ''}.`,
  }
}
