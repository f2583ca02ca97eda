// Content codings of HTTP bodies (RFC 9110, 8.4.1), undone.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** Longest decoded body; a longer one is not judged. */
const maxDecodedBytes = 4 * 1024 * 1024

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: maxDecodedBytes }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: maxDecodedBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: maxDecodedBytes }),
  identity: (bytes) => bytes,
}

/** A decoded body, or the reason why there is none. */
export type DecodedBody = { readonly body: Uint8Array } | { readonly missing: string }

/** Undoes the codings of a `Content-Encoding` header, last first. */
export function decodeContent(bytes: Uint8Array, contentEncoding: string | undefined): DecodedBody {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim().replace(/^x-/, ''))
    .filter((coding) => coding !== '')
  let body = bytes
  for (const coding of codings.reverse()) {
    if (body.length === 0) break
    const decode = decoders[coding]
    if (decode === undefined) return { missing: `in the coding ${coding}` }
    try {
      body = decode(body)
    } catch {
      return { missing: `not decodable from ${coding}` }
    }
  }
  return { body }
}
