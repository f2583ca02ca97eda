// Node's Buffer, for a browser: the bundler gives it to every file that uses the global.
import { Buffer } from 'buffer'

/** The package reads both alphabets of base64 as Node does, but knows the second by no name, and does not write it. */
const { from } = Buffer
const { toString } = Buffer.prototype
Object.assign(Buffer, {
  from: (value: string, encoding?: BufferEncoding) => from(value, encoding === 'base64url' ? 'base64' : encoding),
})
Object.assign(Buffer.prototype, {
  toString(this: Buffer, encoding?: BufferEncoding, ...range: readonly number[]): string {
    if (encoding !== 'base64url') return toString.call(this, encoding, ...range)
    const text: string = toString.call(this, 'base64', ...range)
    return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  },
})

export { Buffer }

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
