// Facts of a request that change no verdict of the signature, but can make a receiver fail.
import { parseWholeNumber } from '../wire/numbers.js'
import { blankAfterVersion } from './entries.js'
import { valuesOf, type RawRequest } from './request.js'

/** Returns a note for each oddity of the headers and the body. */
export function describeOddities(request: RawRequest, names: string): string[] {
  return [...lengthNotes(request), ...entryNotes(request, names), ...familyNotes(request, names)]
}

function lengthNotes({ headers, body }: RawRequest): string[] {
  const [text] = valuesOf(headers, 'content-length')
  const isFramed = valuesOf(headers, 'transfer-encoding').length > 0
  const length = parseWholeNumber(text)
  if (text === undefined || isFramed || Number.isNaN(length) || length === body.length) return []
  const decoded = Buffer.from(body).toString()
  const isOfCharacters = length === decoded.length || length === [...decoded].length
  const why = isOfCharacters ? ': it counts characters, not bytes' : ''
  const effect =
    length < body.length
      ? 'a server that follows it reads a body that is cut off'
      : 'a server that follows it waits for the missing bytes'
  return [`Content-Length is ${text}, but the body has ${body.length} bytes${why}; ${effect}`]
}

function entryNotes({ headers }: RawRequest, names: string): string[] {
  const entries = valuesOf(headers, `${names}-signature`)
    .flatMap((value) => value.replace(blankAfterVersion, '$1').split(' '))
    .filter((entry) => entry !== '')
  return entries.length < 2
    ? []
    : [`${names}-signature has ${entries.length} entries; the signature verifies if one of them does`]
}

function familyNotes({ headers }: RawRequest, names: string): string[] {
  const other = names === 'svix' ? 'webhook' : 'svix'
  const hasBoth = [names, other].every((name) => valuesOf(headers, `${name}-signature`).length > 0)
  return hasBoth ? [`the request also has ${other}-signature; only the ${names}-* headers were checked`] : []
}
