const handshakeRecord = 22
const clientHello = 1
const serverNameExtension = 0
/** Longest hello that is read, in bytes; a record holds no more. */
const maxBytes = 16_384 + 5

/**
 * Returns the server name in the first bytes of a TLS client (RFC 8446 4.1.2, RFC 6066 3). `incomplete` before the end of the record;
 * undefined without a name.
 */
export function serverNameOf(bytes: Buffer): string | undefined {
  if (bytes.length > 0 && bytes[0] !== handshakeRecord) return undefined
  if (bytes.length < 5) return 'incomplete'
  const end = 5 + bytes.readUInt16BE(3)
  if (end > maxBytes) return undefined
  if (bytes.length < end) return 'incomplete'
  try {
    return nameIn(bytes.subarray(5, end))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Errors: `RangeError` where a length points beyond the end. */
function nameIn(hello: Buffer): string | undefined {
  if (hello.readUInt8(0) !== clientHello) return undefined
  // Type and length, version and random, session id, cipher suites, compression methods.
  let at = 4 + 34
  at += 1 + hello.readUInt8(at)
  at += 2 + hello.readUInt16BE(at)
  at += 1 + hello.readUInt8(at)
  const end = at + 2 + hello.readUInt16BE(at)
  for (at += 2; at < end; at += 4 + hello.readUInt16BE(at + 2)) {
    if (hello.readUInt16BE(at) !== serverNameExtension) continue
    const length = hello.readUInt16BE(at + 7)
    return hello.toString('latin1', at + 9, at + 9 + length)
  }
  return undefined
}
