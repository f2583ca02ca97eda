// What `harness/diagnose` uses of node:zlib, for a browser. A body in Brotli, and one that was signed compressed, are found by the command
// alone: no kept library for browsers has Brotli, or compresses to the bytes that zlib makes, within the size of a page.
import { Buffer } from 'buffer'
import { Gunzip, Unzlib } from 'fflate'

type Decompressor = typeof Gunzip | typeof Unzlib

/** Decompresses with `Kind`. Throws where the bytes have another format, or exceed the limit. */
const decompressor =
  (Kind: Decompressor) =>
  (bytes: Uint8Array, { maxOutputLength }: { readonly maxOutputLength: number }): Buffer => {
    const parts: Uint8Array[] = []
    let length = 0
    const stream = new Kind((part) => {
      length += part.length
      if (length > maxOutputLength) throw new RangeError('the output is too long')
      parts.push(part)
    })
    stream.push(bytes, true)
    return Buffer.concat(parts)
  }

export const gunzipSync = decompressor(Gunzip)
export const inflateSync = decompressor(Unzlib)

export function brotliDecompressSync(): never {
  throw new Error('a browser has no Brotli')
}

/** The bytes unchanged, which were compared before: compression here would differ from that of other programs. */
const unchanged = (body: Uint8Array): Uint8Array => body

export { unchanged as brotliCompressSync, unchanged as deflateSync, unchanged as gzipSync }

export const constants = { BROTLI_PARAM_QUALITY: 1 } as const
