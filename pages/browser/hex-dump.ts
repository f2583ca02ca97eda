/** Most bytes shown in all, and bytes on a line. */
const most = { bytes: 1_024, line: 16 }

/** Bytes as `00000000  7b 22 69 …  {"i…`: offset, values, and what of them is printable ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let offset = 0; offset < Math.min(bytes.length, most.bytes); offset += most.line) {
    const row = [...bytes.subarray(offset, Math.min(offset + most.line, most.bytes))]
    const values = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const letters = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${offset.toString(16).padStart(8, '0')}  ${values.padEnd(most.line * 3 - 1)}  ${letters}`)
  }
  if (bytes.length > most.bytes) lines.push(`and ${bytes.length - most.bytes} more bytes`)
  return lines.join('\n')
}
